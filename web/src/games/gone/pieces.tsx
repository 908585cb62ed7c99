/** What children know: dominoes as small as letters, a bag, a star. */

/** A domino as small as a letter. */
export function LittleDomino() {
  return (
    <svg width="1.4em" height="0.75em" viewBox="0 0 40 22" aria-hidden="true">
      <rect x={1} y={1} width={38} height={20} rx={4} fill="var(--wood)" stroke="var(--soft)" stroke-width={1.5} />
      <circle class="Y" cx={20} cy={11} r={5} />
      <path class="R" d="M1 6a5 5 0 0 1 0 10z" />
      <path class="B" d="M39 6a5 5 0 0 0 0 10z" />
    </svg>
  );
}

/** The bag that dominoes come from. */
export function BagPicture() {
  return (
    <svg width={44} height={44} viewBox="0 0 80 80" aria-hidden="true">
      <path
        fill="var(--sack)"
        stroke="var(--frame-edge)"
        stroke-width={3}
        d="M28 22C6 38 6 74 40 74S74 38 52 22zM26 10q14 8 28 0l-4 14H30z"
      />
      <path stroke="var(--white)" stroke-width={4} d="M28 24h24" />
      <g transform="translate(25 44) rotate(-12 15 8)">
        <rect class="wood" width={32} height={17} rx={3} />
        <circle class="Y" cx={16} cy={8.5} r={4.5} />
      </g>
    </svg>
  );
}

export function Star() {
  return (
    <svg class="star" viewBox="-50 -50 100 100" aria-hidden="true">
      <path
        fill="var(--star)"
        stroke="var(--star-edge)"
        stroke-width={5}
        d="M0-44 12.9-17.8 41.8-13.6 20.9 6.8 25.9 35.6 0 22-25.9 35.6-20.9 6.8-41.8-13.6-12.9-17.8z"
      />
    </svg>
  );
}

/** Small things that lie on tables: marks with their player's number, tokens, little dominoes. */
import type { Colour } from "../data.ts";
import { Symbol } from "../board/domino.tsx";
import type { Disc } from "../geometry.ts";

/** A mark on a disc of the board: the player's colour and number, and what its group counts. */
export function MarkOnBoard({ player, disc, worth, kind = "" }: { player: number; disc: Disc; worth?: string; kind?: string }) {
  return (
    <g class={`mark seat-${player} ${kind}`} transform={`translate(${50 * disc[0]} ${50 * disc[1]})`}>
      <g class="mark-body">
        <circle class="mark-rim" r={27} />
        <circle class="mark-disc" r={23} />
        {kind.includes("lost") && <path class="mark-cross" d="M-26 -26L26 26M26 -26L-26 26" />}
        <text y={12} font-size={34} text-anchor="middle">{player + 1}</text>
        {worth && (
          <g class="mark-worth" transform="translate(26 -26)">
            <rect x={-12 - 7 * worth.length} y={-17} width={24 + 14 * worth.length} height={34} rx={17} />
            <text y={9} font-size={25} text-anchor="middle">{worth}</text>
          </g>
        )}
      </g>
    </g>
  );
}

/** A mark that is not on the table. */
export function MarkIcon({ player, used }: { player: number; used?: boolean }) {
  return (
    <svg class={`mark-icon seat-${player}${used ? " used" : ""}`} viewBox="-30 -30 60 60" aria-hidden="true">
      <circle r={24} />
      {!used && <text y={12} font-size={34} text-anchor="middle">{player + 1}</text>}
    </svg>
  );
}

/** A token of 72. */
export function CoinIcon() {
  return (
    <svg class="coin" viewBox="-30 -30 60 60" aria-hidden="true">
      <circle r={26} />
      <circle class="coin-ring" r={18} />
    </svg>
  );
}

/** A disc of a colour with its symbol, so that the colour need not be seen. */
export function DiscIcon({ colour }: { colour: Colour }) {
  return (
    <svg class="disc-icon" viewBox="-26 -26 52 52" aria-hidden="true">
      <circle class={colour} r={24} />
      <Symbol colour={colour} at={[0, 0]} scale={1.3} />
    </svg>
  );
}

/** A domino as small as a letter. */
export function LittleDomino() {
  return (
    <svg class="little-domino" viewBox="0 0 40 22" aria-hidden="true">
      <rect x={1} y={1} width={38} height={20} rx={4} />
      <circle class="Y" cx={20} cy={11} r={5} />
      <path class="R" d="M1 6a5 5 0 0 1 0 10z" />
      <path class="B" d="M39 6a5 5 0 0 0 0 10z" />
    </svg>
  );
}

/** The bag that dominoes come from. */
export function BagPicture() {
  return (
    <svg class="bag-picture" viewBox="0 0 80 80" aria-hidden="true">
      <path class="bag-body" d="M28 22C6 38 6 74 40 74S74 38 52 22z" />
      <path class="bag-neck" d="M26 10q14 8 28 0l-4 14H30z" />
      <path class="bag-string" d="M28 24h24" />
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
      <path d="M0-44 12.9-17.8 41.8-13.6 20.9 6.8 25.9 35.6 0 22-25.9 35.6-20.9 6.8-41.8-13.6-12.9-17.8z" />
    </svg>
  );
}

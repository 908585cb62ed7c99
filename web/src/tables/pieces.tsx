/** Marks with their player's number, on the table and beside it. */
import type { Colour } from "../data.ts";
import { ColourSymbol } from "../board/domino.tsx";
import type { Disc } from "../geometry.ts";

/** A mark on a disc of the board: the player's colour and number, and what its group counts. */
export function MarkOnBoard({
  player,
  disc,
  worth,
  lost,
}: {
  player: number;
  disc: Disc;
  worth?: string;
  lost?: boolean;
}) {
  return (
    <g class={`mark seat-${player}${lost ? " lost" : ""}`} transform={`translate(${50 * disc[0]} ${50 * disc[1]})`}>
      <g class="mark-body">
        <circle r={27} fill="var(--white)" stroke="var(--ink)" stroke-width={3} />
        <circle class="mark-disc" r={23} style={lost ? { fill: "var(--lost)" } : undefined} />
        {lost && <path stroke="var(--wrong)" stroke-width={8} d="M-26 -26L26 26M26 -26L-26 26" />}
        <text
          y={12}
          font-size={34}
          text-anchor="middle"
          {...(lost && { "paint-order": "stroke", "stroke": "var(--lost-edge)", "stroke-width": 6 })}
        >
          {player + 1}
        </text>
        {worth && (
          <g transform="translate(26 -26)">
            <rect
              fill="var(--white)"
              stroke="var(--ink)"
              stroke-width={3}
              x={-12 - 7 * worth.length}
              y={-17}
              width={24 + 14 * worth.length}
              height={34}
              rx={17}
            />
            <text y={9} font-size={25} text-anchor="middle" style={{ fill: "var(--ink)" }}>
              {worth}
            </text>
          </g>
        )}
      </g>
    </g>
  );
}

/** A mark that is not on the table. */
export function MarkIcon({ player, used }: { player: number; used?: boolean }) {
  return (
    <svg class={`mark-icon seat-${player}`} viewBox="-30 -30 60 60" aria-hidden="true">
      {used ? (
        <circle r={24} fill="none" stroke="var(--soft)" stroke-width={3} stroke-dasharray="8 7" />
      ) : (
        <circle r={24} fill="var(--seat)" stroke="var(--paper)" stroke-width={3} />
      )}
      {!used && (
        <text y={12} font-size={34} text-anchor="middle">
          {player + 1}
        </text>
      )}
    </svg>
  );
}

/** A disc of a colour with its symbol, so that the colour need not be seen. */
export function DiscIcon({ colour }: { colour: Colour }) {
  return (
    <svg class="disc-icon" viewBox="-26 -26 52 52" aria-hidden="true">
      <circle class={colour} r={24} />
      <ColourSymbol colour={colour} at={[0, 0]} scale={1.3} />
    </svg>
  );
}

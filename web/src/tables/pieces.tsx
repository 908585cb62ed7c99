/** Marks with their player's number, on the table and beside it. */
import type { Colour } from "../data.ts";
import { ColourSymbol } from "../board/domino.tsx";
import type { MarkerPaint } from "../games/game.ts";
import type { Disc } from "../geometry.ts";

/** The signs of markers with a colour of their own, as on the printed ones: the colour need not be seen. */
const SIGNS: Record<MarkerPaint, string> = {
  black: "M-13 0A13 13 0 1 1 13 0A13 13 0 1 1 -13 0Z",
  brown: "M-12 -12H12V12H-12Z",
  beige: "M0 -17L17 0L0 17L-17 0Z",
  orange: "M-13 -14H-4V14H-13ZM4 -14H13V14H4Z",
};

/** A mark on a disc of the board: the player's colour and number, or sign, and what its group counts. */
export function MarkOnBoard({
  player,
  marker,
  disc,
  worth,
  lost,
}: {
  player: number;
  marker?: MarkerPaint;
  disc: Disc;
  worth?: string;
  lost?: boolean;
}) {
  return (
    <g
      class={`mark ${markClass(player, marker)}${lost ? " lost" : ""}`}
      transform={`translate(${50 * disc[0]} ${50 * disc[1]})`}
    >
      <g class="mark-body">
        {marker ? (
          <>
            <rect
              x={-27}
              y={-27}
              width={54}
              height={54}
              rx={6}
              fill="var(--white)"
              stroke="var(--ink)"
              stroke-width={3}
            />
            <rect x={-23} y={-23} width={46} height={46} rx={3} fill="var(--seat)" />
            <path d={SIGNS[marker]} fill="var(--marker-sign)" />
          </>
        ) : (
          <>
            <circle r={27} fill="var(--white)" stroke="var(--ink)" stroke-width={3} />
            <circle class="mark-disc" r={23} style={lost ? { fill: "var(--lost)" } : undefined} />
          </>
        )}
        {lost && <path stroke="var(--wrong)" stroke-width={8} d="M-26 -26L26 26M26 -26L-26 26" />}
        {!marker && (
          <text
            y={12}
            font-size={34}
            text-anchor="middle"
            {...(lost && { "paint-order": "stroke", "stroke": "var(--lost-edge)", "stroke-width": 6 })}
          >
            {player + 1}
          </text>
        )}
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

/** The classes of a mark: the player's, and that of a marker with a colour of its own. */
export const markClass = (player: number, marker?: MarkerPaint): string =>
  marker ? `seat-${player} marker-${marker}` : `seat-${player}`;

/** A mark that is not on the table. */
export function MarkIcon({ player, marker, used }: { player: number; marker?: MarkerPaint; used?: boolean }) {
  if (marker)
    return (
      <svg class={`mark-icon ${markClass(player, marker)}`} viewBox="-30 -30 60 60" aria-hidden="true">
        <rect x={-25} y={-25} width={50} height={50} rx={4} fill="var(--seat)" stroke="var(--soft)" stroke-width={3} />
        <path d={SIGNS[marker]} fill="var(--marker-sign)" />
      </svg>
    );
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

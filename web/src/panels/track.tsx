/** The score track of the print set: a spiral from 1 to 60, walked up to four times. */
import { useMemo } from "preact/hooks";
import { minus, t } from "../i18n.ts";

const FIELDS = 60;

/** The middles of the fields, from the outside inwards, in units of a field. */
export function spiral(): [number, number][] {
  const [width, height] = [9, 9];
  const seen = new Set<string>();
  const places: [number, number][] = [];
  let [x, y, dx, dy] = [0, height - 1, 1, 0];
  // From the lower left corner to the right, and round.
  while (places.length < FIELDS) {
    places.push([x, y]);
    seen.add(`${x},${y}`);
    const blocked = (a: number, b: number) => a < 0 || b < 0 || a >= width || b >= height || seen.has(`${a},${b}`);
    if (blocked(x + dx, y + dy)) [dx, dy] = [dy, -dx];
    x += dx;
    y += dy;
  }
  return places;
}

export function ScoreTrack({ scores, names, target }: { scores: readonly number[]; names: readonly string[]; target?: number }) {
  const places = useMemo(spiral, []);
  const spoken = scores.map((score, seat) => `${names[seat]}: ${score}`).join(", ");
  return (
    <svg class="track" viewBox="-0.1 -0.1 9.2 9.2" role="img" aria-label={`${t("score_track")}: ${spoken}`}>
      {places.map(([x, y], i) => {
        const ten = (i + 1) % 10 === 0;
        return (
          <g key={i} transform={`translate(${x} ${y})`}>
            <rect class={ten ? "field ten" : "field"} x={0.05} y={0.05} width={0.9} height={0.9} rx={0.18} />
            {((i + 1) % 5 === 0 || i === 0) && <text class="field-number" x={0.5} y={0.64} text-anchor="middle">{i + 1}</text>}
          </g>
        );
      })}
      {scores.map((score, seat) => {
        if (score <= 0) return <Waiting key={seat} scores={scores} seat={seat} />;
        const [x, y] = places[(score - 1) % FIELDS]!;
        // Those on one field stand in a circle on it, so that each is seen.
        const together = scores.flatMap((other, one) => (other > 0 && (other - score) % FIELDS === 0 ? [one] : []));
        const angle = (2 * Math.PI * together.indexOf(seat)) / together.length;
        const aside = together.length > 1 ? 0.3 : 0;
        const lap = Math.floor((score - 1) / FIELDS);
        return (
          <g key={seat} class={`pawn seat-${seat}`} style={{ transform: `translate(${x + 0.5 - aside * Math.cos(angle)}px, ${y + 0.5 - aside * Math.sin(angle)}px)` }}>
            <circle r={0.36} />
            <text y={0.15} text-anchor="middle">{seat + 1}</text>
            {lap > 0 && <text class="lap" x={0.42} y={-0.2} text-anchor="middle">+{lap * FIELDS}</text>}
          </g>
        );
      })}
      {target !== undefined && <text class="track-target" x={4.5} y={4.35} text-anchor="middle">{t("target", { points: target })}</text>}
    </svg>
  );
}

/** Who stands at nothing or below waits in the middle, with what is owed. */
function Waiting({ scores, seat }: { scores: readonly number[]; seat: number }) {
  const waiting = scores.flatMap((score, other) => (score <= 0 ? [other] : []));
  const x = 4.5 + waiting.indexOf(seat) - (waiting.length - 1) / 2;
  return (
    <g class={`pawn seat-${seat}`} style={{ transform: `translate(${x}px, 2.9px)` }}>
      <circle r={0.36} />
      <text y={0.15} text-anchor="middle">{seat + 1}</text>
      {scores[seat]! < 0 && <text class="owed" y={0.8} text-anchor="middle">{minus(scores[seat]!)}</text>}
    </g>
  );
}

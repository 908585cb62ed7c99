/** The score track of the print set: a spiral from 1 to 60, walked up to four times. */
import type { ComponentChildren } from "preact";
import { minus, t } from "../i18n.ts";

const FIELDS = 60;
const SIDE = 9;

/** Column and row of the fields: from the lower left up the side, then clockwise inwards. */
export function spiral(): [number, number][] {
  const places: [number, number][] = [];
  const blocked = (x: number, y: number) => x < 0 || y < 0 || x >= SIDE || y >= SIDE || places.some(([a, b]) => a === x && b === y);
  let [x, y, dx, dy] = [0, SIDE - 1, 0, -1];
  while (places.length < FIELDS) {
    places.push([x, y]);
    if (blocked(x + dx, y + dy)) [dx, dy] = [-dy, dx];
    x += dx;
    y += dy;
  }
  return places;
}

const PLACES = spiral();
/** A thread through all fields: where the spiral turns, it says which one is next. */
const THREAD = `M0.5 ${SIDE + 0.5}L${PLACES.map(([x, y]) => `${x + 0.5} ${y + 0.5}`).join("L")}`;

/** Inside the spiral: the target, and who has walked it how often. */
const MIDDLE = 5;

const fieldOf = (score: number) => (score - 1) % FIELDS;
const lapsOf = (score: number) => Math.max(0, Math.floor((score - 1) / FIELDS));

interface TrackProps {
  scores: readonly number[];
  names: readonly string[];
  target?: number;
}

export function ScoreTrack({ scores, names, target }: TrackProps) {
  const spoken = scores.map((score, seat) => `${names[seat]}: ${score}`).join(", ");
  const laps = scores.flatMap((score, seat) => (lapsOf(score) ? [seat] : []));
  const goal = target === undefined ? -1 : fieldOf(target);
  return (
    <svg class="track" viewBox={`-0.15 -0.15 ${SIDE + 0.3} ${SIDE + 1.65}`} role="img" aria-label={`${t("score_track")}: ${spoken}`}>
      <path class="thread" d={THREAD} />
      <Start />
      {PLACES.map(([x, y], i) => <Field key={i} number={i + 1} x={x + 0.5} y={y + 0.5} goal={i === goal} />)}
      {target !== undefined && <text class="track-target" x={MIDDLE} y={laps.length ? 3.4 : 4.75} text-anchor="middle">{t("target", { points: target })}</text>}
      {scores.map((score, seat) => (score > 0 ? <Walking key={seat} scores={scores} seat={seat} /> : <Waiting key={seat} scores={scores} seat={seat} />))}
      {laps.map((seat, row) => (
        <Pawn key={`lap ${seat}`} seat={seat} at={[MIDDLE - 0.6, 4.2 + 0.8 * row]} small>
          <text class="lap" x={0.55} y={0.18}>+{lapsOf(scores[seat]!) * FIELDS}</text>
        </Pawn>
      ))}
    </svg>
  );
}

function Field({ number, x, y, goal }: { number: number; x: number; y: number; goal: boolean }) {
  const ten = number % 10 === 0;
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle class={`field${ten ? " ten" : ""}${goal ? " goal" : ""}`} r={ten ? 0.46 : 0.42} />
      {(number % 5 === 0 || number === 1) && <text class="field-number" y={0.14} text-anchor="middle">{number}</text>}
    </g>
  );
}

/** Below the first field: an arrow to it, and room for all who have nothing yet. */
function Start() {
  return (
    <>
      <rect class="start" x={0.06} y={SIDE + 0.12} width={4.9} height={1.3} rx={0.3} />
      <path class="start-arrow" d={`M0.5 ${SIDE + 1.05}V${SIDE + 0.4}M0.22 ${SIDE + 0.68}L0.5 ${SIDE + 0.38}L0.78 ${SIDE + 0.68}`} />
    </>
  );
}

/** Those on one field stand in a circle on it, so that each is seen. */
function Walking({ scores, seat }: { scores: readonly number[]; seat: number }) {
  const score = scores[seat]!;
  const [x, y] = PLACES[fieldOf(score)]!;
  const together = scores.flatMap((other, one) => (other > 0 && fieldOf(other) === fieldOf(score) ? [one] : []));
  const angle = (2 * Math.PI * together.indexOf(seat)) / together.length;
  const aside = together.length > 2 ? 0.4 : together.length > 1 ? 0.32 : 0;
  const at = [x + 0.5 - aside * Math.cos(angle), y + 0.5 - aside * Math.sin(angle)] as const;
  return <Pawn seat={seat} at={at} small={together.length > 1} />;
}

/** Who stands at nothing or below waits at the start, with what is owed. */
function Waiting({ scores, seat }: { scores: readonly number[]; seat: number }) {
  const waiting = scores.flatMap((score, other) => (score <= 0 ? [other] : []));
  return (
    <Pawn seat={seat} at={[1.45 + waiting.indexOf(seat), SIDE + 0.6]}>
      {scores[seat]! < 0 && <text class="owed" y={0.7} text-anchor="middle">{minus(scores[seat]!)}</text>}
    </Pawn>
  );
}

function Pawn({ seat, at, small = false, children }: { seat: number; at: readonly [number, number]; small?: boolean; children?: ComponentChildren }) {
  return (
    <g class={`pawn seat-${seat}`} style={{ transform: `translate(${at[0]}px, ${at[1]}px) scale(${small ? 0.8 : 1})` }}>
      <circle r={0.36} />
      <text y={0.15} text-anchor="middle">{seat + 1}</text>
      {children}
    </g>
  );
}

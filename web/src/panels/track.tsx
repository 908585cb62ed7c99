/** The score track of the print set: a spiral from 1 to 60, walked up to four times. */
import type { ComponentChildren } from "preact";
import { TRACK } from "../data.ts";
import { formatMinus, t } from "../i18n.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { itemAt } from "../values.ts";

const FIELDS = TRACK.length;
const COLUMNS = Math.max(...TRACK.map(([x]) => x)) + 1;
const ROWS = Math.max(...TRACK.map(([, y]) => y)) + 1;

/** A thread through all fields: where the spiral turns, it says which one is next. */
const THREAD = `M0.5 ${ROWS + 0.5}L${TRACK.map(([x, y]) => `${x + 0.5} ${y + 0.5}`).join("L")}`;

/** Height of what is below the fields: the start and the target, and the laps once there are any. */
const START_HEIGHT = 1.45;
const LAPS_HEIGHT = 0.95;

const fieldOf = (score: number) => (score - 1) % FIELDS;
const lapsOf = (score: number) => Math.max(0, Math.floor((score - 1) / FIELDS));

interface TrackProps {
  scores: readonly number[];
  target?: number;
  label: string;
}

export const ScoreTrack = withBoundary(Spiral);

function Spiral({ scores, target, label }: TrackProps) {
  const laps = scores.flatMap((score, seat) => (lapsOf(score) ? [seat] : []));
  const goal = target === undefined ? -1 : fieldOf(target);
  return (
    <svg
      class="track"
      width="100%"
      viewBox={`-0.15 -0.15 ${COLUMNS + 0.3} ${ROWS + START_HEIGHT + 0.2 + (laps.length ? LAPS_HEIGHT : 0)}`}
      role="img"
      aria-label={label}
    >
      <path d={THREAD} fill="none" stroke="var(--line)" stroke-width={0.3} />
      <Start />
      {TRACK.map(([x, y], i) => (
        <Field key={i} number={i + 1} x={x + 0.5} y={y + 0.5} goal={i === goal} />
      ))}
      {target !== undefined && (
        <text
          x={COLUMNS - 0.1}
          y={ROWS + 0.98}
          text-anchor="end"
          font-size={0.66}
          font-weight="var(--strong)"
          fill="var(--text)"
        >
          {t("target", { points: target })}
        </text>
      )}
      {laps.map((seat, place) => (
        <Pawn
          key={`lap ${seat}`}
          seat={seat}
          at={[0.5 + 2.5 * place, ROWS + START_HEIGHT + LAPS_HEIGHT / 2]}
          size={0.8}
        >
          <text x={0.55} y={0.22} style={{ fontSize: "0.5px", fill: "var(--text)" }}>
            +{lapsOf(scores[seat] ?? 0) * FIELDS}
          </text>
        </Pawn>
      ))}
      {scores.map((score, seat) =>
        score > 0 ? (
          <Walking key={seat} scores={scores} seat={seat} />
        ) : (
          <Waiting key={seat} scores={scores} seat={seat} />
        ),
      )}
    </svg>
  );
}

function Field({ number, x, y, goal }: { number: number; x: number; y: number; goal: boolean }) {
  const ten = number % 10 === 0;
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle
        r={ten ? 0.46 : 0.42}
        fill={ten ? "var(--accent-soft)" : "var(--ground)"}
        stroke={goal ? "var(--accent)" : "var(--line)"}
        stroke-width={goal ? 0.14 : 0.06}
      />
      {(number % 5 === 0 || number === 1) && (
        <text y={0.14} text-anchor="middle" font-size={0.4} font-weight="var(--strong)" fill="var(--soft)">
          {number}
        </text>
      )}
    </g>
  );
}

/** Below the first field: an arrow to it, and room for all who have nothing yet. */
function Start() {
  return (
    <>
      <rect
        x={0.06}
        y={ROWS + 0.12}
        width={5.5}
        height={1.3}
        rx={0.3}
        fill="var(--ground)"
        stroke="var(--line)"
        stroke-width={0.06}
      />
      <path
        fill="none"
        stroke="var(--soft)"
        stroke-width={0.13}
        d={`M0.5 ${ROWS + 1.05}V${ROWS + 0.4}M0.22 ${ROWS + 0.68}L0.5 ${ROWS + 0.38}L0.78 ${ROWS + 0.68}`}
      />
    </>
  );
}

/** Pawns on the same field stand in a circle, so that each can be seen. */
function Walking({ scores, seat }: { scores: readonly number[]; seat: number }) {
  const score = itemAt(scores, seat);
  const [x, y] = itemAt(TRACK, fieldOf(score));
  const together = scores.flatMap((other, one) => (other > 0 && fieldOf(other) === fieldOf(score) ? [one] : []));
  // Four stand in the corners: so they leave the fields beside theirs free.
  const angle = (2 * Math.PI * (together.indexOf(seat) + (together.length > 3 ? 0.5 : 0))) / together.length;
  const distance = [0, 0, 0.28, 0.34][together.length] ?? 0.37;
  const at = [x + 0.5 - distance * Math.cos(angle), y + 0.5 - distance * Math.sin(angle)] as const;
  return <Pawn seat={seat} at={at} size={together.length > 2 ? 0.74 : together.length > 1 ? 0.8 : 1} />;
}

/** A player without points waits at the start, with the points below zero. */
function Waiting({ scores, seat }: { scores: readonly number[]; seat: number }) {
  const own = itemAt(scores, seat);
  const waiting = scores.flatMap((score, other) => (score <= 0 ? [other] : []));
  return (
    <Pawn seat={seat} at={[1.5 + 1.15 * waiting.indexOf(seat), ROWS + 0.6]}>
      {own < 0 && (
        <text y={0.7} text-anchor="middle" style={{ fill: "var(--warn)" }}>
          {formatMinus(own)}
        </text>
      )}
    </Pawn>
  );
}

function Pawn({
  seat,
  at,
  size = 1,
  children,
}: {
  seat: number;
  at: readonly [number, number];
  size?: number;
  children?: ComponentChildren;
}) {
  return (
    <g
      class={`pawn seat-${seat}`}
      style={{
        transform: `translate(${at[0]}px, ${at[1]}px) scale(${size})`,
        transition: "transform var(--scene) var(--ease)",
      }}
    >
      <circle r={0.36} stroke-width={0.08} />
      <text y={0.15} font-size={0.42} text-anchor="middle">
        {seat + 1}
      </text>
      {children}
    </g>
  );
}

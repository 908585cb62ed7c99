/** The course of a game as lines, one for each player, and the same as a table for those who read it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatNumber, t, withColon } from "../i18n.ts";
import { Numbered } from "../ui/numbered.tsx";
import { itemAt, requireValue } from "../values.ts";

export interface CurveProps {
  names: readonly string[];
  /** For each player, a value for each position. */
  curves: readonly (readonly number[])[];
  /** The positions of the values, if not all positions have one: then lines go straight from one to the next. */
  positions?: readonly number[];
  /** For each player, between which values the true ones may be expected. */
  bands?: readonly { low: readonly number[]; high: readonly number[] }[];
  /** Positions with a number of their own. */
  marks?: readonly number[];
  /** The name of the values: "Points", "Dominoes left", ... */
  measure: string;
  titled?: boolean;
  target?: number;
  /** Marked with a line. */
  at?: number;
  onPick?(position: number): void;
  /** Below the lines: a table with the same in numbers. */
  children?: ComponentChildren;
}

/** Margins in pixels. */
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 30, 12, 12];
/** Lines differ without colours, too. */
const DASHES = ["", "10 5", "3 4", "14 4 3 4", "6 3", "2 6", "16 6", "8 3 2 3", "4 8", "12 3 2 3 2 3"];
const LINE = { fill: "none", stroke: "var(--seat-line)", "stroke-width": 3 };

export function ScoreCurve({
  names,
  curves,
  positions,
  bands,
  marks,
  measure,
  titled,
  target,
  at,
  onPick,
  children,
}: CurveProps) {
  const place = useRef<HTMLElement>(null);
  const room = useSignal(320);
  useEffect(() => {
    const observer = new ResizeObserver(
      ([entry]) => (room.value = Math.max(200, Math.floor(entry?.contentRect.width ?? 0))),
    );
    observer.observe(requireValue(place.current, "the curve"));
    return () => observer.disconnect();
  }, []);
  const [width, height] = [room.value, room.value < 420 ? 170 : 220];
  const last = Math.max(1, positions?.at(-1) ?? (curves[0]?.length ?? 1) - 1);
  const all = curves.flat();
  const high = Math.max(1, ...all, target ?? 0);
  const low = Math.min(0, ...all);
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((one) => (high - low) / one <= 6) ?? 2000;
  const [bottom, top] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const x = (position: number) => LEFT + (position / last) * (width - LEFT - RIGHT);
  const y = (value: number) => TOP + ((top - value) / (top - bottom)) * (height - TOP - BOTTOM);
  const lines: number[] = [];
  for (let value = bottom; value <= top; value += step) lines.push(value);
  const ends = names.map((name, seat) => withColon(name, formatNumber(curves[seat]?.at(-1) ?? 0))).join(", ");
  // Numbers of lines that end close together move apart.
  const ending = curves.map((curve, seat) => ({ seat, at: y(curve.at(-1) ?? 0) })).sort((a, b) => a.at - b.at);
  ending.forEach((one, i) => {
    if (i) one.at = Math.max(one.at, itemAt(ending, i - 1).at + 19);
  });
  const over = Math.max(0, (ending.at(-1)?.at ?? 0) - (height - 11));
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width) * width;
    onPick?.(Math.round(Math.min(1, Math.max(0, (along - LEFT) / (width - LEFT - RIGHT))) * last));
  };
  return (
    <figure class="curve" ref={place}>
      {titled && <h3>{measure}</h3>}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table below has a button for each position. */}
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${t("curve_label", { measure })} ${ends}`}
        cursor={onPick && "pointer"}
        onClick={onPick && pick}
      >
        {lines.map((value) => (
          <g key={value} fill="var(--soft)">
            <path d={`M${LEFT} ${y(value)}H${width - RIGHT}`} stroke={value === 0 ? "var(--soft)" : "var(--line)"} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end" font-size={13}>
              {formatNumber(value).replace("-", "−")}
            </text>
          </g>
        ))}
        {target !== undefined && (
          <path
            stroke="var(--accent)"
            stroke-width={2}
            stroke-dasharray="2 5"
            d={`M${LEFT} ${y(target)}H${width - RIGHT}`}
          />
        )}
        {at !== undefined && <path stroke="var(--text)" stroke-width={1.5} d={`M${x(at)} ${TOP}V${height - BOTTOM}`} />}
        {positions
          && bands?.map(({ low, high }, seat) => (
            <path
              key={seat}
              class={`seat-${seat}`}
              fill="var(--seat-line)"
              opacity={0.16}
              d={band(positions, low, high, x, y)}
            />
          ))}
        {curves.map((curve, seat) => (
          <path
            key={seat}
            class={`seat-${seat}`}
            {...LINE}
            d={positions ? `M${straight(positions, curve, x, y)}` : steps(curve, x, y)}
            stroke-dasharray={DASHES[seat]}
          />
        ))}
        {marks?.map((position, i) => (
          <Numbered key={i} kind="curve-mark" number={i + 1} at={[Math.max(LEFT + 10, x(position)), height - BOTTOM]} />
        ))}
        {at !== undefined
          && !positions
          && curves.map((curve, seat) => (
            <circle
              key={seat}
              class={`seat-${seat}`}
              fill="var(--seat)"
              stroke="var(--paper)"
              stroke-width={1.5}
              cx={x(at)}
              cy={y(curve[at] ?? 0)}
              r={5}
            />
          ))}
        {ending.map(({ seat, at: level }) => (
          <Numbered key={seat} number={seat + 1} seat={seat} at={[width - RIGHT + 14, Math.max(11, level - over)]} />
        ))}
      </svg>
      <figcaption>
        <ul class="row small">
          {names.map((name, seat) => (
            <li key={seat}>
              <svg width={34} height={12} aria-hidden="true">
                <path class={`seat-${seat}`} {...LINE} d="M1 6H33" stroke-dasharray={DASHES[seat]} />
              </svg>{" "}
              {seat + 1} {name}
            </li>
          ))}
        </ul>
      </figcaption>
      {children}
    </figure>
  );
}

interface TableProps {
  names: readonly string[];
  rows: readonly { position: number; values: readonly string[] }[];
  onPick?(position: number): void;
  link?(position: number): string;
}

/** The values of each player, position by position. */
export function CurveTable({ names, rows, onPick, link }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("column_move")}</th>
          {names.map((name, seat) => (
            <th key={seat} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ position, values }) => (
          <tr key={position}>
            <th scope="row">
              <PositionLink position={position} onPick={onPick} link={link} />
            </th>
            {values.map((value, seat) => (
              <td key={seat}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The way to a position, where there is one; `number` if it is called by another number. */
export function PositionLink({
  position,
  number = position,
  onPick,
  link,
}: Pick<TableProps, "onPick" | "link"> & { position: number; number?: number | string }) {
  if (onPick)
    return (
      <button type="button" class="link" onClick={() => onPick(position)}>
        {number}
      </button>
    );
  return link ? <a href={link(position)}>{number}</a> : number;
}

/** A line from value to value. */
function straight(
  positions: readonly number[],
  curve: readonly number[],
  x: (i: number) => number,
  y: (value: number) => number,
): string {
  return curve.map((value, i) => `${x(itemAt(positions, i)).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
}

function band(
  positions: readonly number[],
  low: readonly number[],
  high: readonly number[],
  x: (i: number) => number,
  y: (value: number) => number,
): string {
  const back = straight([...positions].reverse(), [...low].reverse(), x, y);
  return `M${straight(positions, high, x, y)}L${back}Z`;
}

/** A line that stays level until something changes. */
function steps(curve: readonly number[], x: (i: number) => number, y: (value: number) => number): string {
  let path = "";
  curve.forEach((value, i) => {
    if (i === 0) path = `M${x(0)} ${y(value)}`;
    else if (value !== curve[i - 1])
      path += `L${x(i - 1).toFixed(1)} ${y(itemAt(curve, i - 1)).toFixed(1)}L${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return `${path}H${x(curve.length - 1).toFixed(1)}`;
}

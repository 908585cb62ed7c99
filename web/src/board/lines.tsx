/** Lines round dominoes and groups, and texts on them: on the table and in pictures. */
import { useMemo } from "preact/hooks";
import type { Colour } from "../data.ts";
import { type Disc, key, type Laying } from "../geometry.ts";
import { reach } from "./domino.tsx";
import { around, outline } from "./outline.ts";
import { itemAt } from "../values.ts";

/** A group of discs with a line round it, and perhaps a text on it. */
export interface Marked {
  discs: readonly Disc[];
  label?: string;
  /** A class for the look: `closed`, `mine`, `player-2`, ... */
  kind?: string;
  /** It was just closed, and its discs of this colour light up. */
  lights?: Colour;
}

/** A line round a domino, on dark on light, so that it is seen beside discs of any colour; it does not cut `discs`. */
export function Outlined({ laying, kind, discs = [] }: { laying: Laying; kind: string; discs?: readonly Disc[] }) {
  const path = around(laying, 2, discs, reach() + 3);
  return (
    <g class={`outlined ${kind}`}>
      <path class="halo" d={path} />
      <path class="casing" d={path} />
      <path class="line" d={path} />
    </g>
  );
}

export function GroupLine({ group }: { group: Marked }) {
  const path = useMemo(() => outline(group.discs), [group.discs]);
  if (!group.discs.length) return null;
  const mean = [0, 1].map((i) => group.discs.reduce((sum, disc) => sum + itemAt(disc, i), 0) / group.discs.length);
  const far = (disc: Disc) => (disc[0] - itemAt(mean, 0)) ** 2 + (disc[1] - itemAt(mean, 1)) ** 2;
  const middle = group.discs.reduce((best, disc) => (far(disc) < far(best) ? disc : best));
  return (
    <g class={`group ${group.kind ?? ""}`}>
      <path class="casing" d={path} />
      <path class="line" d={path} />
      {group.label && <Badge text={group.label} at={[50 * middle[0], 50 * middle[1]]} />}
    </g>
  );
}

/** A text on a light pill. */
export function Badge({ text, at, kind = "" }: { text: string; at: readonly [number, number]; kind?: string }) {
  const width = Math.max(44, 20 * text.length + 20);
  return (
    <g class={`badge ${kind}`}>
      <rect
        fill="var(--white)"
        stroke="var(--ink)"
        stroke-width={3}
        x={at[0] - width / 2}
        y={at[1] - 21}
        width={width}
        height={42}
        rx={21}
      />
      <text x={at[0]} y={at[1] + 11} text-anchor="middle" font-size={32} font-weight="var(--display)" fill="var(--ink)">
        {text}
      </text>
    </g>
  );
}

/** Crosses where two colours meet that must not. */
export function Clashes({ discs }: { discs: readonly Disc[] }) {
  return (
    <>
      {discs.map((disc) => (
        <g key={key(disc)} class="clash" transform={`translate(${50 * disc[0]} ${50 * disc[1]})`}>
          <circle r={17} fill="var(--white)" stroke="var(--ink)" stroke-width={3} />
          <path d="M-7 -7L7 7M7 -7L-7 7" stroke="var(--clash)" stroke-width={6} />
        </g>
      ))}
    </>
  );
}

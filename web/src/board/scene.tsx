/** The parts of small pictures that show how a game is played, drawn with dominoes. */
import type { ComponentChildren } from "preact";
import { SET_120 } from "../data.ts";
import type { Box, Disc, Laying } from "../geometry.ts";
import { discColours, groupAt } from "../state/groups.ts";
import { withSymbols } from "../state/settings.ts";
import { Domino, wholeDiscs, WholeSymbols } from "./domino.tsx";
import { Ground } from "./ground.tsx";

export function Scene({ box, margin = 0.3, children }: { box: Box; margin?: number; children: ComponentChildren }) {
  const [x, y] = [100 * (box.left - margin), 100 * (box.top - margin)];
  const [width, height] = [100 * (box.right - box.left + 2 * margin), 100 * (box.bottom - box.top + 2 * margin)];
  return <svg viewBox={`${x} ${y} ${width} ${height}`}>{children}</svg>;
}

export function Dominoes({ layings }: { layings: readonly Laying[] }) {
  const whole = wholeDiscs(layings, SET_120);
  return (
    <>
      <Ground layings={layings} />
      {layings.map((laying) => (
        <Domino key={laying.tile} laying={laying} set={SET_120} whole={whole} />
      ))}
      {withSymbols() && <WholeSymbols whole={whole} />}
    </>
  );
}

/** A disc as JSON has it. */
type Written = readonly number[];

/** The group with a disc. */
export const group = ([x = 0, y = 0]: Written, layings: readonly Laying[]): Disc[] =>
  groupAt([x, y], discColours(layings, SET_120));

/** A pawn on a disc: a mark, a marker. */
export function Pawn({ at: [x = 0, y = 0], seat }: { at: Written; seat: number }) {
  return (
    <g
      class={`seat-${seat}`}
      fill="var(--seat)"
      stroke="var(--white)"
      stroke-width={5}
      transform={`translate(${50 * x} ${50 * y})`}
    >
      <path d="M-26 24C-24 4 -12 2 -9 -8A17 17 0 1 1 9 -8C12 2 24 4 26 24Z" />
    </g>
  );
}

export function Bubble({
  text,
  at,
  seat,
  tail = 1,
}: {
  text: string;
  at: readonly [number, number];
  seat: number;
  tail?: 1 | -1;
}) {
  return (
    <g class={`seat-${seat}`} fill="var(--seat)" transform={`translate(${at[0]} ${at[1]})`}>
      <path d={`M${tail * -10} 30L${tail * -34} 66L${tail * 22} 32Z`} />
      <rect x={-58} y={-40} width={116} height={78} rx={36} stroke="var(--white)" stroke-width={5} />
      <text y={18} text-anchor="middle" fill="var(--white)" font-size={54} font-weight="var(--display)">
        {text}
      </text>
    </g>
  );
}

/** Dominoes as a picture that grows with the page and prints: no camera, no pointer. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { TileSet } from "../data.ts";
import { bounds, type Laying, printLaying } from "../geometry.ts";
import type { Frame } from "../state/placer.ts";
import { withSymbols } from "../state/settings.ts";
import { FrameLayer, GroupLine, type Marked, Outlined } from "./board.tsx";
import { Domino, wholeDiscs, WholeSymbols } from "./domino.tsx";

export interface PictureProps {
  set: TileSet;
  layings: readonly Laying[];
  label: string;
  frame?: Frame;
  last?: readonly Laying[];
  staged?: readonly Laying[];
  groups?: readonly Marked[];
  /** Cells that are shown round everything. */
  margin?: number;
  children?: ComponentChildren;
}

export function Picture({ set, layings, label, frame, last, staged, groups, margin = 0.25, children }: PictureProps) {
  const whole = useMemo(() => wholeDiscs(layings, set), [layings, set]);
  const { left, top, right, bottom } = frame ? { left: 0, top: 0, right: frame.width, bottom: frame.height } : bounds(layings);
  const box = [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin].map((n) => 100 * n);
  return (
    <svg class="picture" viewBox={box.join(" ")} role="img" aria-label={label}>
      {frame && <FrameLayer frame={frame} />}
      {layings.map((laying) => (
        <g key={printLaying(laying)} class="domino" data-laying={printLaying(laying)}>
          <Domino laying={laying} set={set} whole={whole} />
        </g>
      ))}
      {withSymbols() && <WholeSymbols whole={whole} />}
      {last?.map((laying) => <Outlined key={printLaying(laying)} laying={laying} kind="last" />)}
      {staged?.map((laying) => <Outlined key={printLaying(laying)} laying={laying} kind="staged" />)}
      {groups?.map((group, i) => <GroupLine key={i} group={group} />)}
      {children}
    </svg>
  );
}

/** Dominoes as a picture that grows with the page and prints: no camera, no pointer. */
import type { ComponentChildren } from "preact";
import { boxOf, LaidDominoes, type LaidProps } from "./board.tsx";

interface PictureProps extends LaidProps {
  label: string;
  children?: ComponentChildren;
}

/** Cells that are shown round everything. */
const MARGIN = 0.25;

export function Picture({ label, children, ...lying }: PictureProps) {
  const { left, top, right, bottom } = boxOf(lying);
  const box = [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN].map((n) => 100 * n);
  return (
    <svg class="picture" viewBox={box.join(" ")} role="img" aria-label={label}>
      <LaidDominoes {...lying} />
      {children}
    </svg>
  );
}

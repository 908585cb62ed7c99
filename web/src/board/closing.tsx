/** A group that was just closed: its discs light up one after the other, and its number grows. */
import type { Colour } from "../data.ts";
import type { Disc } from "../geometry.ts";
import { Shining } from "./domino.tsx";
import { GroupLine } from "./lines.tsx";
import { useCounting } from "./motion.ts";

export function GroupJustClosed({ discs, colour }: { discs: readonly Disc[]; colour: Colour }) {
  const lit = Math.ceil(useCounting(discs.length, 0));
  return (
    <g class="closed-group">
      <Shining discs={discs.slice(0, lit).map((disc) => ({ disc, colour }))} />
      <GroupLine group={{ discs, label: String(lit), kind: "closed" }} />
    </g>
  );
}

/** The dominoes of the turn that the log points at, as far as they lie there. */
import { Outlined } from "../board/lines.tsx";
import { type Laying, printLaying } from "../geometry.ts";
import type { TurnLine } from "../state/turn-lines.ts";

export function Pointed({ line, among }: { line: TurnLine | null; among: readonly Laying[] }) {
  if (!line) return null;
  return (
    <g class="pointed">
      {among
        .filter((laying) => line.layings.includes(printLaying(laying)))
        .map((laying) => (
          <Outlined key={printLaying(laying)} laying={laying} kind="pointed" />
        ))}
    </g>
  );
}

/**
 * What makes dominoes lie on a table: their shadow on it, and the side that is seen of them.
 *
 * However many there are, it is one path of shadows and one of sides, all of them below all faces: so no domino throws
 * its shadow on another one, and a side is seen only where nothing lies before it.
 */
import { SHAPES } from "../data.ts";
import type { Laying } from "../geometry.ts";
import { settings } from "../state/settings.ts";
import { rectangle, WOOD } from "./outline.ts";

type Lying = Pick<Laying, "x" | "y" | "rotation">;

/** Where its side is seen, and where its shadow falls, in units: light comes from above at the left. */
const [SIDE, SHADOW] = [[0, 7], [3, 9]] as const;

/** Path data of the woods of some layings, moved. */
function woods(layings: readonly Lying[], [right, down]: readonly [number, number]): string {
  const round = SHAPES[settings.shape.value].corner;
  return layings.map((laying) => {
    const { x, y, width, height } = rectangle(laying, WOOD);
    const [w, h] = [width - 2 * round, height - 2 * round];
    const arc = (dx: number, dy: number) => `a${round} ${round} 0 0 1 ${dx * round} ${dy * round}`;
    return `M${x + round + right} ${y + down}h${w}${arc(1, 1)}v${h}${arc(-1, 1)}h${-w}${arc(-1, -1)}v${-h}${arc(1, -1)}z`;
  }).join("");
}

export function Ground({ layings, kind = "" }: { layings: readonly Lying[]; kind?: string }) {
  if (!layings.length) return null;
  const shadow = woods(layings, SHADOW);
  return (
    <g class={`ground ${kind}`}>
      <path class="shade far" d={shadow} />
      <path class="shade near" d={shadow} />
      <path class="shade" d={shadow} />
      <path class="thick" d={woods(layings, SIDE)} />
    </g>
  );
}

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
const [SIDE, SHADOW] = [
  [0, 7],
  [3, 9],
] as const;

/** Path data of the woods of some layings, moved. */
function woods(layings: readonly Lying[], [right, down]: readonly [number, number]): string {
  const round = SHAPES[settings.shape.value].corner;
  return layings
    .map((laying) => {
      const { x, y, width, height } = rectangle(laying, WOOD);
      const [w, h] = [width - 2 * round, height - 2 * round];
      const arc = (dx: number, dy: number) => `a${round} ${round} 0 0 1 ${dx * round} ${dy * round}`;
      return `M${x + round + right} ${y + down}h${w}${arc(1, 1)}v${h}${arc(-1, 1)}h${-w}${arc(-1, -1)}v${-h}${arc(1, -1)}z`;
    })
    .join("");
}

/**
 * A shadow is soft by three strokes, each drawn once for the whole table; the higher the domino, the wider they are.
 */
const SOFT = { lying: [30, 17, 6], lifted: [48, 26, 6] };

export function Ground({ layings, lifted }: { layings: readonly Lying[]; lifted?: boolean }) {
  if (!layings.length) return null;
  const shadow = woods(layings, SHADOW);
  return (
    <g class="ground">
      {SOFT[lifted ? "lifted" : "lying"].map((width) => (
        <path key={width} d={shadow} fill="none" stroke="var(--shade)" stroke-width={width} />
      ))}
      <path d={woods(layings, SIDE)} fill="var(--seam)" stroke="var(--edge)" stroke-width={1.2} />
    </g>
  );
}

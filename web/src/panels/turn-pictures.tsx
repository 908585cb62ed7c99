/** The dominoes of a turn where they would lie: for each of them the table around it, pale. */
import { Domino, FacePicture } from "../board/domino.tsx";
import { Outlined } from "../board/lines.tsx";
import { memo } from "../board/memo.ts";
import type { TileSet } from "../data.ts";
import { cellsOf, centre, type Laying, printLaying } from "../geometry.ts";
import { faceInWords, placeInWords } from "../words.ts";
import { withSemicolons } from "../i18n.ts";

/** Cells that are seen in each direction from the middle of a domino. */
const REACH_CELLS = 2.1;

interface Props {
  layings: readonly Laying[];
  /** The layings before the turn. */
  table: readonly Laying[];
  set: TileSet;
}

export const TurnPictures = memo(
  function TurnPictures({ layings, table, set }: Props) {
    return (
      <span class="row tied">
        {layings.map((laying, i) => (
          <Around key={printLaying(laying)} laying={laying} before={layings.slice(0, i)} table={table} set={set} />
        ))}
      </span>
    );
  },
  (a, b) =>
    a.table === b.table && a.set === b.set && a.layings.map(printLaying).join() === b.layings.map(printLaying).join(),
);

function Around({
  laying,
  before,
  table,
  set,
}: {
  laying: Laying;
  before: readonly Laying[];
  table: readonly Laying[];
  set: TileSet;
}) {
  const [x, y] = centre(laying).map((half) => half / 2) as [number, number];
  const near = (one: Laying) =>
    cellsOf(one).some(
      ([u, v]) => Math.abs(u + 0.5 - x) < REACH_CELLS + 0.5 && Math.abs(v + 0.5 - y) < REACH_CELLS + 0.5,
    );
  return (
    <svg
      class="turn-picture"
      viewBox={[x - REACH_CELLS, y - REACH_CELLS, 2 * REACH_CELLS, 2 * REACH_CELLS]
        .map((cells) => 100 * cells)
        .join(" ")}
      role="img"
      aria-label={withSemicolons([faceInWords(laying.tile, laying.side, set), placeInWords(laying)])}
    >
      <g opacity={0.45}>
        {table.filter(near).map((one) => (
          <Domino key={printLaying(one)} laying={one} set={set} />
        ))}
      </g>
      {before.filter(near).map((one) => (
        <Domino key={printLaying(one)} laying={one} set={set} />
      ))}
      <Domino laying={laying} set={set} />
      <Outlined laying={laying} kind="staged" />
    </svg>
  );
}

/** The dominoes of a turn by themselves, each as it lies. */
export function LaidFaces({ layings, set }: { layings: readonly Laying[]; set: TileSet }) {
  return (
    <span class="row laid-faces">
      {layings.map((laying) => (
        <FacePicture
          key={printLaying(laying)}
          tile={laying.tile}
          side={laying.side}
          rotation={laying.rotation}
          set={set}
          label={faceInWords(laying.tile, laying.side, set)}
        />
      ))}
    </span>
  );
}

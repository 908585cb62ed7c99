/** Dominoes that only lie there: both faces of each. */
import { FacePicture } from "../board/domino.tsx";
import type { TileSet } from "../data.ts";
import { faceInWords } from "../words.ts";

/** Both faces of a domino, with words for ears. */
export function BothFaces({ tile, set }: { tile: string; set: TileSet }) {
  return (
    <>
      <FacePicture tile={tile} side="+" set={set} label={faceInWords(tile, "+", set)} />
      <FacePicture tile={tile} side="-" set={set} label={faceInWords(tile, "-", set)} />
    </>
  );
}

export function Faces({ tiles, set, kind, label }: { tiles: readonly string[]; set: TileSet; kind: string; label?: string }) {
  return (
    <ul class={kind} aria-label={label}>
      {tiles.map((tile) => <li key={tile} title={tile}><BothFaces tile={tile} set={set} /></li>)}
    </ul>
  );
}

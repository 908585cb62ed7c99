/** A domino as a design prints it; unlike those on the table it does not follow the settings. */
import { place } from "../board/paths.ts";
import { COLOURS, PALETTES, PIECES, SET_120, SHAPES, type ShapeName } from "../data.ts";

const FACE = SET_120.face("ZRYGB", "+");

export function DesignPicture({ design }: { design: string }) {
  const [shapeName, ground] = design.split("-") as [ShapeName, string];
  const { paints } = PALETTES[ground === "original" ? "original" : "classic"];
  const shape = SHAPES[shapeName];
  return (
    <svg class="design-picture" viewBox="0 0 200 100" aria-hidden="true">
      <rect width="200" height="100" fill={ground === "black" ? PIECES.black.body : "#fff"} />
      {COLOURS.map((colour) => (
        <g key={colour} fill={paints[colour]}>
          {shape.parts.map((part, i) => FACE[i] === colour && <path key={i} d={place(part, 0, 0)} />)}
          {shape.links.map(
            ([a, b, link], i) => FACE[a] === colour && FACE[b] === colour && <path key={i} d={place(link, 0, 0)} />,
          )}
        </g>
      ))}
    </svg>
  );
}

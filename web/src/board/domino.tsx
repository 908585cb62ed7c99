/** One domino as SVG: its wood, its discs by colour, and their symbols. */
import { COLOURS, type Colour, type Outline, SHAPES, SYMBOLS, type TileSet } from "../data.ts";
import { centre, type Disc, type Half, halves, type Laying, key, STEPS } from "../geometry.ts";
import { settings, withSymbols } from "../state/settings.ts";
import { Ground } from "./ground.tsx";
import { rectangle, WOOD } from "./outline.ts";
import { place, short } from "./paths.ts";
import { faceInWords } from "../words.ts";
import { itemAt } from "../values.ts";

const WHOLE_SYMBOL = 1.55;
const HALF_SYMBOL = 0.98;
const SYMBOL_INSET = 18.5;

/** How far inside a wood its lit edge is. */
const EDGE = 1.5;

/** Where the origin of a face goes when it is turned about the middle of its first half. */
const TURNED = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
] as const;

/** A face lying flat, 200 x 100 units, or turned by quarter-turns and moved by cells like a laying. */
export function Face({
  face,
  rotation = 0,
  x = 0,
  y = 0,
}: { face: string } & Partial<Pick<Laying, "rotation" | "x" | "y">>) {
  const shape = SHAPES[settings.shape.value];
  const [dx, dy] = itemAt(TURNED, rotation);
  const wood = rectangle({ rotation, x, y }, WOOD);
  const path = (outline: Outline) => place(outline, 100 * x + dx, 100 * y + dy, 1, rotation);
  return (
    <g>
      <rect class="wood" {...wood} rx={shape.corner} />
      <path class="lit" d={upperEdge(wood, shape.corner)} />
      {COLOURS.filter((colour) => face.includes(colour)).map((colour) => {
        const parts = shape.parts.filter((_, part) => face[part] === colour);
        const links = shape.links.filter(([a, b]) => face[a] === colour && face[b] === colour);
        // Links lie over discs: in one path with them, the overlap could be a hole.
        return [parts.map(path).join(""), ...links.map(([, , link]) => path(link))].map((d) => (
          <path key={d} class={colour} d={d} />
        ));
      })}
    </g>
  );
}

/** Where light from above falls on a wood: along its left and its upper edge. */
function upperEdge({ x, y, width, height }: ReturnType<typeof rectangle>, corner: number): string {
  return `M${short(x + EDGE)} ${short(y + height - corner)}v${short(2 * corner - height)}q0 ${EDGE - corner} ${corner - EDGE} ${EDGE - corner}h${short(width - 2 * corner)}`;
}

interface Sign {
  colour: Colour;
  at: readonly [number, number];
  scale: number;
}

export function ColourSymbol({ colour, at, scale }: Sign) {
  return <path class={`ink-${colour}`} d={place(SYMBOLS[colour], ...at, scale)} />;
}

/** Symbols that do not overlap, however many: one path for each colour. */
function Symbols({ signs }: { signs: readonly Sign[] }) {
  return (
    <g>
      {COLOURS.map((one) => {
        const paths = signs
          .filter(({ colour }) => colour === one)
          .map(({ at, scale }) => place(SYMBOLS[one], ...at, scale));
        return paths.length > 0 && <path key={one} class={`ink-${one}`} d={paths.join("")} />;
      })}
    </g>
  );
}

/** A laid domino. Symbols are upright in every rotation; `whole` discs get theirs elsewhere. */
export function Domino({ laying, set, whole }: { laying: Laying; set: TileSet; whole?: ReadonlyMap<string, unknown> }) {
  const face = set.face(laying.tile, laying.side);
  return (
    <>
      <Face face={face} rotation={laying.rotation} x={laying.x} y={laying.y} />
      {withSymbols() && <LayingSymbols laying={laying} set={set} whole={whole} />}
    </>
  );
}

function LayingSymbols({ laying, set, whole }: { laying: Laying; set: TileSet; whole?: ReadonlyMap<string, unknown> }) {
  const colour = set.face(laying.tile, laying.side)[0] as Colour;
  const signs: Sign[] = [{ colour, at: middle(centre(laying)), scale: WHOLE_SYMBOL }];
  for (const { disc, direction, colour: half } of halves(laying, set)) {
    if (whole?.has(key(disc))) continue;
    const [x, y] = middle(disc);
    const [dx, dy] = itemAt(STEPS, direction);
    signs.push({ colour: half, at: [x - dx * SYMBOL_INSET, y - dy * SYMBOL_INSET], scale: HALF_SYMBOL });
  }
  return <Symbols signs={signs} />;
}

const middle = ([x, y]: Disc) => [50 * x, 50 * y] as const;

/** Discs that two dominoes share, with their colour. */
export function wholeDiscs(layings: readonly Laying[], set: TileSet): Map<string, { disc: Disc; colour: Colour }> {
  const seen = new Set<string>();
  const whole = new Map<string, { disc: Disc; colour: Colour }>();
  for (const laying of layings) {
    for (const { disc, colour } of halves(laying, set)) {
      if (seen.has(key(disc))) whole.set(key(disc), { disc, colour });
      seen.add(key(disc));
    }
  }
  return whole;
}

export function WholeSymbols({ whole }: { whole: ReadonlyMap<string, { disc: Disc; colour: Colour }> }) {
  return (
    <Symbols
      signs={[...whole.values()].map(({ disc, colour }) => ({ colour, at: middle(disc), scale: WHOLE_SYMBOL }))}
    />
  );
}

/** How much larger the light behind a disc is. */
const LIGHT = 1.14;

/** Discs that a laying completes, whole and bright. */
export function Shining({
  discs,
  kind = "shining",
}: {
  discs: readonly Pick<Half, "disc" | "colour">[];
  kind?: string;
}) {
  // The first part of a face is its central disc: a whole one.
  const [whole] = SHAPES[settings.shape.value].parts;
  const path = ([x, y]: Disc, scale: number) => place(whole!, 50 * x - 100 * scale, 50 * y - 50 * scale, scale);
  return (
    <g class={kind}>
      {discs.map(({ disc, colour }) => (
        <g key={key(disc)}>
          <path class="light" fill="var(--white)" stroke="var(--ink)" stroke-width={3} d={path(disc, LIGHT)} />
          <path class={colour} d={path(disc, 1)} />
        </g>
      ))}
      {withSymbols() && (
        <Symbols signs={discs.map(({ disc, colour }) => ({ colour, at: middle(disc), scale: WHOLE_SYMBOL }))} />
      )}
    </g>
  );
}

/** How far a disc reaches along an edge from its middle: the half-disc at the left end begins there. */
export function reach(): number {
  const [[, , bottom]] = SHAPES[settings.shape.value].parts[1] as [["M", number, number], ...Outline];
  return bottom - 50;
}

/** A face by itself, as in a hand; its size comes from the style sheet, and its shadow lies around it. */
export function FacePicture({
  tile,
  side,
  set,
  label,
  rotation = 0,
}: {
  tile: string;
  side: "+" | "-";
  set: TileSet;
  label?: string;
  rotation?: number;
}) {
  const laying: Laying = { tile, side, rotation, x: 0, y: 0 };
  const { x, y, width, height } = rectangle(laying, 2);
  return (
    <svg
      class="face"
      viewBox={`${x} ${y} ${width} ${height}`}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
    >
      <Ground layings={[laying]} />
      <Domino laying={laying} set={set} />
    </svg>
  );
}

/** Both faces of a domino, with words for ears. */
export function BothFaces({ tile, set }: { tile: string; set: TileSet }) {
  return (
    <>
      <FacePicture tile={tile} side="+" set={set} label={faceInWords(tile, "+", set)} />
      <FacePicture tile={tile} side="-" set={set} label={faceInWords(tile, "-", set)} />
    </>
  );
}

export function Faces({
  tiles,
  set,
  kind,
  label,
}: {
  tiles: readonly string[];
  set: TileSet;
  kind: string;
  label?: string;
}) {
  return (
    <ul class={kind} aria-label={label}>
      {tiles.map((tile) => (
        <li key={tile} title={tile}>
          <BothFaces tile={tile} set={set} />
        </li>
      ))}
    </ul>
  );
}

/** One domino as SVG: its wood, its discs by colour, and their symbols. */
import { COLOURS, type Colour, SHAPES, type ShapeName, SYMBOLS, type TileSet } from "../data.ts";
import { centre, type Disc, halves, type Laying, key, STEPS } from "../geometry.ts";
import { settings, withSymbols } from "../state/settings.ts";

const GAP = 1.3;
const WHOLE_SYMBOL = 1.55;
const HALF_SYMBOL = 0.98;
const SYMBOL_INSET = 18.5;

const paths = new Map<string, [Colour, string][]>();

/** Path data of a face lying flat, for each of its colours. */
function facePaths(face: string, shapeName: ShapeName): [Colour, string][] {
  const name = `${shapeName} ${face}`;
  let found = paths.get(name);
  if (!found) {
    const shape = SHAPES[shapeName];
    found = [];
    for (const colour of COLOURS) {
      const parts = shape.parts.filter((_, part) => face[part] === colour).join("");
      // Links lie over discs: in one path with them, the overlap could be a hole.
      const links = shape.links.filter(([a, b]) => face[a] === colour && face[b] === colour);
      if (parts) found.push([colour, parts]);
      for (const [, , link] of links) found.push([colour, link]);
    }
    paths.set(name, found);
  }
  return found;
}

/** A face lying flat, 200 x 100 units; place and turn it with `transform`. */
export function Face({ face, transform }: { face: string; transform?: string }) {
  const shape = settings.shape.value;
  return (
    <g transform={transform}>
      <rect class="wood" x={GAP} y={GAP} width={200 - 2 * GAP} height={100 - 2 * GAP} rx={SHAPES[shape].corner} />
      {facePaths(face, shape).map(([colour, path], i) => <path key={i} class={colour} d={path} />)}
    </g>
  );
}

export function Symbol({ colour, at, scale }: { colour: Colour; at: readonly [number, number]; scale: number }) {
  return <path class={`ink-${colour}`} d={SYMBOLS[colour]} transform={`translate(${at[0]} ${at[1]}) scale(${scale})`} />;
}

/** How a laying is placed and turned: about the middle of its first half. */
export function placed({ x, y, rotation }: Laying): string {
  return `translate(${100 * x} ${100 * y})${rotation ? ` rotate(${90 * rotation} 50 50)` : ""}`;
}

/** A laid domino. Symbols are upright whatever way it lies; `whole` discs get theirs elsewhere. */
export function Domino({ laying, set, whole }: { laying: Laying; set: TileSet; whole?: ReadonlyMap<string, unknown> }) {
  const face = set.face(laying.tile, laying.side);
  return (
    <>
      <Face face={face} transform={placed(laying)} />
      {withSymbols() && <LayingSymbols laying={laying} set={set} whole={whole} />}
    </>
  );
}

function LayingSymbols({ laying, set, whole }: { laying: Laying; set: TileSet; whole?: ReadonlyMap<string, unknown> }) {
  const [x, y] = centre(laying);
  const colour = set.face(laying.tile, laying.side)[0] as Colour;
  return (
    <g>
      <Symbol colour={colour} at={[50 * x, 50 * y]} scale={WHOLE_SYMBOL} />
      {halves(laying, set)
        .filter(({ disc }) => !whole?.has(key(disc)))
        .map(({ disc, direction, colour: half }) => {
          const [dx, dy] = STEPS[direction]!;
          const at = [50 * disc[0] - dx * SYMBOL_INSET, 50 * disc[1] - dy * SYMBOL_INSET] as const;
          return <Symbol key={key(disc)} colour={half} at={at} scale={HALF_SYMBOL} />;
        })}
    </g>
  );
}

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
    <g>
      {[...whole.values()].map(({ disc, colour }) => (
        <Symbol key={key(disc)} colour={colour} at={[50 * disc[0], 50 * disc[1]]} scale={WHOLE_SYMBOL} />
      ))}
    </g>
  );
}

/** A face by itself, as in a hand; its size comes from the style sheet. */
export function FacePicture({ tile, side, set, label }: { tile: string; side: "+" | "-"; set: TileSet; label?: string }) {
  const laying: Laying = { tile, side, rotation: 0, x: 0, y: 0 };
  return (
    <svg class="face" viewBox="-2 -2 204 104" role={label ? "img" : undefined} aria-label={label} aria-hidden={label ? undefined : "true"}>
      <Domino laying={laying} set={set} />
    </svg>
  );
}

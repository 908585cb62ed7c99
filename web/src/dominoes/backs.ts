/** How the dominoes are made: complementary colours, and the way from a front to its back (docs/tiles.md). */
import { type Colour, TILES, type Tile } from "../data.ts";
import { requireValue } from "../values.ts";

export type Pair = readonly [Colour, Colour];

/** The two pairs of complementary colours of a domino: its name contains a, b, c and d. */
export function pairsOf({ name }: Tile): [Pair, Pair] {
  const [a, b, c, d] = [...name.slice(1)] as [Colour, Colour, Colour, Colour];
  return [
    [a, c],
    [b, d],
  ];
}

/** The pairs of a pile, which all its dominoes share. */
export function pairsOfPile(pile: number): [Pair, Pair] {
  return pairsOf(
    requireValue(
      TILES.find((tile) => tile.pile === pile),
      `a domino of pile ${pile}`,
    ),
  );
}

/** A face as a mirror shows it, C W NW NE E SE SW: left and right change places. */
export function mirrorFace(face: string): string {
  const [centre, west, northwest, northeast, east, southeast, southwest] = face;
  return [centre, east, northeast, northwest, west, southwest, southeast].join("");
}

/** A face with the colours of each pair exchanged. */
export function exchangeColours(face: string, pairs: readonly Pair[]): string {
  const other = new Map(
    pairs.flatMap(
      ([one, two]) =>
        [
          [one, two],
          [two, one],
        ] as const,
    ),
  );
  return [...face].map((colour) => other.get(colour as Colour)).join("");
}

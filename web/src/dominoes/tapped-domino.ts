/** A domino that is tapped in, colour by colour: first its front, then its back. */
import type { Colour } from "../data.ts";
import { itemAt } from "../values.ts";
import { FACE_LENGTH, printSet, readSet, type SetRow } from "../state/set-file.ts";
import { exchangeColours, mirrorFace } from "./backs.ts";

/** The colours so far: those of the front, then those of the back. */
export type TappedColours = string;

export const isWholeFace = (colours: TappedColours): boolean => colours.length === FACE_LENGTH;
export const isWholeDomino = (colours: TappedColours): boolean => colours.length === 2 * FACE_LENGTH;

/** The front as far as it is entered, and the back. */
export const facesOf = (colours: TappedColours): [front: string, back: string] => [
  colours.slice(0, FACE_LENGTH),
  colours.slice(FACE_LENGTH),
];

/**
 * The back that the author's dominoes have: a mirror image in complementary colours. Null for a front whose half-discs
 * do not show three, two (with the centre) and one of three colours.
 */
export function deriveBack(front: string): string | null {
  const count = (colour: Colour) => [...front.slice(1)].filter((one) => one === colour).length;
  const colours: Colour[] = ["R", "Y", "G", "B"];
  const [a, b, c, d] = [3, 2, 1, 0].map((many) => colours.filter((colour) => count(colour) === many));
  const isUsual = [a, b, c, d].every((found) => found?.length === 1) && front[0] === b?.[0];
  if (!isUsual || !a || !b || !c || !d) return null;
  return exchangeColours(mirrorFace(front), [
    [itemAt(a, 0), itemAt(c, 0)],
    [itemAt(b, 0), itemAt(d, 0)],
  ]);
}

/** A set with one more domino, whose name is the next free number; unchanged while the text is not a set. */
export function addDomino(text: string, colours: TappedColours): string {
  const found = readSet(text);
  const isEmpty = "trouble" in found && found.trouble.reason === "empty";
  if ("trouble" in found && !isEmpty) return text;
  const rows: readonly SetRow[] = "rows" in found ? found.rows : [];
  const names = new Set(rows.map(({ name }) => name));
  let number = rows.length + 1;
  while (names.has(String(number))) number += 1;
  const [recto, verso] = facesOf(colours);
  return printSet([...rows, { name: String(number), recto, verso }]);
}

/** A set of dominoes of one's own as a file: a list in CSV or JSON (docs/tiles.md); and what is known of it. */
import { COLOURS, type Colour, type Tile } from "../data.ts";

export const MAX_DOMINOES = 120;
export const FACE_LENGTH = 7;
const MAX_DOMINO_NAME_LENGTH = 20;
const COLUMNS = ["name", "recto", "verso"] as const;

/** A domino of an online table with a set of its own. */
export type SetRow = Pick<Tile, (typeof COLUMNS)[number]>;

/** Why a file is no set, and in which line, or at which domino of a JSON list. */
export interface SetTrouble {
  readonly reason: "columns" | "name" | "face" | "twice" | "empty" | "many" | "json";
  readonly line: number;
}

export type SetFile = { readonly rows: readonly SetRow[] } | { readonly trouble: SetTrouble };

const FACE = new RegExp(`^[${COLOURS.join("")}]{${FACE_LENGTH}}$`);
const NAME = new RegExp(`^[A-Za-z0-9]{1,${MAX_DOMINO_NAME_LENGTH}}$`);

interface Candidate {
  readonly line: number;
  readonly values: Partial<Record<string, unknown>>;
}

/** Read a file; the first mistake is its trouble. */
export function readSet(text: string): SetFile {
  const found = /^\s*\[/.test(text) ? readJson(text) : readCsv(text);
  if ("trouble" in found) return found;
  const rows: SetRow[] = [];
  const names = new Set<unknown>();
  for (const { line, values } of found.candidates) {
    const { name, recto, verso } = values;
    const isFace = (face: unknown): face is string => typeof face === "string" && FACE.test(face);
    if (typeof name !== "string" || !NAME.test(name)) return { trouble: { reason: "name", line } };
    if (names.has(name)) return { trouble: { reason: "twice", line } };
    if (!isFace(recto) || !isFace(verso)) return { trouble: { reason: "face", line } };
    names.add(name);
    rows.push({ name, recto, verso });
    if (rows.length > MAX_DOMINOES) return { trouble: { reason: "many", line } };
  }
  return rows.length ? { rows } : { trouble: { reason: "empty", line: 1 } };
}

type Candidates = { readonly candidates: readonly Candidate[] } | { readonly trouble: SetTrouble };

function readJson(text: string): Candidates {
  try {
    const list = JSON.parse(text) as unknown[];
    return { candidates: list.map((values, i) => ({ line: i + 1, values: (values ?? {}) as Candidate["values"] })) };
  } catch {
    return { trouble: { reason: "json", line: 1 } };
  }
}

function readCsv(text: string): Candidates {
  const lines = text.split(/\r?\n/).map((line, i) => ({ number: i + 1, cells: line.split(/[,;\t]/).map(unquote) }));
  const [head, ...others] = lines.filter(({ cells }) => cells.some(Boolean));
  if (!head) return { candidates: [] };
  const places = COLUMNS.map((column) => head.cells.indexOf(column));
  if (places.includes(-1)) return { trouble: { reason: "columns", line: head.number } };
  return {
    candidates: others.map(({ number, cells }) => ({
      line: number,
      values: Object.fromEntries(COLUMNS.map((column, i) => [column, cells[places[i] ?? -1]])),
    })),
  };
}

const unquote = (cell: string): string =>
  cell
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^\ufeff/, "");

export const printSet = (rows: readonly SetRow[]): string =>
  [COLUMNS.join(","), ...rows.map(({ name, recto, verso }) => `${name},${recto},${verso}`)].join("\n");

/** With the pile of each domino: on both faces, blue and its partner make four halves, the centre as two. */
export const toTiles = (rows: readonly SetRow[]): Tile[] => rows.map((row) => ({ ...row, pile: findPile(row) }));

/** The partners of blue, by pile. */
const PARTNERS: readonly Colour[] = ["Y", "R", "G"];

function findPile({ recto, verso }: SetRow): number | null {
  const pile = PARTNERS.findIndex((partner) =>
    [recto, verso].every((face) => countHalves(face, "B") + countHalves(face, partner) === 4),
  );
  return pile < 0 ? null : pile + 1;
}

/** The halves of a colour on a face: the central disc has two. */
const countHalves = (face: string, colour: Colour): number => [face[0], ...face].filter((one) => one === colour).length;

/** The facts that follow from the dominoes alone; the sixth needs a search. */
export const CHECKED_FACTS = [1, 2, 3, 4, 5] as const;

/** Whether each of these facts about the author's dominoes holds for a set (docs/tiles.md). */
export function checkFacts(rows: readonly SetRow[]): boolean[] {
  const tiles = toTiles(rows);
  const faces = tiles.flatMap(({ recto, verso }) => [recto, verso]);
  const looks = tiles.map(({ recto, verso }) => [recto, verso].map(lookOfFace).sort().join());
  const showing = (places: readonly string[]) =>
    tiles.filter(({ recto, verso }) => [recto, verso].some((face) => places.includes(figurePlaces(face))));
  const [pyramids, bridges] = [showing(["23", "56"]), showing(["14"])];
  return [
    tiles.length === MAX_DOMINOES
      && new Set(looks).size === tiles.length
      && COLOURS.every((colour) => faces.join("").includes(colour)),
    faces.every((face) => new Set(face.slice(1)).size === 3)
      && tiles.every(({ recto, verso }) => new Set(recto.slice(1) + verso.slice(1)).size === COLOURS.length),
    tiles.every(({ recto, verso }) =>
      COLOURS.every((colour) => countHalves(recto, colour) + countHalves(verso, colour) === 4),
    ),
    PARTNERS.every((_, i) => tiles.filter(({ pile }) => pile === i + 1).length === 40) && tiles.length === MAX_DOMINOES,
    pyramids.length === 24 && bridges.length === 24 && tiles.length - new Set([...pyramids, ...bridges]).size === 72,
  ];
}

/** A face and the same turned by half: whichever comes first. */
function lookOfFace(face: string): string {
  const turned = face.slice(0, 1) + face.slice(4) + face.slice(1, 4);
  return turned < face ? turned : face;
}

/** The half-discs in the colour of the centre: 1 to 6, clockwise from the left end. */
const figurePlaces = (face: string): string =>
  [...face].flatMap((colour, i) => (i && colour === face[0] ? [i] : [])).join("");

/** Data that the client has without a request, generated from Python: dominoes, outlines, palettes, games. */
import raw from "./data.json";

export type Colour = "R" | "Y" | "G" | "B";
export const COLOURS: readonly Colour[] = ["R", "Y", "G", "B"];

export interface Tile {
  name: string;
  recto: string;
  verso: string;
  /** 1 to 3: the pile of Arlequin it belongs to; null in a set of one's own. */
  pile: number | null;
}

/** Commands of path data: the first is the only `M`, all others are relative, and arcs are of circles. */
export type Outline = readonly (readonly [letter: string, ...numbers: number[]])[];

export interface Shape {
  /** The parts of a face lying flat (200 x 100 units), in the order of its letters. */
  parts: Outline[];
  /** Between two parts of one colour: `[part, part, outline]`. */
  links: [number, number, Outline][];
  /** Radius of the corners of the wood, in units. */
  corner: number;
}

export interface Option<
  Kind extends string = "number" | "switch" | "choice" | "text" | "pair" | "numbers" | "texts" | "set",
  Value = unknown,
> {
  name: string;
  kind: Kind;
  default: Value;
  /** In English; the options of our games have texts instead. */
  description?: string;
  least?: number;
  most?: number;
  choices?: (string | number)[];
  optional?: boolean;
}

/** What a menu says about a bot from another package. */
export interface GuestInfo {
  name: string;
  title: string;
  description: string;
}

/** What a menu says about a game. */
export interface GameInfo {
  name: string;
  /** The least and the greatest number of players. */
  players: [number, number];
  options: Option[];
  /** The programs that differ in strength, from the weakest to the strongest. */
  programs: string[];
  /** What its own package says, for a game from another package. */
  title?: string;
  description?: string;
  /** What each domino after the first costs, for a game from another package in which turns earn points. */
  charge?: number;
  /** Programs by others that this server has. */
  guests?: GuestInfo[];
}

/** What can be printed. */
export type PrintName =
  | "box"
  | "set"
  | "72"
  | "board"
  | "scores"
  | "extras"
  | "booklet"
  | "calibration"
  | "position"
  | "puzzle"
  | "solution";

/** One option of a print, as `dalapapa print` has it. */
export interface PrintOption extends Option<"choice" | "switch" | "number" | "pair" | "text", PrintValue> {
  /** The prints for which it matters, if not all. */
  of?: PrintName[];
  /** Defaults of prints that have another one than the rest. */
  default_of?: Partial<Record<PrintName, PrintValue>>;
}

type PrintValue = string | number | boolean | number[];

export type ShapeName = "rounds" | "squares" | "octagons";
export type PaletteName = keyof typeof raw.palettes;

interface Palette {
  paints: Record<Colour, string>;
  inks: Record<Colour, string>;
  needs_symbols: boolean;
}

const data = raw as unknown as {
  tiles: Tile[];
  shapes: Record<ShapeName, Shape>;
  symbols: Record<Colour, Outline>;
  palettes: Record<PaletteName, Palette>;
  pieces: Record<"black" | "white", { body: string; rim: string; seam: string }>;
  themes: Record<"light" | "dark", { cloth: string; grid: string; text: string }>;
  games: GameInfo[];
  /** The names of the bots. */
  cast: Readonly<Record<string, string>>;
  /** Column and row of the fields of the score track, from 1 to 60. */
  track: [number, number][];
  problems: {
    /** The grade of each day, Monday first. */
    week: number[];
    /** Columns and rows of the frames, by grade. */
    sizes: [number, number][];
    /** With another one, every day and seed has another problem. */
    version: number;
  };
};

export const { tiles: TILES, shapes: SHAPES, symbols: SYMBOLS, palettes: PALETTES } = data;
export const { pieces: PIECES, themes: THEMES, games: OURS, cast: CAST, problems: PROBLEMS, track: TRACK } = data;

/** The dominoes of a game by name: a standard set, or one that the table's options bring along. */
export class TileSet {
  readonly #byName: Map<string, Tile>;

  constructor(readonly tiles: readonly Tile[]) {
    this.#byName = new Map(tiles.map((tile) => [tile.name, tile]));
  }

  get(name: string): Tile {
    const tile = this.#byName.get(name);
    if (!tile) throw new Error(`There is no domino ${name}.`);
    return tile;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /**
   * The domino whose back has this name for some players: a column or an arrow of the standard set, by its other side.
   */
  frontOf(name: string): string | null {
    const front = name.length === 5 ? name[0] + name.slice(3) + name.slice(1, 3) : name;
    if (this.has(name) || !this.has(front)) return null;
    const [own, known] = [this.get(front), TILES.find((tile) => tile.name === front)];
    return known && own.recto === known.recto && own.verso === known.verso ? front : null;
  }

  /** The letters of the face that is up, in the order C W NW NE E SE SW. */
  face(name: string, side: "+" | "-"): string {
    const tile = this.get(name);
    return side === "+" ? tile.recto : tile.verso;
  }
}

export const SET_120 = new TileSet(TILES);
export const SET_72 = new TileSet(TILES.filter((tile) => !/^[PB]/.test(tile.name)));

/** The set that the option `set` of a table asks for. */
export function tileSet(choice: unknown): TileSet {
  if (choice === "72") return SET_72;
  if (Array.isArray(choice)) {
    return new TileSet(choice.map((row: Tile) => ({ ...row, pile: row.pile ?? null })));
  }
  return SET_120;
}

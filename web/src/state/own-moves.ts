/** The legal moves that only the game of a package has, by kind, and found by what is typed. */
import type { TileSet } from "../data.ts";
import { kindInWords, moveInWords } from "../games/package.ts";
import type { Move } from "../net/open.ts";
import type { GameTexts } from "../net/protocol.ts";
import { attribute, faceInWords } from "../words.ts";

/** Kinds of moves that every table has a button or the board for. */
const SHARED_KINDS: readonly string[] = ["lay", "undo", "pass", "end"];

export interface OwnKind {
  kind: string;
  label: string;
  help: string;
  /** In the order of the game. */
  moves: Move[];
}

/** A kind, and what is shown of its moves. */
export interface FoundKind extends OwnKind {
  found: { move: Move; text: string }[];
}

/** The kinds of moves that are legal now, in the order of the game. */
export function listOwnKinds(moves: readonly Move[], texts: GameTexts): OwnKind[] {
  const kinds = new Map<string, OwnKind>();
  for (const move of moves) {
    const { move: kind } = move;
    if (SHARED_KINDS.includes(kind)) continue;
    const known = kinds.get(kind);
    if (known) known.moves.push(move);
    else {
      const own = texts.moves && Object.hasOwn(texts.moves, kind) ? texts.moves[kind] : undefined;
      kinds.set(kind, { kind, label: kindInWords(kind, texts), help: own?.help ?? "", moves: [move] });
    }
  }
  return [...kinds.values()];
}

/** Whether a button makes the move at once: there is nothing to choose, and nothing to read before. */
export function isImmediate({ moves, help }: OwnKind): boolean {
  return moves.length === 1 && !help && !listFields(moves[0]!).length;
}

/** The moves with all the words that were typed, in their text or in the label of their kind. */
export function findMoves(
  kinds: readonly OwnKind[],
  typed: string,
  texts: GameTexts,
  names: readonly string[],
): FoundKind[] {
  const words = simplify(typed).split(/\s+/).filter(Boolean);
  return kinds
    .map((kind) => {
      const found = kind.moves
        .map((move) => ({ move, text: moveInWords(move, texts, names) }))
        .filter(({ move, text }) => {
          const searched = simplify([kind.label, text, ...listFields(move)].join(" "));
          return words.every((word) => searched.includes(word));
        });
      return { ...kind, found };
    })
    .filter(({ found }) => found.length > 0);
}

/** What a move has beside its player and its kind: a number is typed without the commas that its text has. */
function listFields({ move: _, player: __, ...fields }: Move): unknown[] {
  return Object.values(fields);
}

/** Without accents and capitals, which few people type. */
const simplify = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The dominoes that a move names, for their pictures. */
export function tilesOf(move: Move, set: TileSet): string[] {
  return listFields(move).filter((value): value is string => typeof value === "string" && set.has(value));
}

/** For ears: the text of a move, and the colours of the dominoes that it names. */
export function moveForEars(move: Move, text: string, set: TileSet): string {
  const faces = tilesOf(move, set).map((tile) => faceInWords(tile, "+", set));
  return faces.length ? attribute(text, faces.join(". ")) : text;
}

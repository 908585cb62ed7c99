/** A game of another package: the general game of turns, with the texts that its package brings. */
import { formatNumber, joinList } from "../i18n.ts";
import type { GameEvent, Move } from "../net/open.ts";
import type { GameTexts } from "../net/protocol.ts";
import { attribute, capital } from "../words.ts";
import type { GameKey, GameParts, EventSentence } from "./game.ts";

/** Fields that are shown of a move or an event without a text, and characters of a value. */
const MAX_FIELDS = 6;
const MAX_VALUE_LENGTH = 60;

/** To the moves that only the game has. */
const OWN_MOVES_KEY: GameKey = { keys: ["B", "M"], text: "key_own_moves" };

type Fields = Readonly<Record<string, unknown>>;

/** Where it differs from the general game. */
export function describePackage({ events = {} }: GameTexts): GameParts {
  const sentences = Object.entries(events).map(([kind, sentence]): [string, EventSentence] => [
    kind,
    (event, _, names) => fillFields(sentence, event, names) || null,
  ]);
  return {
    keys: [OWN_MOVES_KEY],
    // Before a player's first turn, what was drawn may go back: the view shows it.
    eventSentences: { went_back: () => null, ...Object.fromEntries(sentences) },
    otherSentence: (event, _, names) => describeEvent(event, names),
  };
}

/** An event that its game has no sentence for: its kind and its fields. */
function describeEvent({ event, player, ...fields }: GameEvent, names: readonly string[]): string {
  const said = [nameOf(event), ...parenthesize(describeFields(fields))].join(" ");
  const name = typeof player === "number" ? names[player] : undefined;
  return name === undefined ? capital(said) : attribute(name, said);
}

const parenthesize = (text: string): string[] => (text ? [`(${text})`] : []);

/** What a kind of move is called. */
export function kindInWords(kind: string, { moves = {} }: GameTexts): string {
  return Object.hasOwn(moves, kind) ? moves[kind]!.label : capital(nameOf(kind));
}

/** What one of several moves of a kind is called; the label of its kind if it has no fields. */
export function moveInWords(move: Move, texts: GameTexts, names: readonly string[]): string {
  const { moves = {} } = texts;
  const variant = Object.hasOwn(moves, move.move) ? moves[move.move]!.variant : undefined;
  if (variant) return fillFields(variant, move, names);
  const { move: kind, player: _, ...fields } = move;
  return capital(describeFields(fields)) || kindInWords(kind, texts);
}

/** A sentence with {fields} of a move or an event; the player of a seat is called by name. */
function fillFields(sentence: string, fields: Fields, names: readonly string[]): string {
  return sentence.replace(/\{(\w+)(:player)?\}/g, (whole, field: string, isSeat?: string) => {
    if (!Object.hasOwn(fields, field)) return whole;
    const value = fields[field];
    return isSeat || field === "player" ? (names[Number(value)] ?? "?") : valueInWords(value);
  });
}

/** "tile ZBGRY, count 3" */
function describeFields(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => [nameOf(name), valueInWords(value)] as const)
    .filter(([, value]) => value)
    .slice(0, MAX_FIELDS)
    .map((words) => words.join(" "))
    .join(", ");
}

/** A name that stands in a program: words with lines between them. */
const nameOf = (name: string): string => shorten(name).replaceAll("_", " ");

/** Nothing for what has no short form. */
function valueInWords(value: unknown): string {
  if (typeof value === "string") return shorten(value);
  if (typeof value === "number") return formatNumber(value).replace("-", "−");
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return joinList(value.slice(0, MAX_FIELDS).map(valueInWords).filter(Boolean));
  return "";
}

const shorten = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;

/** The score pad of the game with tokens, markers and a premium (rules 8). */
import { MAX_CONTACTS } from "../../../state/points.ts";
import { itemAt } from "../../../values.ts";
import { isGroupSize, isWithin, sumOf } from "../../numbers.ts";
import { findHighest, isDraftIndex, isPadBase, type PadBase } from "../pad-base.ts";

export const MAX_TOKEN_PLAYERS = 4;
/** In all, and for each player at the beginning. */
const [ALL_TOKENS, FIRST_TOKENS] = [24, 2];
export const REPLAY_TOKENS = 2;
export const PREMIUM_POINTS = 5;
const MARKERS: Readonly<Record<number, number>> = { 2: 12, 3: 8, 4: 6 };

export const MARKER_COLOURS = ["black", "brown", "beige", "orange"] as const;
export type MarkerColour = (typeof MARKER_COLOURS)[number];
const isMarkerColour = (value: unknown): value is MarkerColour => MARKER_COLOURS.includes(value as MarkerColour);

/** Whether stored data are colours of players, all different. */
export const areMarkerColours = (value: unknown): value is readonly MarkerColour[] =>
  Array.isArray(value) && value.every(isMarkerColour) && new Set(value).size === value.length;

/** One domino of a turn. */
export interface TokenLaying {
  /** 0 as long as it is not entered. */
  readonly contacts: number;
  /** The cells of each territory that was marked after it. */
  readonly marked: readonly number[];
}

/** Several dominoes if it was replayed; none is a pass. */
export type TokenTurn = readonly TokenLaying[];

export interface TokenPad extends PadBase {
  readonly kind: "tokens";
  /** Of the markers of each player. */
  readonly colours: readonly MarkerColour[];
  readonly turns: readonly TokenTurn[];
  /** The turn that is being entered or corrected, kept after every tap; null before the first one. */
  readonly draft: { readonly index: number; readonly turn: TokenTurn | null };
  /** Whether it has ended because the player to move has no domino. */
  readonly isStopped: boolean;
}

export interface TokenStanding {
  /** The cells of the marked territories, and the premium. */
  readonly scores: readonly number[];
  readonly curves: readonly (readonly number[])[];
  readonly tokens: readonly number[];
  readonly reserve: number;
  readonly markersLeft: readonly number[];
  /** Who has the premium. */
  readonly premium: number | null;
  /** How many last turns are to be played; null before the premium is taken. */
  readonly lastTurns: number | null;
  readonly counted: number;
  readonly ending: "premium" | "stopped" | null;
  readonly winners: readonly number[];
}

export const countMarkers = (players: number): number => MARKERS[players] ?? 0;

export function beginTokenPad(base: PadBase, colours: readonly MarkerColour[]): TokenPad {
  return { ...base, kind: "tokens", colours, turns: [], draft: { index: 0, turn: null }, isStopped: false };
}

/** What a laying brings: one connection costs a token, two are free, each further one earns one. */
export const tokensFor = (contacts: number): number => contacts - 2;

const countMarked = (turn: TokenTurn): number => sumOf(turn.map(({ marked }) => marked.length));
export const cellsOfTurn = (turn: TokenTurn): number => sumOf(turn.map(({ marked }) => sumOf(marked)));
export const isTokenPass = (turn: TokenTurn): boolean => turn.length === 0;

/** The changes of a player's tokens in a turn, one after the other, as far as the reserve goes. */
export function tokenChanges(turn: TokenTurn, reserve: number): number[] {
  const wanted = turn.flatMap(({ contacts }, i) => [
    ...(i ? [-REPLAY_TOKENS] : []),
    ...(contacts ? [tokensFor(contacts)] : []),
  ]);
  let left = reserve;
  return (isTokenPass(turn) ? [1] : wanted).map((change) => {
    const given = Math.min(change, left);
    left -= given;
    return given;
  });
}

/** Follow a game from its first turn. */
export function findTokenStanding({ names, turns, isStopped }: TokenPad): TokenStanding {
  const players = names.length;
  const scores = names.map(() => 0);
  const curves = names.map(() => [0]);
  const tokens = names.map(() => FIRST_TOKENS);
  const markersLeft = names.map(() => countMarkers(players));
  let reserve = ALL_TOKENS - FIRST_TOKENS * players;
  let premium: number | null = null;
  let lastTurns: number | null = null;
  let counted = 0;
  while (counted < turns.length && lastTurns !== 0) {
    const [turn, player] = [itemAt(turns, counted), counted % players];
    const change = sumOf(tokenChanges(turn, reserve));
    tokens[player] = itemAt(tokens, player) + change;
    reserve -= change;
    scores[player] = itemAt(scores, player) + cellsOfTurn(turn);
    markersLeft[player] = itemAt(markersLeft, player) - countMarked(turn);
    if (lastTurns !== null) lastTurns -= 1;
    else if (markersLeft[player] <= 0) {
      [premium, lastTurns] = [player, players - 1];
      scores[player] += PREMIUM_POINTS;
    }
    for (const [i, curve] of curves.entries()) curve.push(itemAt(scores, i));
    counted += 1;
  }
  const ending = lastTurns === 0 ? "premium" : isStopped ? "stopped" : null;
  const winners = ending ? findHighest(scores, [...names.keys()]) : [];
  return { scores, curves, tokens, reserve, markersLeft, premium, lastTurns, counted, ending, winners };
}

/** How a game stood before the turn that is drafted. */
export const findStandingBefore = (pad: TokenPad): TokenStanding =>
  findTokenStanding({ ...pad, turns: pad.turns.slice(0, pad.draft.index), isStopped: false });

/** How many markers the player has left in the turn that is drafted. */
export function findMarkersLeft(pad: TokenPad): number {
  const { index, turn } = pad.draft;
  return itemAt(findStandingBefore(pad).markersLeft, index % pad.names.length) - countMarked(turn ?? []);
}

const withTurn = (pad: TokenPad, turn: TokenTurn | null): TokenPad => ({ ...pad, draft: { ...pad.draft, turn } });

function changeLast(pad: TokenPad, change: (laying: TokenLaying) => TokenLaying): TokenPad {
  const turn = pad.draft.turn ?? [];
  const last = turn.at(-1) ?? { contacts: 0, marked: [] };
  return withTurn(pad, [...turn.slice(0, -1), change(last)]);
}

/** Enter the connections of the last domino; none is a pass, if it is the only one. */
export function enterContacts(pad: TokenPad, contacts: number): TokenPad {
  return contacts ? changeLast(pad, (laying) => ({ ...laying, contacts })) : withTurn(pad, []);
}

/** Mark a territory after the last domino, as long as the player has markers. */
export const markTerritory = (pad: TokenPad, cells: number): TokenPad =>
  findMarkersLeft(pad) > 0
    ? changeLast(pad, ({ contacts, marked }) => ({ contacts, marked: [...marked, cells] }))
    : pad;

export const unmarkTerritory = (pad: TokenPad, index: number): TokenPad =>
  changeLast(pad, ({ contacts, marked }) => ({ contacts, marked: marked.filter((_, i) => i !== index) }));

/** Another domino for two tokens; nothing may follow the last marker. */
export function canReplay(pad: TokenPad): boolean {
  const turn = pad.draft.turn ?? [];
  if (!turn.at(-1)?.contacts || findMarkersLeft(pad) <= 0) return false;
  return findTokensLeft(pad) >= REPLAY_TOKENS;
}

/** The tokens of the player, with the changes of the turn that is drafted. */
export function findTokensLeft(pad: TokenPad): number {
  const { tokens, reserve } = findStandingBefore(pad);
  const { index, turn } = pad.draft;
  return itemAt(tokens, index % pad.names.length) + (turn ? sumOf(tokenChanges(turn, reserve)) : 0);
}

export const replayTurn = (pad: TokenPad): TokenPad =>
  canReplay(pad) ? withTurn(pad, [...(pad.draft.turn ?? []), { contacts: 0, marked: [] }]) : pad;

export const undoReplay = (pad: TokenPad): TokenPad => withTurn(pad, (pad.draft.turn ?? []).slice(0, -1));

export const isTurnComplete = (turn: TokenTurn | null): turn is TokenTurn =>
  turn?.every(({ contacts }) => contacts > 0) ?? false;

export function enterTokenTurn(pad: TokenPad): TokenPad {
  const { index, turn } = pad.draft;
  if (!isTurnComplete(turn)) return pad;
  const turns = [...pad.turns.slice(0, index), turn, ...pad.turns.slice(index + 1)];
  return { ...pad, turns, draft: { index: turns.length, turn: null } };
}

export const editTokenTurn = (pad: TokenPad, index: number): TokenPad => ({
  ...pad,
  draft: { index, turn: pad.turns[index] ?? null },
});

/** Remove the last turn; it stays in the draft, so that nothing is lost by a wrong tap. */
export function removeLastTokenTurn(pad: TokenPad): TokenPad {
  const index = Math.max(0, pad.turns.length - 1);
  return { ...editTokenTurn(pad, index), turns: pad.turns.slice(0, index) };
}

/** Whether the tokens and markers of all turns can be: a correction may have taken away what a later turn paid. */
export function isTokenPadSound(pad: TokenPad): boolean {
  return pad.turns.every((_, i) => {
    const { tokens, markersLeft } = findTokenStanding({ ...pad, turns: pad.turns.slice(0, i + 1) });
    return Math.min(...tokens, ...markersLeft) >= 0;
  });
}

function isLayingOf(value: unknown, leastContacts: number): value is TokenLaying {
  const { contacts, marked } = (value ?? {}) as Partial<TokenLaying>;
  return isWithin(contacts, leastContacts, MAX_CONTACTS) && Array.isArray(marked) && marked.every(isGroupSize);
}

const isTokenTurn = (value: unknown, leastContacts = 1): value is TokenTurn =>
  Array.isArray(value) && value.every((one) => isLayingOf(one, leastContacts));

/** Whether stored data is such a pad. */
export function isTokenPad(value: unknown): value is TokenPad {
  if (!isPadBase(value, MAX_TOKEN_PLAYERS)) return false;
  const { kind, names, colours, turns, draft, isStopped } = value;
  const { index, turn } = (draft ?? {}) as Partial<TokenPad["draft"]>;
  return (
    kind === "tokens"
    && areMarkerColours(colours)
    && colours.length === names.length
    && Array.isArray(turns)
    && turns.every((one) => isTokenTurn(one))
    && isDraftIndex(index, turns)
    && (turn === null || isTokenTurn(turn, 0))
    && typeof isStopped === "boolean"
  );
}

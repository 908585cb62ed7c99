/** The kinds of score pads: each is for one game, or for games that are counted alike. */
import { type ChildPad, isChildPad, MAX_CHILDREN } from "./children/child-pad.ts";
import { isRoundPad, MAX_ROUND_PLAYERS, type RoundPad } from "./rounds/round-pad.ts";
import { isTokenPad, MAX_TOKEN_PLAYERS, type TokenPad } from "./tokens/token-pad.ts";
import { isTurnPad, MAX_TURN_PLAYERS, TURN_KINDS, type TurnPad } from "./turns/turn-pad.ts";

export type Pad = TurnPad | RoundPad | TokenPad | ChildPad;
export type PadKind = Pad["kind"];

export const PAD_KINDS = [...TURN_KINDS, "announced", "tokens", "ages"] as const satisfies readonly PadKind[];

export const isPadKind = (value: unknown): value is PadKind => PAD_KINDS.includes(value as PadKind);

export const isPad = (value: unknown): value is Pad =>
  isTurnPad(value) || isRoundPad(value) || isTokenPad(value) || isChildPad(value);

/** The most players of each kind. */
export const MAX_PLAYERS: Readonly<Record<PadKind, number>> = {
  plain: MAX_TURN_PLAYERS,
  auctions: MAX_TURN_PLAYERS,
  marks: MAX_TURN_PLAYERS,
  announced: MAX_ROUND_PLAYERS,
  tokens: MAX_TOKEN_PLAYERS,
  ages: MAX_CHILDREN,
};

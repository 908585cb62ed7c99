/** What games of other packages add to: so these types stay open. All others are in protocol.ts. */
import type { Laid } from "./protocol.ts";

/** What was agreed on; which options there are depends on the game. */
export interface Options {
  /** The name of a set of dominoes, or a set of one's own. */
  set?: unknown;
  target?: number;
  [name: string]: unknown;
}

export interface Move {
  player: number;
  move: string;
  [field: string]: unknown;
}

/** An event has its kind as `event`; its other fields depend on it, and stand with the game that has it. */
export interface GameEvent {
  event: string;
  player?: number;
  [field: string]: unknown;
}

export const isLaid = (event: GameEvent): event is Laid => event.event === "laid";

/** A number, or undefined: games of other packages may use the name for something else. */
export const numberOr = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

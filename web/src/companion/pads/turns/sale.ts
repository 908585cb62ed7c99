/** A turn that was sold by auction: who plays it, and what it costs (rules 2). */

export const MIN_BID = 2;
export const MAX_BID = 200;

export interface Sale {
  /** Who plays the turn: the player whose turn it was, or another one. */
  readonly winner: number;
  /** An even number. */
  readonly bid: number;
}

/** What each player pays or gets: half the bid by the player whose turn it was, or the whole bid to that player. */
export function paymentsOf({ winner, bid }: Sale, home: number): [player: number, points: number][] {
  return winner === home
    ? [[winner, -bid / 2]]
    : [
        [winner, -bid],
        [home, bid],
      ];
}

export const isBid = (bid: unknown): bid is number =>
  typeof bid === "number" && bid >= MIN_BID && bid <= MAX_BID && bid % 2 === 0;

/** Whether stored data is a sale between so many players. */
export function isSale(value: unknown, players: number): value is Sale {
  const { winner, bid } = (value ?? {}) as Partial<Record<keyof Sale, unknown>>;
  return typeof winner === "number" && Number.isInteger(winner) && winner >= 0 && winner < players && isBid(bid);
}

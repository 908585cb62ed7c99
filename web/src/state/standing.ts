/** How a classic game stands, for the coach. */
export interface Standing {
  /** In the order of play; the first is of who is to move. */
  scores: readonly number[];
  target: number;
  /** Who began the round: so many seats after who is to move. */
  began: number;
}

export const LEVEL: Standing = { scores: [0, 0], target: 60, began: 0 };

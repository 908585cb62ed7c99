/** The position of a replay, as its address says it: `#17`; `#17b` asks for what would have been better there. */
import type { Replay } from "../state/replay.ts";

/** The position that the part of an address behind `#` asks for; `otherwise` if it does not say. */
export function readPosition(hash: string, last: number, otherwise: number): number {
  const wanted = /^#(\d{1,6})b?$/.exec(hash)?.[1];
  return wanted === undefined ? otherwise : Math.min(last, Number(wanted));
}

/** Whether an address asks for what would have been better. */
export const wantsBetterTurn = (hash: string): boolean => /^#\d{1,6}b$/.test(hash);

/** An example begins where the fullest turn is about to be played: there is something to see, and to guess. */
export function findExampleStart({ turns, last }: Replay): number {
  const late = turns.filter(({ first }) => first > last / 3);
  return late.reduce((best, turn) => (turn.points > best.points ? turn : best)).first;
}

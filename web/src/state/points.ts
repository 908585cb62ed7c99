/** What laid dominoes earn and cost in the classic turn (rules 0 and 1). */

/** The cost of the second domino of a turn. */
export const CHARGE = 4;

/** Half-discs at the edge of a domino, and so the most contacts. */
export const MAX_CONTACTS = 6;

/** What the third disc of a domino and every further one earn in addition. */
export const bonusPoints = (contacts: number): number => Math.max(0, contacts - 2);

/** Points of discs: 0, 1, 2, 4, 6, 8, 10. */
export const discPoints = (contacts: number): number => contacts + bonusPoints(contacts);

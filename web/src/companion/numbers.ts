/** Numbers as people type them, and as they are stored. */

export const MAX_GROUP_SIZE = 99;

export const isWithin = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

export const isGroupSize = (size: unknown): size is number => isWithin(size, 1, MAX_GROUP_SIZE);

export const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** A whole number in a range, as it is typed; null if it is not one. */
export function readNumber(text: string, least: number, most: number): number | null {
  const plain = text.trim().replace("−", "-");
  return /^[+-]?\d{1,4}$/.test(plain) && isWithin(Number(plain), least, most) ? Number(plain) : null;
}

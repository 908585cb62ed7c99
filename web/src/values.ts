/** Values that must be there: an error that names what is missing, instead of `undefined` that travels on. */

/** The value; throws if it is missing. */
export function requireValue<T>(value: T, what: string): NonNullable<T> {
  if (value === null || value === undefined) throw new Error(`Missing: ${what}`);
  return value;
}

/** The item at an index; throws if the list has none there. */
export function itemAt<T>(list: readonly T[], index: number): T {
  if (!(index >= 0 && index < list.length)) throw new RangeError(`No item ${index} of ${list.length}`);
  return list[index] as T;
}

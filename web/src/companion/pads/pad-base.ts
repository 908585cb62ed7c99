/** What the score pads of all games share. */
import { isWithin } from "../numbers.ts";

export const MIN_PLAYERS = 2;
export const MAX_NAME_LENGTH = 30;

export interface PadBase {
  readonly id: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number;
  /** In the order of play. */
  readonly names: readonly string[];
}

/** The names that were entered, without empty ones; null if they are too few or too many. */
export function readNames(names: readonly string[], most: number): string[] | null {
  const given = names.map((name) => name.trim()).filter(Boolean);
  return given.length < MIN_PLAYERS || given.length > most ? null : given;
}

/** Whether stored data has what all pads have. */
export function isPadBase(value: unknown, most: number): value is PadBase & Record<string, unknown> {
  const { id, at, names } = (value ?? {}) as Partial<Record<keyof PadBase, unknown>>;
  return (
    typeof id === "string"
    && typeof at === "number"
    && Array.isArray(names)
    && names.every((name) => typeof name === "string")
    && readNames(names, most)?.length === names.length
  );
}

/** Whether stored data is an index into a list, or the place after its end. */
export const isDraftIndex = (value: unknown, list: readonly unknown[]): value is number =>
  isWithin(value, 0, list.length);

/** Who is best among some players. */
export function findHighest(values: readonly number[], players: readonly number[]): number[] {
  const best = Math.max(...players.map((player) => values[player] ?? 0));
  return players.filter((player) => values[player] === best);
}

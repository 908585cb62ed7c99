/** The seats of this browser's player, in the browser's memory. */
import { recall, remember } from "../memory.ts";

export { full, recall, recallHere, remember, rememberHere } from "../memory.ts";

/** Tokens of seats by table, and the tables in the order in which they were last used. */
export interface Known {
  token: string;
  game: string;
  /** The seats that it owns, where that is known: for lists that show whose turn it is. */
  seats?: number[];
  /** The token that is to replace it, and for which seat, until the server has answered. */
  renewal?: { seat: number; token: string };
  /** When it was last opened here, in milliseconds since 1970. */
  at: number;
}

/** As many as the server lists in one answer. */
const MOST_KNOWN = 500;

export function knownTables(): Record<string, Known> {
  return recall<Record<string, Known>>("tables", {});
}

export function tokenOf(table: string): string | null {
  return knownTables()[table]?.token ?? null;
}

/** Those to say hello with: while it is not known whether a token was replaced, both. */
export function tokensOf(table: string): string[] {
  const known = knownTables()[table];
  return known ? [known.token, ...(known.renewal ? [known.renewal.token] : [])] : [];
}

export function keepToken(table: string, token: string, game: string, seats?: number[]): void {
  const known = knownTables();
  const { renewal } = known[table]?.token === token ? known[table]! : {};
  known[table] = { token, game, ...(seats && { seats }), ...(renewal && { renewal }), at: Date.now() };
  const latest = Object.entries(known)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_KNOWN);
  remember("tables", Object.fromEntries(latest));
}

/** A link that carries the token of a seat, in the part of an address that browsers do not send. */
export const seatLink = (link: string, token: string): string => `${link}#seat=${token}`;

/** The token that an address carries. */
export const offeredSeat = (hash: string): string | null => /^#seat=([\w-]{16,64})$/.exec(hash)?.[1] ?? null;

/** A secret of this browser: 128 random bits. */
export const newToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function forgetToken(table: string): void {
  const known = knownTables();
  delete known[table];
  remember("tables", known);
}

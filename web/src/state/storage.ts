/** The browser's memory; a browser that keeps nothing still plays. */
import { signal } from "@preact/signals";

/** What was to be kept could not be kept. */
export const full = signal(false);

/** What can be fetched again makes room for what cannot. */
const SPARE = "week";

const PREFIX = "dalapapa.";

export function recall<T>(name: string, missing: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? missing : (JSON.parse(text) as T);
  } catch {
    return missing;
  }
}

/** Whether it is kept: private windows and full disks keep nothing, and nothing breaks. */
export function remember(name: string, value: unknown): boolean {
  const put = () => {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  };
  try {
    put();
    return true;
  } catch {
    if (name === SPARE) return false;
  }
  try {
    localStorage.removeItem(PREFIX + SPARE);
    put();
    return true;
  } catch {
    full.value = true;
    return false;
  }
}

/** Tokens of seats by table, and the tables in the order in which they were last used. */
export interface Known {
  token: string;
  game: string;
  /** The seats that it owns, where that is known: for lists that tell whose turn it is. */
  seats?: number[];
  /** When it was last opened here, in milliseconds since 1970. */
  at: number;
}

/** As many as the server tells of at once. */
const MOST_KNOWN = 500;

export function knownTables(): Record<string, Known> {
  return recall<Record<string, Known>>("tables", {});
}

export function tokenOf(table: string): string | null {
  return knownTables()[table]?.token ?? null;
}

export function keepToken(table: string, token: string, game: string, seats?: number[]): void {
  const known = knownTables();
  known[table] = { token, game, ...(seats && { seats }), at: Date.now() };
  const latest = Object.entries(known).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST_KNOWN);
  remember("tables", Object.fromEntries(latest));
}

/** A link that carries the token of a seat, in the part of an address that browsers do not send. */
export const seatLink = (link: string, token: string): string => `${link}#seat=${token}`;

/** The token that an address carries. */
export const offeredSeat = (hash: string): string | null => /^#seat=([\w-]{16,64})$/.exec(hash)?.[1] ?? null;

/** A secret of this browser: 128 bits that nobody guesses. */
export const newToken = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function forgetToken(table: string): void {
  const known = knownTables();
  delete known[table];
  remember("tables", known);
}

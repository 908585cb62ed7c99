/** The challenges that this browser has taken up or made: each has its token, and the table of one's own game. */
import { recall, remember } from "./storage.ts";

interface Kept {
  token: string;
  table?: string;
}

const MOST_KEPT = 100;

const all = () => recall<Record<string, Kept>>("challenges", {});

export const challengeToken = (id: string): string | null => all()[id]?.token ?? null;

/** The challenge that a table belongs to. */
export const challengeOf = (table: string): string | null =>
  Object.entries(all()).find(([, kept]) => kept.table === table)?.[0] ?? null;

/** The token of a table has been replaced. */
export function renewChallenge(table: string, token: string): void {
  const id = challengeOf(table);
  if (id) keepChallenge(id, { token, table });
}

/** The latest are the last. */
export function keepChallenge(id: string, kept: Kept): void {
  const { [id]: _, ...others } = all();
  remember("challenges", Object.fromEntries(Object.entries({ ...others, [id]: kept }).slice(-MOST_KEPT)));
}

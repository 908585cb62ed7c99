/**
 * A new token for one's seats at a table: links with the old one do not open them any more.
 *
 * The new token is kept before the server is asked. If its answer gets lost, both are tried until one is known to be
 * right.
 */
import { api } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { renewChallenge } from "./challenges.ts";
import { type Known, knownTables, newToken, remember } from "./storage.ts";
import { requireValue } from "../values.ts";

function keepRenewal(table: string, renewal: Known["renewal"]): void {
  const known = knownTables();
  requireValue(known[table], table).renewal = renewal;
  remember("tables", known);
}

function dropRenewal(table: string): void {
  const known = knownTables();
  delete known[table]?.renewal;
  remember("tables", known);
}

/** A token has replaced another one at some tables. */
function replaceToken(tables: string[], token: string, by: string): void {
  const known = knownTables();
  for (const table of tables) {
    const seat = known[table];
    if (seat?.token !== token) continue;
    seat.token = by;
    delete seat.renewal;
  }
  remember("tables", known);
}

export async function renewSeat(id: string, seat: number): Promise<void> {
  const { token, renewal = { seat, token: newToken() } } = requireValue(knownTables()[id], id);
  keepRenewal(id, renewal);
  try {
    const { tables } = await api.renew(id, renewal.seat, token, renewal.token);
    replaceToken([id, ...tables], token, renewal.token);
    renewChallenge(id, renewal.token);
  } catch (error) {
    // What was refused has not happened; what was not answered may have.
    if (error instanceof Refused && error.status >= 400 && error.status < 500) dropRenewal(id);
    throw error;
  }
}

/** Whether a token whose answer was lost is known to be right now. */
export async function finishRenewal(id: string): Promise<boolean> {
  const renewal = knownTables()[id]?.renewal;
  if (!renewal) return false;
  try {
    await renewSeat(id, renewal.seat);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** Tables that move between this device and the server (docs/protocol.md). */
import { forgetToken, keepToken, recall, remember } from "./storage.ts";
import { ask, path } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { deviceBackend } from "../net/backends.ts";
import type { TableSummary } from "../net/protocol.ts";

/** The token of a seat, for the link to it. */
export interface SeatInvite {
  seat: number;
  token: string;
}

interface Moved {
  id: string;
  token: string;
  seats: number[];
  invites: SeatInvite[];
  table: TableSummary;
}

const keptInvites = (): Record<string, SeatInvite[]> => recall("invites", {});

/** The seats of a table for which others got links from this browser. */
export const invitesOf = (id: string): SeatInvite[] => keptInvites()[id] ?? [];

/** Move a table of this device to the server; its id there. `invited` are the seats that get links. */
export async function moveToServer(id: string, invited: readonly number[]): Promise<string> {
  const table = (await deviceBackend.request(`${path(id)}/log`)) as { log: unknown[] };
  const moved = await ask<Moved>("/moved-tables", { body: { table, invited } });
  keepToken(moved.id, moved.token, moved.table.game, moved.seats);
  if (moved.invites.length) remember("invites", { ...keptInvites(), [moved.id]: moved.invites });
  // From now on the server's table counts. If it cannot be deleted here, or has moved on, the player sees both.
  await deviceBackend.request(`${path(id)}?version=${table.log.length}`, { method: "DELETE" }).then(
    () => forgetToken(id),
    () => undefined,
  );
  return moved.id;
}

/** Move a table of the server to this device; its id here. It may be repeated until it succeeds. */
export async function moveToDevice(id: string, token: string): Promise<string> {
  await checkEngine();
  const table = await ask(`${path(id)}/to-device`, { method: "POST", token });
  const moved = (await deviceBackend.request("/tables/from-server", { body: table, token })) as Moved;
  keepToken(moved.id, token, moved.table.game, moved.seats);
  // A full device has it in memory only: with its token, the server gives it again.
  const { host } = await import("../net/device-host.ts");
  if (await host.readRaw(moved.id).catch(() => null)) forgetToken(id);
  return moved.id;
}

/** Load the engine before the server gives a table away. */
async function checkEngine(): Promise<void> {
  try {
    await deviceBackend.request("/tables/device-none");
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "unknown_table") throw error;
  }
}

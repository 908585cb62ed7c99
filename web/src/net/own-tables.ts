/** The list of one's own tables, which may be at the server and on this device. */
import type { OwnTableEntry } from "./api.ts";
import type { Backend } from "./backend.ts";
import { backend, type CombinedBackend, RETIRED, RETIRED_CODE } from "./backends.ts";

/** A table, and the token of a seat there. */
interface OwnSeat {
  id: string;
  token: string;
}

/** Ask for all of them; without the server, those of this device are listed. */
export async function listOwnTables(
  seats: readonly OwnSeat[],
  { server, device, ownerOf }: Pick<CombinedBackend, "server" | "device" | "ownerOf"> = backend,
): Promise<OwnTableEntry[]> {
  const listSeats = (host: Backend) => seats.filter(({ id }) => ownerOf(id) === host);
  const ask = async (host: Backend, tables = listSeats(host)) =>
    tables.length ? ((await host.request("/own-tables", { body: { tables } })) as OwnTableEntry[]) : [];
  // Without the engine, its tables are not listed; they are not gone.
  const askDevice = (tables?: OwnSeat[]) => ask(device, tables).catch(() => []);
  const retired = listSeats(RETIRED).map(({ id }): OwnTableEntry => ({ id, state: "removed", refusal: RETIRED_CODE }));
  const local = [...retired, ...(await askDevice())];
  /** Those that are on this device, though it was not noted. */
  const find = async (isMissing: (id: string) => boolean) => {
    const missing = listSeats(server).filter(({ id }) => isMissing(id));
    if (missing.length) await device.noteStored();
    return askDevice(missing.filter(({ id }) => device.owns(id)));
  };
  try {
    const listed = await ask(server);
    const removed = new Set(listed.filter(({ state }) => state === "removed").map(({ id }) => id));
    const found = await find((id) => removed.has(id));
    return [...local, ...found, ...listed.filter(({ id }) => found.every((one) => one.id !== id))];
  } catch (error) {
    const found = [...local, ...(await find(() => true))];
    if (!found.length) throw error;
    return found;
  }
}

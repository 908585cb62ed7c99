/** All games of this device as one file, and back. */
import type { TableSummaryHere, Write } from "../../engine/table-messages.ts";
import { keepToken, knownTables, tokenOf } from "./storage.ts";
import { Refused } from "../net/backend.ts";
import { isStorageFull } from "../net/device-backend.ts";
import { host } from "../net/device-host.ts";

const FORMAT = "dalapapa-games/1";
const MAX_FILE_BYTES = 50_000_000;

/** A table in a file: with the token of its seats, so that they can be played on. */
interface FiledTable {
  id: string;
  token?: string;
  /** As `hosting/moved.py` has it. */
  table: unknown;
}

/** The games of this device; with a full storage, also those that only the memory has. */
export const list = async (): Promise<TableSummaryHere[]> => (isStorageFull.peek() ? listEverywhere() : host.listAll());

/** The games in the storage and in the memory of the host: what cannot be stored is only there. */
async function listEverywhere(): Promise<TableSummaryHere[]> {
  const stored = await host.listAll().catch(() => []); // Some browsers allow no storage.
  const held = (await host.request("/tables")) as TableSummaryHere[];
  return [...new Map([...stored, ...held].map((one) => [one.id, one])).values()];
}

export const readRaw = (id: string) => host.readRaw(id);
export const remove = (id: string) => host.request(`/tables/${id}`, { method: "DELETE" });

const BAD_FILE = "This is not a file with games, or it is damaged.";

/** The file, how many games it has, and those that cannot be read. */
export async function exportGames(): Promise<{ text: string; count: number; damaged: string[] }> {
  const tables: FiledTable[] = [];
  const damaged: string[] = [];
  for (const { id } of await listEverywhere()) {
    try {
      const token = tokenOf(id);
      tables.push({ id, ...(token && { token }), table: await host.request(`/tables/${id}/log`) });
    } catch (error) {
      if (!(error instanceof Refused) || error.code === "not_loaded") throw error;
      damaged.push(id);
    }
  }
  return { text: JSON.stringify({ format: FORMAT, tables }), count: tables.length, damaged };
}

/** Add the games of a file, all or none; how many are new or longer than here. */
export async function importGames(file: Blob): Promise<number> {
  const tables = await readFile(file);
  const writes: Write[] = [];
  for (const { id, table } of tables) {
    try {
      writes.push((await host.request("/tables/check", { body: { id, table } })) as Write);
    } catch (error) {
      if (!(error instanceof Refused) || error.code === "not_loaded") throw error;
      throw new Refused("bad_file", `${BAD_FILE} ${error.message}`);
    }
  }
  const merged = await host.import(writes);
  const known = knownTables();
  for (const [number, { id, token }] of tables.entries()) {
    const { game, yours } = writes[number]!.summary as { game?: string; yours?: number[] };
    if (token && !known[id]) keepToken(id, token, game ?? "", yours);
  }
  return merged.length;
}

async function readFile(file: Blob): Promise<FiledTable[]> {
  if (file.size > MAX_FILE_BYTES) throw new Refused("bad_file", BAD_FILE);
  let read: { format?: unknown; tables?: unknown } | null;
  try {
    read = JSON.parse(await file.text());
  } catch {
    throw new Refused("bad_file", BAD_FILE); // Also if it is nested too deeply.
  }
  const tables: unknown = read?.tables;
  if (read?.format !== FORMAT || !Array.isArray(tables) || !tables.every(isFiledTable))
    throw new Refused("bad_file", BAD_FILE);
  return tables;
}

function isFiledTable(one: unknown): one is FiledTable {
  const { id, token, table } = (one ?? {}) as Partial<FiledTable>;
  return (
    typeof id === "string"
    && typeof table === "object"
    && (token === undefined || (typeof token === "string" && /^[\w-]{16,64}$/.test(token)))
  );
}

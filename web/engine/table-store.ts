/**
 * The tables of this device in IndexedDB: settings, seed and log of each, and a summary for the list of one's own.
 *
 * Only the worker that hosts tables writes; a Web Lock sees to it that there is one (device.ts). An entry is stored
 * once the browser has it, also if the browser then ends; a power failure may lose the last ones.
 */
import type { Capability } from "../src/net/protocol.ts";
import type { Line, TableSummaryHere, Write } from "./table-messages.ts";

const NAME = "dalapapa tables";
/** Of the database: of its object stores, not of what is in them. */
const DATABASE_VERSION = 1;
/** Of what is stored of a table. A newer edition reads older formats. */
export const FORMAT = 1;

export interface StoredTable {
  id: string;
  /** As `src/dalapapa/hosting/stored.py` has it. */
  table: unknown;
  summary: TableSummaryHere;
  format: number;
  /** The version of the engine that made the last entry. */
  engine: string;
}

export interface TableStore {
  load(id: string): Promise<{ table: StoredTable; log: Line[] } | null>;
  /** Store all or nothing. Fails with `ConstraintError` if another host has stored one of the entries. */
  write(writes: readonly Write[]): Promise<void>;
  delete(ids: readonly string[]): Promise<void>;
  /** Store whole tables, all or nothing, but for those that are here with as many entries; the ids of the others. */
  merge(writes: readonly Write[]): Promise<string[]>;
}

const finished = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });

export function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, DATABASE_VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tables", { keyPath: "id" });
    request.result.createObjectStore("log", { keyPath: ["id", "number"] });
  };
  return finished(request).then((database) => {
    database.onversionchange = () => database.close(); // A newer edition does not wait for this one.
    return database;
  });
}

const logOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]);

export class IndexedTables implements TableStore {
  constructor(
    private readonly database: IDBDatabase,
    private readonly engine: string,
  ) {}

  async load(id: string): Promise<{ table: StoredTable; log: Line[] } | null> {
    const transaction = this.database.transaction(["tables", "log"]);
    const table = finished<StoredTable | undefined>(transaction.objectStore("tables").get(id));
    const lines = finished<{ line: Line }[]>(transaction.objectStore("log").getAll(logOf(id)));
    const [found, log] = await Promise.all([table, lines]);
    return found ? { table: found, log: log.map(({ line }) => line) } : null;
  }

  write(writes: readonly Write[]): Promise<void> {
    return this.change((tables, log, later) => {
      for (const { id, table, summary, log: lines } of writes) {
        for (const line of lines) log.add({ id, number: line.number, line });
        if (table) {
          tables.put({ id, table, summary, format: FORMAT, engine: this.engine } satisfies StoredTable);
        } else {
          const known = tables.get(id);
          known.onsuccess = later(() =>
            tables.put({ ...known.result, summary, engine: this.engine } satisfies StoredTable),
          );
        }
      }
    });
  }

  delete(ids: readonly string[]): Promise<void> {
    return this.change((tables, log) => {
      for (const id of ids) {
        tables.delete(id);
        log.delete(logOf(id));
      }
    });
  }

  async merge(writes: readonly Write[]): Promise<string[]> {
    const merged: string[] = [];
    await this.change((tables, log, later) => {
      for (const { id, table, summary, log: lines } of writes) {
        const known = log.count(logOf(id));
        known.onsuccess = later(() => {
          if (known.result >= lines.length) return;
          merged.push(id);
          log.delete(logOf(id));
          for (const line of lines) log.add({ id, number: line.number, line });
          tables.put({ id, table, summary, format: FORMAT, engine: this.engine } satisfies StoredTable);
        });
      }
    });
    return merged;
  }

  /** One transaction: all that `act` does, also `later`, or nothing. */
  private async change(
    act: (tables: IDBObjectStore, log: IDBObjectStore, later: (then: () => void) => () => void) => void,
  ): Promise<void> {
    const transaction = this.database.transaction(["tables", "log"], "readwrite");
    const done = completed(transaction);
    let failure: unknown;
    const later = (then: () => void) => () => {
      try {
        then();
      } catch (error) {
        failure = error;
        transaction.abort();
      }
    };
    later(() => act(transaction.objectStore("tables"), transaction.objectStore("log"), later))();
    await done.catch((error: unknown) => {
      throw failure ?? error;
    });
  }
}

/** Tables in memory, where the browser allows no storage. */
export class NoTables implements TableStore {
  async load(): Promise<null> {
    return null;
  }

  async write(): Promise<void> {}
  async delete(): Promise<void> {}
  async merge(): Promise<string[]> {
    throw new DOMException("This browser allows no storage.", "InvalidStateError");
  }
}

/** What this device offers (`DEVICE_CAPABILITIES` in `hosting/protocol.py`). */
const CAPABILITIES: Capability[] = ["review", "delete", "move"];

/** The summaries of some tables, as the list of one's own shows them; it needs no engine. */
export async function listTables(
  ids: readonly string[],
): Promise<({ id: string; state: "removed" } | TableSummaryHere)[]> {
  return readTables(async (tables) => {
    const found = ids.map((id) => finished<StoredTable | undefined>(tables.get(id)));
    const known = await Promise.all(found);
    // Those that an older edition has stored name no capabilities.
    return ids.map((id, i) =>
      known[i] ? { capabilities: CAPABILITIES, ...known[i].summary } : { id, state: "removed" },
    );
  });
}

/** The summaries of all tables, also of those whose seats no token of this browser owns. */
export function listAllTables(): Promise<TableSummaryHere[]> {
  return readTables(async (tables) => {
    const all = await finished<StoredTable[]>(tables.getAll());
    return all.map(({ id, summary }) => summary ?? { id, state: "here" });
  });
}

/** A table as it is stored, readable or not. */
export async function readRawTable(id: string): Promise<unknown> {
  const database = await openDatabase();
  try {
    return await new IndexedTables(database, "").load(id);
  } finally {
    database.close();
  }
}

async function readTables<Result>(read: (tables: IDBObjectStore) => Promise<Result>): Promise<Result> {
  const database = await openDatabase();
  try {
    return await read(database.transaction("tables").objectStore("tables"));
  } finally {
    database.close();
  }
}

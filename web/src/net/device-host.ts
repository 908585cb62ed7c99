/** Loads the engine, and speaks with its tables for the pages of this tab. */
import type { DeviceTables, Session } from "../../engine/device.ts";
import type { TableSummaryHere, Write } from "../../engine/table-messages.ts";
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";
import { hasNotes, isStorageFull, listStoredTables, noteTables } from "./device-backend.ts";
import { findEngine, type Parts } from "./engine-files.ts";
import type { FromClient, FromServer, Hello } from "./protocol.ts";

type Engine = typeof import("../../engine/device.ts");

const NOT_LOADED = "The engine of this device could not be loaded.";

class DeviceHost implements Backend {
  #loading: Promise<{ engine: Engine; address: (name: keyof Parts) => string }> | null = null;
  #tables: Promise<DeviceTables> | null = null;

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const { method, body, token, signal } = options;
    if (path === "/own-tables") {
      const { engine } = await this.#load();
      return engine.listTables((body as { tables: { id: string }[] }).tables.map(({ id }) => id));
    }
    const tables = await this.start();
    signal?.throwIfAborted();
    const how = method ?? (body === undefined ? "GET" : "POST");
    const answer = await orRefused(tables.request(path, { method: how, body, token }));
    const { id, table } = (answer ?? {}) as { id?: unknown; table?: unknown };
    const made = path.startsWith("/challenges/") ? table : id;
    const isTable = how === "POST" && path !== "/tables/check" && !path.endsWith("/challenge");
    if (isTable && typeof made === "string") await this.#note(made);
    const [, deleted] = (how === "DELETE" && /^\/tables\/([\w-]+)(?:\?|$)/.exec(path)) || [];
    if (deleted) noteTables([], deleted);
    return answer;
  }

  /** Note new tables; with the first ones, also those from before there were notes. */
  async #note(...ids: string[]): Promise<void> {
    noteTables([...(hasNotes() ? [] : await listStoredTables()), ...ids]);
  }

  /** All tables of this device, also those of other tokens; needs no Python. */
  async listAll(): Promise<TableSummaryHere[]> {
    return (await this.#load()).engine.listAllTables();
  }

  async readRaw(id: string): Promise<unknown> {
    return (await this.#load()).engine.readRawTable(id);
  }

  /** Store tables that were checked; the ids of those that are new or longer. */
  async import(tables: Write[]): Promise<string[]> {
    const merged = (await orRefused((await this.start()).import(tables))) as string[];
    await this.#note(...tables.map(({ id }) => id));
    return merged;
  }

  connect(id: string, listener: ConnectionListener): Connection {
    return new DeviceConnection(this.start(), id, listener);
  }

  /** The engine's part for pages. What could not be loaded is tried again the next time. */
  #load() {
    this.#loading ??= loadEngine().catch((error: unknown) => {
      this.#loading = null;
      throw makeRefused(error);
    });
    return this.#loading;
  }

  /** The tables; the workers begin to load. */
  start(): Promise<DeviceTables> {
    this.#tables ??= this.#load().then(({ engine, address }) => {
      const start = (name: keyof Parts) => () => new Worker(address(name), { type: "module" });
      const tables = new engine.DeviceTables(start("tables-worker"), start("worker"));
      tables.onStorage = (trouble) => (isStorageFull.value = trouble !== null);
      return tables;
    });
    this.#tables.catch(() => (this.#tables = null));
    return this.#tables;
  }
}

async function loadEngine() {
  const address = await findEngine();
  const engine = (await import(address("device"))) as Engine;
  return { engine, address };
}

const orRefused = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    throw makeRefused(error);
  });

function makeRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const { code, message, status, values } = error as Partial<Refused>;
  // A network error has no code of ours.
  return typeof code === "string" && typeof message === "string" && status !== undefined
    ? new Refused(code, message, status, values)
    : new Refused("not_loaded", NOT_LOADED);
}

class DeviceConnection implements Connection {
  #session: Session | null = null;
  #isClosed = false;
  #isOnline = false;
  /** What was sent before the engine's part for pages was there. */
  readonly #early: Exclude<FromClient, Hello>[] = [];
  #lastRefusal = new Refused("not_loaded", NOT_LOADED);

  constructor(
    tables: Promise<DeviceTables>,
    id: string,
    private readonly listener: ConnectionListener,
  ) {
    tables.then(
      (device) => this.#begin(device, id),
      (error: unknown) => this.#isClosed || listener.onState("refused", makeRefused(error)),
    );
  }

  #begin(device: DeviceTables, id: string): void {
    if (this.#isClosed) return;
    const { listener } = this;
    const session = device.open(id, {
      tokens: () => listener.tokens(),
      onMessage: (message) => this.#receive(message),
      onLost: () => {
        this.#isOnline = false;
        if (!this.#isClosed) listener.onState("reconnecting");
      },
      onEnd: () => this.#isClosed || listener.onState("refused", this.#lastRefusal),
    });
    this.#session = session;
    this.#close = () => device.close(session);
    for (const message of this.#early) session.say(message);
  }

  #close = (): void => {};

  #receive(message: FromServer): void {
    if (this.#isClosed) return;
    if (message.type === "table" && !this.#isOnline) {
      this.#isOnline = true;
      this.listener.onState("online");
    }
    if (message.type === "refused" && message.id === undefined) {
      // Also what it cannot open can be deleted.
      this.#lastRefusal = new Refused(message.code, message.message, 0, message.values, ["delete"]);
    } else {
      this.listener.onMessage(message);
    }
  }

  send(message: Exclude<FromClient, Hello>): void {
    if (this.#session) this.#session.say(message);
    else this.#early.push(message);
  }

  greet(): void {
    this.#session?.greet();
  }

  close(): void {
    this.#isClosed = true;
    this.#close();
  }
}

export const host = new DeviceHost();

/** This device as a backend for whole games: the engine hosts its tables in workers (docs/edition-engine.md). */
import { signal } from "@preact/signals";
import { hrefOf, isStatic } from "../base.ts";
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";
import type { FromClient, Hello } from "./protocol.ts";

/** The ids of its tables begin like this (`edition/device/tables.py`). */
const ID_PREFIX = "device-";
/** Those of tables that a device has moved to a server (`hosting/protocol.py`). */
const MOVED_PREFIX = "moved-";

export const isOnDevice = (id: string): boolean => id.startsWith(ID_PREFIX);
export const hasMoved = (id: string): boolean => id.startsWith(MOVED_PREFIX);

/** Whether the tables of this device cannot be stored any more: they go on in memory. */
export const isStorageFull = signal(false);

/** Where the engine's files are: the page names them if its server has them. */
export const engineFolder = (): string | undefined =>
  isStatic
    ? hrefOf("/engine/")
    : (globalThis.document?.getElementById("engine") as HTMLMetaElement | null | undefined)?.content;

/** Old browsers cannot host tables, and no browser can at an address that is not safe. */
export const canHostTables = (): boolean =>
  "locks" in navigator && "indexedDB" in globalThis && "WebAssembly" in globalThis;

/** The engine needs a safe origin: there, only one tab at a time writes its tables. */
export const hasEngine = (): boolean => engineFolder() !== undefined && canHostTables();

/** Loaded when it is needed: most pages have no table on this device. */
const loadHost = (): Promise<Backend> => import("./device-host.ts").then(({ host }) => host);

export class DeviceBackend implements Backend {
  constructor(private readonly load = loadHost) {}

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.load()).request(path, options);
  }

  connect(id: string, listener: ConnectionListener): Connection {
    listener.onState("connecting");
    const connecting = this.load().then((host) => host.connect(id, listener));
    const use = (act: (connection: Connection) => void): void => void connecting.then(act, () => undefined);
    connecting.catch(() => listener.onState("refused", new Refused("not_loaded", "This page could not be loaded.")));
    return {
      send: (message: Exclude<FromClient, Hello>) => use((connection) => connection.send(message)),
      greet: () => use((connection) => connection.greet()),
      close: () => use((connection) => connection.close()),
    };
  }
}

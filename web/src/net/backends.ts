/** Which backend answers: this browser for its own tables and where no server is reached, else the server. */
import { isStatic } from "../base.ts";
import type { Backend, Connection, ConnectionListener, RequestOptions } from "./backend.ts";
import { DeviceBackend, isOnDevice } from "./device-backend.ts";
import { LocalBackend } from "./local-backend.ts";
import { ServerBackend, Unreachable } from "./server-backend.ts";

/** The request for the tables of this browser, which may be at both. */
const OWN_TABLES = "/own-tables";

export class CombinedBackend implements Backend {
  constructor(
    private readonly server: Backend,
    private readonly local: LocalBackend,
    private readonly device: Backend,
  ) {}

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    if (path === OWN_TABLES) return this.#listOwnTables(options);
    const owner = this.#find(path.split("/")[2] ?? "");
    if (owner !== this.server) return owner.request(path, options);
    try {
      return await this.server.request(path, options);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return this.local.request(path, options);
    }
  }

  connect(id: string, listener: ConnectionListener): Connection {
    return this.#find(id).connect(id, listener);
  }

  /** The backend with a table. */
  #find(id: string): Backend {
    return isOnDevice(id) ? this.device : this.local.owns(id) ? this.local : this.server;
  }

  async #listOwnTables({ body, ...options }: RequestOptions): Promise<unknown> {
    const { tables } = body as { tables: { id: string }[] };
    const ask = async (backend: Backend): Promise<unknown[]> => {
      const owned = tables.filter(({ id }) => this.#find(id) === backend);
      if (!owned.length) return [];
      return (await backend.request(OWN_TABLES, { ...options, body: { tables: owned } })) as unknown[];
    };
    // Without the engine, its tables are not listed; they are not gone.
    const local = [...(await ask(this.local)), ...(await ask(this.device).catch(() => []))];
    try {
      return [...local, ...(await ask(this.server))];
    } catch (error) {
      if (!local.length) throw error;
      return local; // Those of this browser are there without a server.
    }
  }
}

export const localBackend = new LocalBackend();
export const deviceBackend = new DeviceBackend();
export const backend: Backend = new CombinedBackend(
  // Where there is no server, this device answers for it.
  isStatic
    ? new DeviceBackend(() =>
        import("./static-backend.ts").then(({ StaticBackend }) => new StaticBackend(deviceBackend)),
      )
    : new ServerBackend(),
  localBackend,
  deviceBackend,
);

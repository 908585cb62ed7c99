/** Which backend answers: this browser for its own tables and where no server is reached, else the server. */
import type { Backend, Connection, ConnectionListener, RequestOptions } from "./backend.ts";
import { LocalBackend } from "./local-backend.ts";
import { ServerBackend, Unreachable } from "./server-backend.ts";

/** The request for the tables of this browser, which may be at both. */
const OWN_TABLES = "/own-tables";

export class CombinedBackend implements Backend {
  constructor(
    private readonly server: Backend,
    private readonly local: LocalBackend,
  ) {}

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    if (path === OWN_TABLES) return this.#listOwnTables(options);
    if (this.local.owns(path.split("/")[2] ?? "")) return this.local.request(path, options);
    try {
      return await this.server.request(path, options);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return this.local.request(path, options);
    }
  }

  connect(id: string, listener: ConnectionListener): Connection {
    return (this.local.owns(id) ? this.local : this.server).connect(id, listener);
  }

  async #listOwnTables({ body, ...options }: RequestOptions): Promise<unknown> {
    const { tables } = body as { tables: { id: string }[] };
    const ask = async (backend: Backend, isLocal: boolean): Promise<unknown[]> => {
      const owned = tables.filter(({ id }) => this.local.owns(id) === isLocal);
      if (!owned.length) return [];
      return (await backend.request(OWN_TABLES, { ...options, body: { tables: owned } })) as unknown[];
    };
    const local = await ask(this.local, true);
    try {
      return [...local, ...(await ask(this.server, false))];
    } catch (error) {
      if (!local.length) throw error;
      return local; // Those of this browser are there without a server.
    }
  }
}

export const localBackend = new LocalBackend();
export const backend: Backend = new CombinedBackend(new ServerBackend(), localBackend);

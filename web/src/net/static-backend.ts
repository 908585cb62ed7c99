/** The static edition as a backend: there is no server, so that this browser answers (docs/edition-engine.md). */
import { rulesFile } from "../base.ts";
import { canHostTables } from "./device-backend.ts";
import { ENGINE_PATHS } from "./engine-paths.ts";
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";

const makeRefusal = () => new Refused("needs_server", "This needs a server.");

export class StaticBackend implements Backend {
  constructor(private readonly device: Backend) {}

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const [name = "", query = ""] = path.split("?");
    if (ENGINE_PATHS.includes(name)) return (await import("./engine-questions.ts")).askEngine(name, query, options);
    if (name === "/tables" && !options.body) return [];
    if (name === "/tables" && !canHostTables()) throw new Refused("not_loaded", "This browser cannot store tables.");
    if (name === "/tables") return this.device.request(path, options);
    if (name === "/games") return []; // There are no games of other packages.
    const [, game] = /^\/rules\/([\w-]+)$/.exec(name) ?? [];
    if (game) return fetchFile(rulesFile(game, new URLSearchParams(query).get("language") ?? "en"), options.signal);
    throw makeRefusal();
  }

  connect(_id: string, listener: ConnectionListener): Connection {
    listener.onState("refused", makeRefusal());
    return { send() {}, greet() {}, close() {} };
  }
}

async function fetchFile(file: string, signal: AbortSignal | undefined): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(file, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused("offline", "The web host cannot be reached.");
  }
  if (!response.ok) throw new Refused("unknown_page", "There is no such page.", response.status);
  return response.json();
}

/** This browser as a backend: tables of one player, and the few requests that it can answer without a server. */
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";
import type { FromClient, FromServer } from "./protocol.ts";

/** A table of this browser that is open. */
export interface LocalTable {
  receive(message: FromClient): void;
  close(): void;
}

/** What answers (alone/engine.ts): loaded when it is needed, which is seldom. */
export interface LocalEngine {
  /** Undefined where only a server knows. */
  answer(path: string, options: RequestOptions): Promise<unknown>;
  /** Rejects with `Refused` if there is no such table. */
  open(id: string, send: (message: FromServer) => void): Promise<LocalTable>;
}

/** The ids of its tables begin like this; those of a server never do. */
const ID_PREFIX = "here-";

export const createLocalId = (text: string): string => ID_PREFIX + text;

const NO_ENGINE: LocalEngine = {
  answer: async () => undefined,
  open: async () => {
    throw new Refused("unknown_table", "");
  },
};

export class LocalBackend implements Backend {
  /** `main.tsx` says how the engine is loaded. */
  load = async (): Promise<LocalEngine> => NO_ENGINE;

  owns(id: string): boolean {
    return id.startsWith(ID_PREFIX);
  }

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const answer = await (await this.load()).answer(path, options);
    if (answer === undefined) throw new Refused("offline", "The server cannot be reached.");
    return answer;
  }

  connect(id: string, listener: ConnectionListener): Connection {
    return new LocalConnection(this.load(), id, listener);
  }
}

class LocalConnection implements Connection {
  readonly #table: Promise<LocalTable>;
  #isClosed = false;

  constructor(
    engine: Promise<LocalEngine>,
    id: string,
    private readonly listener: ConnectionListener,
  ) {
    listener.onState("connecting");
    const onMessage = (message: FromServer) => this.#isClosed || listener.onMessage(message);
    this.#table = engine.then((loaded) => loaded.open(id, onMessage));
    this.#table.then(
      () => {
        listener.onState("online");
        this.greet();
      },
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        listener.onState("refused", error);
      },
    );
  }

  /** An answer never comes before this has returned. */
  send(message: FromClient): void {
    this.#use((table) => table.receive(message));
  }

  greet(): void {
    this.send({ type: "hello", tokens: this.listener.tokens() });
  }

  close(): void {
    this.#isClosed = true;
    this.#use((table) => table.close());
  }

  /** Once the table is open, if it can be opened. */
  #use(act: (table: LocalTable) => void): void {
    void this.#table.then(act, () => undefined);
  }
}

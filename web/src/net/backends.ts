/** Which backend answers: this device for its own tables and where no server is reached, else the server. */
import { isStatic } from "../base.ts";
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";
import { DeviceBackend, isLinkedChallenge } from "./device-backend.ts";
import { LazyBackend } from "./lazy-backend.ts";
import { ServerBackend, Unreachable } from "./server-backend.ts";

/** Tables for one player that editions before 0.1.0 hosted without the engine: their moves have no seed to continue. */
const RETIRED_PREFIX = "here-";
export const RETIRED_CODE = "retired_table";

const isRetired = (id: string): boolean => id.startsWith(RETIRED_PREFIX);

export const RETIRED: Backend = {
  request: () => Promise.reject(makeRetired()),
  connect(_id, listener) {
    listener.onState("refused", makeRetired());
    return { send() {}, greet() {}, close() {} };
  },
};

const makeRetired = () => new Refused(RETIRED_CODE, "An older edition began this game; it cannot be continued.");

/** What answers without a server: loaded when there is none, which is seldom. */
const answerAlone = async (path: string, options: RequestOptions): Promise<unknown> =>
  (await import("../alone/answers.ts")).answerAlone(path, options);

export class CombinedBackend implements Backend {
  constructor(
    readonly server: Backend,
    readonly device: Pick<DeviceBackend, keyof Backend | "owns" | "mayFind" | "find" | "noteStored">,
  ) {}

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    const [, area, id = ""] = path.split("/");
    const owner = area === "challenges" && isLinkedChallenge(id) ? this.device : this.ownerOf(id);
    if (owner !== this.server) return owner.request(path, options);
    try {
      return await this.server.request(path, options);
    } catch (error) {
      if (area === "tables" && id && isMissing(error) && (await this.device.find(id)))
        return this.device.request(path, options);
      if (!(error instanceof Unreachable)) throw error;
      return answerAlone(path, options);
    }
  }

  connect(id: string, listener: ConnectionListener): Connection {
    const owner = this.ownerOf(id);
    return owner === this.server && this.device.mayFind() ? this.#search(id, listener) : owner.connect(id, listener);
  }

  /** The backend with a table, as far as this browser has noted it. */
  readonly ownerOf = (id: string): Backend =>
    isRetired(id) ? RETIRED : this.device.owns(id) ? this.device : this.server;

  /** Watch a table of the server; if the server does not have it, or is not reached, it may be on this device. */
  #search(id: string, listener: ConnectionListener): Connection {
    let isSettled = false;
    const settle = (): boolean => !isSettled && (isSettled = true);
    const ask = (otherwise: () => void) =>
      void this.device.find(id).then((isFound) => {
        if (!isFound) otherwise();
        else if (settle()) {
          connection.close();
          connection = this.device.connect(id, listener);
        }
      });
    let connection = this.server.connect(id, {
      tokens: () => listener.tokens(),
      onLate: (isLate) => listener.onLate?.(isLate),
      onMessage: (message) => {
        isSettled ||= message.type === "table";
        listener.onMessage(message);
      },
      onState: (state, refusal) => {
        const pass = () => listener.onState(state, refusal);
        if (state === "refused" && isMissing(refusal) && !isSettled) return ask(pass);
        pass();
        if (state === "reconnecting" && !isSettled) ask(() => {});
      },
    });
    return {
      send: (message) => connection.send(message),
      greet: () => connection.greet(),
      close: () => {
        isSettled = true;
        connection.close();
      },
    };
  }
}

/** Whether a refusal says that the server does not have a table, or is not there. */
const isMissing = (error: unknown): boolean =>
  error instanceof Refused && ["unknown_table", "needs_server", "offline"].includes(error.code);

export const deviceBackend = new DeviceBackend();
export const backend = new CombinedBackend(
  // Where there is no server, this device answers for it.
  isStatic
    ? new LazyBackend(() => import("./static-backend.ts").then(({ StaticBackend }) => new StaticBackend(deviceBackend)))
    : new ServerBackend(),
  deviceBackend,
);

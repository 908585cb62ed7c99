/** A backend that is loaded when it is needed. */
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";
import type { FromClient, Hello } from "./protocol.ts";

export class LazyBackend<Loaded extends Backend = Backend> implements Backend {
  constructor(protected readonly load: () => Promise<Loaded>) {}

  async request(path: string, options: RequestOptions = {}): Promise<unknown> {
    return (await this.load()).request(path, options);
  }

  connect(id: string, listener: ConnectionListener): Connection {
    listener.onState("connecting");
    const connecting = this.load().then((backend) => backend.connect(id, listener));
    const use = (act: (connection: Connection) => void): void => void connecting.then(act, () => undefined);
    connecting.catch(() => listener.onState("refused", new Refused("not_loaded", "This page could not be loaded.")));
    return {
      send: (message: Exclude<FromClient, Hello>) => use((connection) => connection.send(message)),
      greet: () => use((connection) => connection.greet()),
      close: () => use((connection) => connection.close()),
    };
  }
}

/** What hosts tables and answers requests: the server, or this browser itself. Pages do not know which one it is. */
import type { Capability, FromClient, FromServer, Hello } from "./protocol.ts";

/**
 * The backend said no: `code` never changes its meaning, `message` is a sentence in English, `values` are the numbers
 * and names in it. `capabilities`: what the host of a table offers even though it cannot open it.
 */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 0,
    readonly values: Readonly<Record<string, number | string>> = {},
    readonly capabilities: readonly Capability[] = [],
  ) {
    super(message);
  }
}

export interface RequestOptions {
  method?: string;
  body?: unknown;
  token?: string | null;
  signal?: AbortSignal;
}

export type ConnectionState = "connecting" | "online" | "reconnecting" | "refused";

/** What a page hears of a table. */
export interface ConnectionListener {
  /** The tokens of this browser's seats, at each moment when the connection says hello. */
  tokens(): string[];
  onMessage(message: FromServer): void;
  onState(state: ConnectionState, refusal?: Refused): void;
  /** A message was sent a while ago, and there is no answer yet; or there is one at last. */
  onLate?(isLate: boolean): void;
}

/** A table that is open. A message with an id is carried out once, and answered once. */
export interface Connection {
  send(message: Exclude<FromClient, Hello>): void;
  /** Say hello again, because the tokens have changed. */
  greet(): void;
  close(): void;
}

export interface Backend {
  /** The answer to a request (docs/protocol.md); rejects with `Refused`. */
  request(path: string, options?: RequestOptions): Promise<unknown>;
  connect(id: string, listener: ConnectionListener): Connection;
}

/** The server, over HTTP and WebSocket (docs/protocol.md). */
import { signal as createSignal } from "@preact/signals";
import { type Backend, type Connection, type ConnectionListener, Refused, type RequestOptions } from "./backend.ts";
import { ServerConnection } from "./server-connection.ts";

/** Whether the server could not be reached at the last request. */
export const isOffline = createSignal(false);

/** No server was reached, so that nothing was carried out. */
export class Unreachable extends Refused {
  constructor() {
    super("offline", "The server cannot be reached.");
  }
}

/** What a proxy says when the server behind it is away. */
const GATEWAY_ERRORS: readonly number[] = [502, 503, 504];

export class ServerBackend implements Backend {
  constructor(private readonly open: (url: string) => WebSocket = (url) => new WebSocket(url)) {}

  async request(path: string, { method, body, token, signal }: RequestOptions = {}): Promise<unknown> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["content-type"] = "application/json";
    if (token) headers.authorization = `Bearer ${token}`;
    let response: Response;
    try {
      response = await fetch(`/api${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      isOffline.value = true;
      throw new Unreachable();
    }
    let answer: Partial<Pick<Refused, "code" | "message" | "values">>;
    try {
      answer = await response.json();
    } catch (error) {
      if (signal?.aborted) throw error;
      // An answer that breaks off is none; and a refusal may come from a proxy.
      if (response.ok) throw new Refused("offline", "The server cannot be reached.");
      answer = {};
    }
    const isGatewayError = !answer.code && GATEWAY_ERRORS.includes(response.status);
    // The service worker marks what it has cached.
    isOffline.value = isGatewayError || response.headers?.get("x-kept") != null;
    if (isGatewayError) throw new Unreachable();
    if (!response.ok)
      throw new Refused(answer.code ?? "http", answer.message ?? response.statusText, response.status, answer.values);
    return answer;
  }

  connect(id: string, listener: ConnectionListener): Connection {
    return new ServerConnection(id, listener, this.open);
  }
}

/** The WebSocket of one table: it reconnects by itself, and sends again what was not answered. */
import { type Connection, type ConnectionListener, Refused } from "./backend.ts";
import type { FromClient, FromServer, Hello } from "./protocol.ts";
import { addJitter, Backoff, isTemporary } from "./retry.ts";

interface Unanswered {
  message: Exclude<FromClient, Hello>;
  backoff: Backoff;
  /** When it is sent again. */
  timer?: ReturnType<typeof setTimeout>;
  isLate: boolean;
}

/** Milliseconds. Tests make time run faster. */
export const CONNECTION_MS = {
  firstPause: 250,
  longestPause: 8_000,
  /** From opening a connection to the first message. */
  hello: 10_000,
  /** Without a message: after that we send a ping. */
  silence: 15_000,
  /** For the answer to a ping. */
  pong: 6_000,
  /** Until an unanswered message is sent again. */
  resend: 3_000,
  /** Until a message that was refused temporarily is sent again. */
  refused: 400,
};

/** The code of a connection that the server closes for good. */
const CLOSED_FOR_GOOD = 4400;
const FATAL_REFUSALS: readonly string[] = [
  "unknown_table",
  "other_set",
  "damaged_table",
  "table_closed",
  "moved_to_device",
];
/** `WebSocket.OPEN`, which tests do not have. */
const OPEN = 1;
const WANTED_PARTS = ["moves", "company"];
const PING = { type: "ping", id: "ping" } as const;

export class ServerConnection implements Connection {
  #socket: WebSocket | null = null;
  private readonly backoff = new Backoff(CONNECTION_MS.firstPause, CONNECTION_MS.longestPause);
  #reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  #heartbeatTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #unanswered = new Map<string, Unanswered>();
  #isClosed = false;
  /** The table has come over this socket. */
  #isGreeted = false;
  /** The latest refusal that named no message. */
  #lastRefusal: Refused | null = null;
  /** Of the table as it came last. */
  #version = 0;

  constructor(
    private readonly id: string,
    private readonly listener: ConnectionListener,
    private readonly open: (url: string) => WebSocket,
  ) {
    listener.onState("connecting");
    this.#connect();
    globalThis.addEventListener?.("online", this.#wake);
    globalThis.document?.addEventListener("visibilitychange", this.#wake);
  }

  close(): void {
    this.#isClosed = true;
    globalThis.removeEventListener?.("online", this.#wake);
    globalThis.document?.removeEventListener("visibilitychange", this.#wake);
    clearTimeout(this.#reconnectTimer);
    clearTimeout(this.#heartbeatTimer);
    this.#socket?.close();
    for (const { timer } of this.#unanswered.values()) clearTimeout(timer);
    this.#unanswered.clear();
  }

  greet(): void {
    this.backoff.reset();
    if (this.#socket && this.#socket.readyState <= OPEN) this.#socket.close();
    else this.#connect();
  }

  /** Send until there is an answer: the server carries out the same id only once. */
  send(message: Exclude<FromClient, Hello>): void {
    if (this.#isClosed) return;
    const backoff = new Backoff(CONNECTION_MS.resend, CONNECTION_MS.longestPause);
    const unanswered = { message, backoff, isLate: false };
    this.#unanswered.set(message.id, unanswered);
    this.#transmit(unanswered);
  }

  #transmit(unanswered: Unanswered): void {
    this.#write(unanswered.message);
    this.#resendAfter(unanswered, unanswered.backoff.next());
  }

  #resendAfter(unanswered: Unanswered, milliseconds: number): void {
    clearTimeout(unanswered.timer);
    unanswered.timer = setTimeout(() => {
      unanswered.isLate = true;
      this.#reportLate();
      this.#transmit(unanswered);
    }, milliseconds);
  }

  #reportLate(): void {
    this.listener.onLate?.([...this.#unanswered.values()].some(({ isLate }) => isLate));
  }

  #write(message: FromClient): void {
    if (this.#isGreeted && this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(message));
  }

  readonly #wake = (): void => {
    if (this.#isClosed || globalThis.document?.visibilityState === "hidden") return;
    this.backoff.reset();
    if (!this.#socket || this.#socket.readyState > OPEN) this.#connect();
    else this.#ping();
  };

  #connect(): void {
    clearTimeout(this.#reconnectTimer);
    if (this.#isClosed) return;
    const url = `${location.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.id)}/socket`;
    const socket = (this.#socket = this.open(url));
    this.#isGreeted = false;
    this.#lastRefusal = null;
    clearTimeout(this.#heartbeatTimer);
    this.#heartbeatTimer = setTimeout(() => this.#abandon(socket), CONNECTION_MS.hello);
    socket.onopen = () => {
      const hello: Hello = { type: "hello", tokens: this.listener.tokens(), with: WANTED_PARTS };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#receive(JSON.parse(String(data)) as FromServer);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      // A line that doubles our hello is no reason to go; a server that does not understand it is.
      if (code === CLOSED_FOR_GOOD && this.#lastRefusal?.code === "malformed_message") this.#refuse(this.#lastRefusal);
      else this.#reconnect();
    };
  }

  #receive(message: FromServer): void {
    this.#expectMessage();
    switch (message.type) {
      case "table":
        this.backoff.reset();
        if (!this.#isGreeted) {
          this.#isGreeted = true;
          this.listener.onState("online");
          for (const unanswered of this.#unanswered.values()) {
            unanswered.backoff.reset();
            this.#transmit(unanswered);
          }
        } else if (message.version < this.#version) return; // A newer one has overtaken it.
        this.#version = message.version;
        this.listener.onMessage(message);
        return;
      case "refused": {
        const { id, code, message: text, values } = message;
        const refusal = new Refused(code, text, 0, values);
        const unanswered = id === undefined ? undefined : this.#unanswered.get(id);
        if (id === undefined) {
          if (FATAL_REFUSALS.includes(code)) this.#refuse(refusal);
          else this.#lastRefusal = refusal;
        } else if (!isTemporary(refusal)) this.#answer(id, message);
        else if (unanswered) this.#resendAfter(unanswered, addJitter(CONNECTION_MS.refused));
        return;
      }
      case "accepted":
      case "legal":
      case "done":
      case "pong":
        this.#answer(message.id, message);
        // A new version comes before the answers that know it: this one was lost, and hello brings it.
        if (this.#isGreeted && "version" in message && message.version > this.#version) this.#abandon(this.#socket);
        return;
      default:
        this.listener.onMessage(message);
    }
  }

  #answer(id: string, message: FromServer): void {
    const unanswered = this.#unanswered.get(id);
    if (!unanswered) return; // It was answered before.
    clearTimeout(unanswered.timer);
    this.#unanswered.delete(id);
    if (unanswered.isLate) this.#reportLate();
    this.listener.onMessage(message);
  }

  #refuse(refusal: Refused): void {
    this.#isClosed = true;
    this.listener.onState("refused", refusal);
    this.#socket?.close();
  }

  /** Expect a message within a while; else send a ping, and else take the connection for dead. */
  #expectMessage(): void {
    clearTimeout(this.#heartbeatTimer);
    this.#heartbeatTimer = setTimeout(() => this.#ping(), CONNECTION_MS.silence);
  }

  #ping(): void {
    clearTimeout(this.#heartbeatTimer);
    const socket = this.#socket;
    this.#write(PING);
    this.#heartbeatTimer = setTimeout(() => this.#abandon(socket), CONNECTION_MS.pong);
  }

  /** Close a connection that is not worth waiting for any longer. */
  #abandon(socket: WebSocket | null): void {
    if (this.#socket !== socket) return;
    this.#reconnect();
    socket?.close();
  }

  #reconnect(): void {
    clearTimeout(this.#heartbeatTimer);
    this.#socket = null;
    this.#isGreeted = false;
    if (this.#isClosed) return;
    this.listener.onState("reconnecting");
    this.#reconnectTimer = setTimeout(() => this.#connect(), this.backoff.next());
  }
}

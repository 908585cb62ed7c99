/** The socket of one table: reconnects by itself, and asks with answers. */
import { Refused } from "./api.ts";
import type { FromServer, Greeting, Move, SocialMessage, TableMessage } from "./types.ts";

export type Connection = "connecting" | "online" | "reconnecting" | "refused";

/** What a socket tells its owner. */
export interface Listener {
  told(message: TableMessage): void;
  /** Who is there, and what they say. */
  company?(message: SocialMessage): void;
  connection(state: Connection, refusal?: Refused): void;
}

interface Waiting {
  message: { type: string; id: string };
  resolve(answer: any): void;
  reject(error: Error): void;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;
/** Milliseconds without a word after which we ask whether anybody is there. */
const SILENCE = 15_000;
const ANSWER = 6_000;

export class TableSocket {
  private socket: WebSocket | null = null;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heart: ReturnType<typeof setTimeout> | undefined;
  private waiting = new Map<string, Waiting>();
  private closed = false;
  private greeted = false;
  /** Makes ids that no other tab on the same seat makes. */
  private readonly prefix = Math.random().toString(36).slice(2, 10);
  private count = 0;

  constructor(
    private readonly id: string,
    private readonly tokens: () => string[],
    private readonly listener: Listener,
    private readonly open: (url: string) => WebSocket = (url) => new WebSocket(url),
  ) {
    this.listener.connection("connecting");
    this.connect();
    globalThis.addEventListener?.("online", this.wake);
    globalThis.document?.addEventListener("visibilitychange", this.wake);
  }

  close(): void {
    this.closed = true;
    globalThis.removeEventListener?.("online", this.wake);
    globalThis.document?.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.timer);
    clearTimeout(this.heart);
    this.socket?.close();
    for (const { reject } of this.waiting.values()) reject(new Refused("closed", "The table was left."));
    this.waiting.clear();
  }

  /** Say hello again, with the tokens as they are now. */
  greet(): void {
    this.pause = FIRST_PAUSE;
    if (this.socket && this.socket.readyState <= 1) this.socket.close();
    else this.connect();
  }

  /** A move; resolves with its version once it is durable. Sent again until there is an answer:
   * the server carries out the same id only once. */
  move(move: Move): Promise<number> {
    return this.request({ type: "move", move }).then((answer) => answer.version as number);
  }

  /** The legal moves of a seat, or only those with one domino. */
  legal(seat: number, tile?: string): Promise<{ version: number; moves: Move[] }> {
    return this.request(tile === undefined ? { type: "legal", seat } : { type: "legal", seat, tile });
  }

  /** One of a few words to everybody, from a seat of one's own. */
  async say(seat: number, greeting: Greeting): Promise<void> {
    await this.request({ type: "greet", seat, greeting });
  }

  /** Call a player for whom the table waits; whether a page of theirs is open to hear it. */
  remind(seat: number): Promise<boolean> {
    return this.request({ type: "remind", seat }).then((answer) => answer.reached as boolean);
  }

  private request(body: { type: string; [field: string]: unknown }): Promise<any> {
    const message = { ...body, id: `${this.prefix}${++this.count}` };
    return new Promise((resolve, reject) => {
      this.waiting.set(message.id, { message, resolve, reject });
      this.send(message);
    });
  }

  private send(message: object): void {
    if (this.greeted && this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private readonly wake = (): void => {
    if (this.closed || globalThis.document?.visibilityState === "hidden") return;
    this.pause = FIRST_PAUSE;
    if (!this.socket || this.socket.readyState > 1) this.connect();
    else this.ping();
  };

  private connect(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    const url = `${location.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.id)}/socket`;
    const socket = (this.socket = this.open(url));
    this.greeted = false;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", tokens: this.tokens(), with: ["company"] }));
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.read(JSON.parse(String(data)) as FromServer);
    };
    socket.onclose = ({ code }) => {
      if (this.socket === socket) this.lost(code);
    };
  }

  private read(message: FromServer): void {
    this.expect();
    switch (message.type) {
      case "table":
        this.pause = FIRST_PAUSE;
        if (!this.greeted) {
          this.greeted = true;
          this.listener.connection("online");
          for (const { message: unanswered } of this.waiting.values()) this.send(unanswered);
        }
        this.listener.told(message);
        break;
      case "company":
      case "greeting":
      case "reminder":
        this.listener.company?.(message);
        break;
      case "refused": {
        const refusal = new Refused(message.code, message.message);
        if (message.id === undefined) {
          if (["unknown_table", "other_set", "malformed_message"].includes(message.code)) this.refuse(refusal);
        } else this.answer(message.id, (waiting) => waiting.reject(refusal));
        break;
      }
      default:
        this.answer(message.id, (waiting) => waiting.resolve(message));
    }
  }

  private refuse(refusal: Refused): void {
    this.closed = true;
    this.listener.connection("refused", refusal);
    this.socket?.close();
  }

  private answer(id: string, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting) how(waiting);
  }

  /** Expect a word within a while; else ask, and else take the connection for dead. */
  private expect(): void {
    clearTimeout(this.heart);
    this.heart = setTimeout(() => this.ping(), SILENCE);
  }

  private ping(): void {
    clearTimeout(this.heart);
    const socket = this.socket;
    this.send({ type: "ping", id: "ping" });
    this.heart = setTimeout(() => {
      if (this.socket !== socket) return;
      socket?.close();
      this.lost(1006);
    }, ANSWER);
  }

  private lost(_code: number): void {
    clearTimeout(this.heart);
    this.socket = null;
    this.greeted = false;
    if (this.closed) return;
    this.listener.connection("reconnecting");
    // With some chance in it, so that not all come back at the same moment.
    this.timer = setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }
}

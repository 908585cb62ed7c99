/** The socket of one table: reconnects by itself, and asks with answers. */
import { about, passes } from "./again.ts";
import { Refused } from "./api.ts";
import { HereSocket, isHere } from "./here.ts";
import type { Move } from "./open.ts";
import type {
  FromServer,
  Greeting,
  GreetingMessage,
  PresenceMessage,
  ReminderMessage,
  TableMessage,
} from "./protocol.ts";

export type Connection = "connecting" | "online" | "reconnecting" | "refused";

/** What comes besides the table; no server keeps it. */
export type SocialMessage = PresenceMessage | GreetingMessage | ReminderMessage;

/** What a socket tells its owner. */
export interface Listener {
  told(message: TableMessage): void;
  /** Who is there, and what they say. */
  company?(message: SocialMessage): void;
  /** The host has sent us away. */
  removed?(): void;
  connection(state: Connection, refusal?: Refused): void;
  /** Something was asked a while ago, and there is no answer yet; or there is one at last. */
  late?(is: boolean): void;
}

interface Waiting {
  message: { type: string; id: string };
  // biome-ignore lint/suspicious/noExplicitAny: each request has an answer of its own, whose type it knows.
  resolve(answer: any): void;
  reject(error: Error): void;
  /** When it is sent again. */
  timer?: ReturnType<typeof setTimeout>;
  pause: number;
  late: boolean;
}

/** Milliseconds. Tests make time run faster. */
export const TIMES = {
  firstPause: 250,
  longestPause: 8_000,
  /** Until a connection that was opened has told the table. */
  greeting: 10_000,
  /** Without a word: after that we ask whether anybody is there. */
  silence: 15_000,
  /** Until there is an answer to that. */
  answer: 6_000,
  /** Until what was asked is sent again. */
  again: 3_000,
  /** Until what was refused for the moment is sent again. */
  refused: 400,
};

/** The code of a connection that the server closes for good. */
const REFUSED = 4400;

export class TableSocket {
  private socket: WebSocket | null = null;
  private pause = TIMES.firstPause;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heart: ReturnType<typeof setTimeout> | undefined;
  private waiting = new Map<string, Waiting>();
  private closed = false;
  private greeted = false;
  /** What was refused without saying which question. */
  private lastWord: Refused | null = null;
  /** Of the table as it was last told. */
  private version = 0;
  /** Makes ids that no other tab on the same seat makes. */
  private readonly prefix = Math.random().toString(36).slice(2, 10);
  private count = 0;

  constructor(
    private readonly id: string,
    private readonly tokens: () => string[],
    private readonly listener: Listener,
    private readonly open: (url: string) => WebSocket = (url) =>
      isHere(id) ? (new HereSocket(id) as unknown as WebSocket) : new WebSocket(url),
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
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Refused("closed", "The table was left."));
    }
    this.waiting.clear();
  }

  /** Say hello again, with the tokens as they are now. */
  greet(): void {
    this.pause = TIMES.firstPause;
    if (this.socket && this.socket.readyState <= 1) this.socket.close();
    else this.connect();
  }

  /** A move; resolves with its version once it is durable. Sent again until there is an answer:
   * the server carries out the same id only once. */
  move(move: Move): Promise<number> {
    return this.request({ type: "move", move }).then((answer) => answer.version as number);
  }

  /** The legal moves of a seat, or only the layings of one domino. */
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

  // biome-ignore lint/suspicious/noExplicitAny: each request has an answer of its own, whose type it knows.
  private request(body: { type: string; [field: string]: unknown }): Promise<any> {
    const message = { ...body, id: `${this.prefix}${++this.count}` };
    return new Promise((resolve, reject) => {
      const waiting = { message, resolve, reject, pause: TIMES.again, late: false };
      this.waiting.set(message.id, waiting);
      this.put(waiting);
    });
  }

  /** Send what is unanswered, and once more if there is no answer in time: a line may lose either. */
  private put(waiting: Waiting): void {
    this.send(waiting.message);
    this.putLater(waiting, waiting.pause);
  }

  private putLater(waiting: Waiting, milliseconds: number): void {
    clearTimeout(waiting.timer);
    waiting.timer = setTimeout(() => {
      waiting.pause = Math.min(TIMES.longestPause, 2 * waiting.pause);
      waiting.late = true;
      this.tellLate();
      this.put(waiting);
    }, about(milliseconds));
  }

  private tellLate(): void {
    this.listener.late?.([...this.waiting.values()].some(({ late }) => late));
  }

  private send(message: object): void {
    if (this.greeted && this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private readonly wake = (): void => {
    if (this.closed || globalThis.document?.visibilityState === "hidden") return;
    this.pause = TIMES.firstPause;
    if (!this.socket || this.socket.readyState > 1) this.connect();
    else this.ping();
  };

  private connect(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    const url = `${location.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.id)}/socket`;
    const socket = (this.socket = this.open(url));
    this.greeted = false;
    this.lastWord = null;
    clearTimeout(this.heart);
    this.heart = setTimeout(() => this.giveUp(socket), TIMES.greeting);
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: "hello", tokens: this.tokens(), with: ["moves", "company"] }));
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.read(JSON.parse(String(data)) as FromServer);
    };
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      // A line that doubles our greeting is no reason to go; one that is not understood is.
      if (code === REFUSED && this.lastWord?.code === "malformed_message") this.refuse(this.lastWord);
      else this.lost();
    };
  }

  private read(message: FromServer): void {
    this.expect();
    switch (message.type) {
      case "table":
        this.pause = TIMES.firstPause;
        if (!this.greeted) {
          this.greeted = true;
          this.listener.connection("online");
          for (const unanswered of this.waiting.values()) this.put(unanswered);
        } else if (message.version < this.version) break; // It was overtaken.
        this.version = message.version;
        this.listener.told(message);
        break;
      case "company":
      case "greeting":
      case "reminder":
        this.listener.company?.(message);
        break;
      case "removed":
        this.listener.removed?.();
        break;
      case "refused": {
        const refusal = new Refused(message.code, message.message);
        if (message.id === undefined) {
          if (["unknown_table", "other_set", "damaged_table", "table_closed"].includes(message.code))
            this.refuse(refusal);
          else this.lastWord = refusal;
        } else if (passes(refusal)) {
          const waiting = this.waiting.get(message.id);
          if (waiting) this.putLater(waiting, TIMES.refused);
        } else this.answer(message.id, (waiting) => waiting.reject(refusal));
        break;
      }
      default:
        this.answer(message.id, (waiting) => waiting.resolve(message));
        // News come before what is answered later: some were lost, and the whole table is told to whoever comes.
        if (this.greeted && "version" in message && message.version > this.version) this.giveUp(this.socket);
    }
  }

  private refuse(refusal: Refused): void {
    this.closed = true;
    this.listener.connection("refused", refusal);
    this.socket?.close();
  }

  private answer(id: string, how: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.waiting.delete(id);
    if (waiting.late) this.tellLate();
    how(waiting);
  }

  /** Expect a word within a while; else ask, and else take the connection for dead. */
  private expect(): void {
    clearTimeout(this.heart);
    this.heart = setTimeout(() => this.ping(), TIMES.silence);
  }

  private ping(): void {
    clearTimeout(this.heart);
    const socket = this.socket;
    this.send({ type: "ping", id: "ping" });
    this.heart = setTimeout(() => this.giveUp(socket), TIMES.answer);
  }

  /** A connection that is not worth waiting for any longer. */
  private giveUp(socket: WebSocket | null): void {
    if (this.socket !== socket) return;
    this.lost();
    socket?.close();
  }

  private lost(): void {
    clearTimeout(this.heart);
    this.socket = null;
    this.greeted = false;
    if (this.closed) return;
    this.listener.connection("reconnecting");
    this.timer = setTimeout(() => this.connect(), about(this.pause));
    this.pause = Math.min(TIMES.longestPause, this.pause * 2);
  }
}

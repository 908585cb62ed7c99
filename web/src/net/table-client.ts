/** Requests to one table, each with its answer. */
import { type Backend, type Connection, type ConnectionListener, Refused } from "./backend.ts";
import type { Move } from "./open.ts";
import type {
  Accepted,
  Done,
  FromClient,
  FromServer,
  Greet,
  Greeting,
  GreetingMessage,
  Legal,
  LegalMoves,
  Play,
  PresenceMessage,
  Remind,
  ReminderMessage,
  TableMessage,
} from "./protocol.ts";

/** What comes besides the table; no server keeps it. */
export type SocialMessage = PresenceMessage | GreetingMessage | ReminderMessage;

export interface TableListener extends Omit<ConnectionListener, "onMessage"> {
  onTable(message: TableMessage): void;
  onSocial?(message: SocialMessage): void;
  /** The host has sent us away. */
  onRemoved?(): void;
}

interface Pending {
  resolve(answer: FromServer): void;
  reject(error: Refused): void;
}

export class TableClient {
  readonly #connection: Connection;
  readonly #pending = new Map<string, Pending>();
  /** Makes ids that no other tab on the same seat makes. */
  readonly #idPrefix = Math.random().toString(36).slice(2, 10);
  #count = 0;

  constructor(
    backend: Backend,
    id: string,
    private readonly listener: TableListener,
  ) {
    this.#connection = backend.connect(id, {
      tokens: () => listener.tokens(),
      onMessage: (message) => this.#receive(message),
      onState: (state, refusal) => listener.onState(state, refusal),
      onLate: (isLate) => listener.onLate?.(isLate),
    });
  }

  close(): void {
    this.#connection.close();
    for (const { reject } of this.#pending.values()) reject(new Refused("closed", "The table was left."));
    this.#pending.clear();
  }

  /** Say hello again, with the tokens as they are now. */
  greet(): void {
    this.#connection.greet();
  }

  /** A move; resolves with its version once it is durable. */
  async move(move: Move): Promise<number> {
    const { version } = await this.#request<Play, Accepted>({ type: "move", move });
    return version;
  }

  /** The legal moves of a seat, or only the layings of one domino. */
  listMoves(seat: number, tile?: string): Promise<LegalMoves> {
    return this.#request<Legal, LegalMoves>({ type: "legal", seat, ...(tile !== undefined && { tile }) });
  }

  /** One of a few greetings to everyone, from a seat of one's own. */
  async sendGreeting(seat: number, greeting: Greeting): Promise<void> {
    await this.#request<Greet, Done>({ type: "greet", seat, greeting });
  }

  /** Remind a player for whom the table waits; whether a page of theirs is open. */
  async remind(seat: number): Promise<boolean> {
    const { reached } = await this.#request<Remind, Done>({ type: "remind", seat });
    return reached === true;
  }

  #request<Question extends Exclude<FromClient, { type: "hello" | "ping" }>, Answer extends FromServer>(
    question: Omit<Question, "id">,
  ): Promise<Answer> {
    const message = { ...question, id: `${this.#idPrefix}${++this.#count}` } as Question;
    return new Promise<Answer>((resolve, reject) => {
      this.#pending.set(message.id, { resolve: (answer) => resolve(answer as Answer), reject });
      this.#connection.send(message);
    });
  }

  #receive(message: FromServer): void {
    switch (message.type) {
      case "table":
        this.listener.onTable(message);
        break;
      case "company":
      case "greeting":
      case "reminder":
        this.listener.onSocial?.(message);
        break;
      case "removed":
        this.listener.onRemoved?.();
        break;
      case "refused": {
        const refusal = new Refused(message.code, message.message, 0, message.values);
        this.#settle(message.id, ({ reject }) => reject(refusal));
        break;
      }
      default:
        this.#settle(message.id, ({ resolve }) => resolve(message));
    }
  }

  #settle(id: string | undefined, how: (pending: Pending) => void): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (!pending || id === undefined) return;
    this.#pending.delete(id);
    how(pending);
  }
}

/**
 * The page's side of the tables of this device.
 *
 * One tab hosts them, with a worker for tables and one that thinks; the others follow it over a BroadcastChannel. The
 * tab that holds a Web Lock hosts. When it is closed or frozen, another one gets the lock, starts its workers and loads the
 * tables from the store. The same happens when a worker ends. Then every tab says hello again, and repeats what was not
 * answered: no move is lost, and none is made twice.
 */
import type { FromClient, FromServer, Hello } from "../src/net/protocol.ts";
import { Engine, EngineError } from "./client.ts";
import { HostLock } from "./host-lock.ts";
import type {
  Asked,
  FromTables,
  ImportRequest,
  Refusal,
  StorageTrouble,
  TableRequest,
  ToTables,
  Write,
} from "./table-messages.ts";

export { listAllTables, listTables, readRawTable } from "./table-store.ts";

/** Of the channel, and of the locks of tabs. */
const NAME = "dalapapa tables";
/** How often a message is repeated whose answer was lost because the worker ended: it may have been the cause. */
const MAX_ATTEMPTS = 3;
/** A worker that does not answer for so long hangs. Only time counts in which this page runs: it may be frozen. */
const HANG_CHECK_MS = 3_000;
const MAX_HANG_CHECKS = 10;
const TOO_HARD = "This is too hard for this device.";

/** What a tab sends to the host; `look`: whether it is there. */
interface ToHost {
  to: "host";
  from: string;
  message: ToTables | { type: "look" };
}

/** What the host sends to a tab, or to all. With `ready`, it knows no session. */
interface FromHost {
  to: string;
  from: string;
  message: FromTables | { type: "here" };
}

export interface SessionListener {
  /** The tokens of this browser's seats. */
  tokens(): string[];
  onMessage(message: FromServer): void;
  /** The host has ended; another one comes. */
  onLost(): void;
  /** The table is gone, or cannot be opened; its last message says why. */
  onEnd(): void;
}

interface Waiting<Message> {
  message: Message;
  attempts: number;
}

interface PendingRequest extends Waiting<TableRequest | ImportRequest> {
  resolve(answer: unknown): void;
  reject(error: EngineError): void;
}

export class DeviceTables {
  /** Gets the share of the engine that is loaded. */
  onLoading: (done: number) => void = () => {};
  /** Gets why tables are not stored any more, or null when they are again. */
  onStorage: (trouble: StorageTrouble | null) => void = () => {};

  private readonly tab = crypto.randomUUID();
  private readonly channel = new BroadcastChannel(NAME);
  private readonly requests = new Map<number, PendingRequest>();
  private readonly sessions = new Map<string, Session>();
  private host: Host | null = null;
  /** The tab that hosts, if this one follows. */
  private hostTab: string | null = null;
  private readonly lock: HostLock;
  private count = 0;

  /** `startTables` and `startThinking` make workers of the engine's `tables-worker` and `worker`. */
  constructor(
    private readonly startTables: () => Worker,
    private readonly startThinking: () => Worker,
  ) {
    this.channel.onmessage = ({ data }: MessageEvent<ToHost | FromHost>) => this.hear(data);
    // While this tab lives, it holds a lock of its own: so the host learns when it is gone.
    void navigator.locks.request(nameTab(this.tab), () => new Promise(() => {}));
    this.lock = new HostLock({
      begin: () => this.beginHosting(),
      end: () => this.endHosting(),
      ask: () => this.postToHost({ type: "look" }),
    });
  }

  request(
    path: string,
    { method = "GET", body, token }: { method?: string; body?: unknown; token?: string | null } = {},
  ) {
    const id = ++this.count;
    return this.send({ type: "request", id, method, path, token: token ?? "", body: body ?? {} });
  }

  /** Store tables that `/tables/check` has verified; the ids of those that are new or longer than here. */
  import(tables: Write[]): Promise<unknown> {
    return this.send({ type: "import", id: ++this.count, tables });
  }

  private send(message: TableRequest | ImportRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pending = { message, attempts: 0, resolve, reject };
      this.requests.set(message.id, pending);
      this.ask(pending);
    });
  }

  open(table: string, listener: SessionListener): Session {
    const id = `${this.tab} ${++this.count}`;
    const session = new Session(id, table, listener, (message) => this.post(message));
    this.sessions.set(id, session);
    session.begin();
    return session;
  }

  close(session: Session): void {
    this.sessions.delete(session.id);
    this.post({ type: "close", session: session.id });
  }

  private ask(pending: PendingRequest): void {
    pending.attempts++;
    this.post(pending.message);
  }

  /** Send a message to the host, in this tab or in another one. */
  private post(message: ToTables): void {
    if (this.host) this.host.take(this.tab, message);
    else this.postToHost(message);
  }

  private postToHost(message: ToHost["message"]): void {
    this.channel.postMessage({ to: "host", from: this.tab, message } satisfies ToHost);
  }

  private postFromHost(to: string, message: FromHost["message"]): void {
    this.channel.postMessage({ to, from: this.tab, message } satisfies FromHost);
  }

  private hear(data: ToHost | FromHost): void {
    if (isToHost(data)) {
      if (data.message.type !== "look") this.host?.take(data.from, data.message);
      else if (this.host) this.postFromHost(data.from, { type: "here" });
      return;
    }
    const { to, from, message } = data;
    if (this.host || (to !== this.tab && to !== "all")) return;
    if (message.type === "here") {
      this.lock.noteAnswer();
      return;
    }
    // A tab that was frozen may say something before it learns that it is not the host any more.
    if (message.type === "ready" || message.type === "not_loaded") this.hostTab = from;
    else this.hostTab ??= from;
    if (from === this.hostTab) this.receive(message);
  }

  private beginHosting(): void {
    this.host = new Host(this.startTables, this.startThinking, (tab, message) => {
      if (tab === this.tab || tab === "all") this.receive(message);
      if (tab !== this.tab) this.postFromHost(tab, message);
    });
    this.host.onLoading = (done) => this.onLoading(done);
  }

  /** Another tab hosts: it has stored all that this one has shown. */
  private endHosting(): void {
    this.host?.end();
    this.host = this.hostTab = null;
    this.repeat();
  }

  private receive(message: FromTables): void {
    switch (message.type) {
      case "ready":
        this.repeat();
        break;
      case "storage":
        this.onStorage(message.trouble);
        break;
      case "not_loaded":
        this.fail(message.reason);
        break;
      case "sent":
        this.sessions.get(message.session)?.receive(message.message);
        break;
      case "closed":
        this.sessions.get(message.session)?.listener.onEnd();
        this.sessions.delete(message.session);
        break;
      case "reply":
        this.settle(message.id, message.answer, message.error);
    }
  }

  private settle(id: number, answer: unknown, error: Refusal | undefined): void {
    const pending = this.requests.get(id);
    this.requests.delete(id);
    if (error) pending?.reject(makeError(error));
    else pending?.resolve(answer);
  }

  /** A host is ready that knows nothing of this tab. */
  private repeat(): void {
    for (const session of this.sessions.values()) session.begin();
    for (const [id, pending] of this.requests) {
      if (pending.attempts < MAX_ATTEMPTS) this.ask(pending);
      else this.settle(id, undefined, { code: "too_hard", message: TOO_HARD, status: 422 });
    }
  }

  /** The engine cannot be loaded; the next request or session tries again. */
  private fail(reason: string): void {
    const refusal = { code: "not_loaded", message: reason };
    for (const id of [...this.requests.keys()]) this.settle(id, undefined, { ...refusal, status: 503 });
    for (const session of this.sessions.values()) {
      session.listener.onMessage({ type: "refused", ...refusal });
      session.listener.onEnd();
    }
    this.sessions.clear();
  }
}

const isToHost = (data: ToHost | FromHost): data is ToHost => data.to === "host";

const nameTab = (tab: string): string => `${NAME} ${tab}`;

const makeError = ({ code, message, status, values }: Refusal): EngineError =>
  Object.assign(new EngineError(code, message, values), { status });

/** A table that a tab watches. */
export class Session {
  /** Messages without an answer, by their ids. */
  private readonly unanswered = new Map<string, Waiting<Exclude<FromClient, Hello>>>();
  private hasTable = false;

  constructor(
    readonly id: string,
    private readonly table: string,
    readonly listener: SessionListener,
    private readonly post: (message: ToTables) => void,
  ) {}

  /** Open the table at a host that does not know this session. */
  begin(): void {
    if (this.hasTable) this.listener.onLost();
    this.hasTable = false;
    this.post({ type: "open", session: this.id, table: this.table });
    this.greet();
  }

  /** Say hello, also again with other tokens. */
  greet(): void {
    this.post(this.wrap({ type: "hello", tokens: this.listener.tokens(), with: ["moves", "company"] }));
  }

  say(message: Exclude<FromClient, Hello>): void {
    const waiting = { message, attempts: 0 };
    this.unanswered.set(message.id, waiting);
    if (this.hasTable) this.transmit(waiting);
  }

  private transmit(waiting: Waiting<Exclude<FromClient, Hello>>): void {
    waiting.attempts++;
    this.post(this.wrap(waiting.message));
  }

  private wrap(message: FromClient): ToTables {
    return { type: "say", session: this.id, message };
  }

  receive(message: FromServer): void {
    if ("id" in message && message.id !== undefined) this.unanswered.delete(message.id);
    const isFirst = message.type === "table" && !this.hasTable;
    if (isFirst) this.hasTable = true;
    this.listener.onMessage(message);
    if (isFirst) this.repeat();
  }

  private repeat(): void {
    for (const [id, waiting] of this.unanswered) {
      if (waiting.attempts < MAX_ATTEMPTS) this.transmit(waiting);
      else this.receive({ type: "refused", code: "too_hard", message: TOO_HARD, id });
    }
  }
}

/** The workers, in the tab that hosts. */
class Host {
  onLoading: (done: number) => void = () => {};

  private readonly engine: Engine;
  private readonly thoughts = new Map<number, AbortController>();
  /** The tab of each request, whose ids are unique in its tab only. */
  private readonly requests = new Map<number, { tab: string; id: number }>();
  private readonly tabs = new Map<string, Set<string>>();
  private worker: Worker | null = null;
  private isReady = false;
  private hasEnded = false;
  private count = 0;
  /** The next look at a worker that was asked whether it answers. */
  private watching: ReturnType<typeof setTimeout> | undefined;
  /** Whether messages came after it was asked. */
  private isWatchDue = false;

  constructor(
    private readonly startTables: () => Worker,
    startThinking: () => Worker,
    private readonly send: (tab: string, message: FromTables) => void,
  ) {
    this.engine = new Engine(startThinking);
    this.begin();
  }

  /** Take a message of a tab. Before the worker is ready nothing is done: all tabs repeat what they want then. */
  take(tab: string, message: ToTables): void {
    if (this.hasEnded) return;
    if (!this.worker) this.begin();
    if (this.isReady) this.forward(tab, message);
  }

  private forward(tab: string, message: ToTables): void {
    this.post(tab, message);
    if (this.watching === undefined) this.watch();
    else this.isWatchDue = true;
  }

  /** Restart the worker if it does not answer; then all tabs repeat what they want. */
  private watch(): void {
    this.isWatchDue = false;
    this.worker?.postMessage({ type: "ping" } satisfies ToTables);
    let checks = 0;
    const check = () => {
      if (++checks < MAX_HANG_CHECKS) this.watching = setTimeout(check, HANG_CHECK_MS);
      else this.restart("It does not answer.");
    };
    this.watching = setTimeout(check, HANG_CHECK_MS);
  }

  private endWatch(): void {
    clearTimeout(this.watching);
    this.watching = undefined;
  }

  private post(tab: string, message: ToTables): void {
    if (message.type === "request" || message.type === "import") {
      const id = ++this.count;
      this.requests.set(id, { tab, id: message.id });
      this.worker?.postMessage({ ...message, id });
      return;
    }
    if (message.type === "open") this.watchTab(tab).add(message.session);
    if (message.type === "close") this.tabs.get(tab)?.delete(message.session);
    this.worker?.postMessage(message);
  }

  /** The sessions of a tab, which end when it is closed. */
  private watchTab(tab: string): Set<string> {
    const known = this.tabs.get(tab);
    if (known) return known;
    const sessions = new Set<string>();
    this.tabs.set(tab, sessions);
    void navigator.locks.request(nameTab(tab), () => {
      this.tabs.delete(tab);
      for (const session of sessions) this.take(tab, { type: "close", session });
    });
    return sessions;
  }

  private begin(): void {
    let worker: Worker;
    try {
      worker = this.startTables();
    } catch (error) {
      // This browser has no workers, or allows none.
      this.send("all", { type: "not_loaded", reason: String(error) });
      return;
    }
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromTables>) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.isReady) this.restart(event.message);
      else this.hear({ type: "not_loaded", reason: event.message || "The worker could not be loaded." });
    };
  }

  private hear(message: FromTables): void {
    switch (message.type) {
      case "loading":
        this.onLoading(message.done);
        break;
      case "ready":
        this.isReady = true;
        this.onLoading(1);
        this.engine.prepare();
        this.send("all", message);
        break;
      case "pong":
        this.endWatch();
        if (this.isWatchDue) this.watch();
        break;
      case "not_loaded":
        this.stop();
        this.send("all", message);
        break;
      case "fatal":
        this.restart(message.reason);
        break;
      case "reply": {
        const request = this.requests.get(message.id);
        this.requests.delete(message.id);
        if (request) this.send(request.tab, { ...message, id: request.id });
        break;
      }
      case "ask":
        void this.think(message.question);
        break;
      case "cancel":
        this.thoughts.get(message.id)?.abort();
        break;
      case "storage":
        this.send("all", message);
        break;
      default:
        this.send(message.session.split(" ", 1)[0] ?? "", message);
    }
  }

  private async think({ id, method, arguments: asked }: Asked): Promise<void> {
    const worker = this.worker;
    const controller = new AbortController();
    this.thoughts.set(id, controller);
    let reply: Extract<ToTables, { type: "answer" }>;
    try {
      reply = { type: "answer", id, answer: await this.engine.call(method, asked, { signal: controller.signal }) };
    } catch (error) {
      const isRefusal = error instanceof EngineError;
      reply = {
        type: "answer",
        id,
        error: isRefusal ? { code: error.code, message: error.message, status: 422 } : undefined,
      };
    }
    this.thoughts.delete(id);
    // A cancelled question has no answer, and a new worker has not asked it.
    if (!controller.signal.aborted && this.worker === worker) worker?.postMessage(reply);
  }

  end(): void {
    this.hasEnded = true;
    this.stop();
    this.engine.close();
  }

  private stop(): void {
    this.endWatch();
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
    this.requests.clear();
    for (const controller of this.thoughts.values()) controller.abort();
  }

  /** The worker has ended; the next one loads the tables from the store. */
  private restart(reason: string): void {
    console.error(`The worker of the tables ended: ${reason}`);
    this.stop();
    this.begin();
  }
}

/**
 * Carries out what follows from events at the tables of this device: it stores first, and sends then.
 *
 * One event is finished before the next one begins, so that pages never see what is not stored. Where storing fails,
 * the game goes on in memory; everything that is not stored yet is tried again with the next entry.
 */
import type { Effects, FromTables, ImportRequest, Refusal, StorageTrouble, ToTables, Write } from "./table-messages.ts";
import { FORMAT, IndexedTables, NoTables, openDatabase, type TableStore } from "./table-store.ts";

/** What Python handles. */
type Event =
  | Exclude<ToTables, ImportRequest | { type: "ping" }>
  | { type: "tick" }
  | { type: "load"; id: string; table?: unknown; log?: unknown };

/** What the host takes: messages of pages, and what it asks of itself. */
type Task = ToTables | { type: "tick" } | { type: "reload"; id: string };

const NO_STORAGE: Refusal = { code: "no_storage", message: "This browser could not change its storage.", status: 503 };

/** The longest time of a timer of a browser. */
const MAX_TIMER_MS = 0x7fff_ffff;

export async function openStore(engine: string): Promise<TableStore> {
  try {
    return new IndexedTables(await openDatabase(), engine);
  } catch {
    return new NoTables();
  }
}

export class TableHost {
  private queue: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What could not be stored so far. */
  private unstored: Write[] = [];
  private trouble: StorageTrouble | null = null;
  private hasEnded = false;

  constructor(
    private readonly handle: (event: string) => string,
    private readonly store: TableStore,
    private readonly send: (message: FromTables) => void,
    private readonly now: () => number = Date.now,
  ) {
    if (store instanceof NoTables) this.report("unavailable");
  }

  /** Take a task, after all earlier ones. */
  take(task: Task): void {
    this.queue = this.queue.then(() => this.work(task)).catch((error: unknown) => this.end(error));
  }

  /** When all events so far are done. */
  settled(): Promise<void> {
    return this.queue;
  }

  private async work(task: Task): Promise<void> {
    if (this.hasEnded) return;
    if (task.type === "ping") this.send({ type: "pong" });
    else if (task.type === "import") await this.import(task);
    else if (task.type === "reload") await this.load(task.id);
    else await this.handleEvent(task);
  }

  private async handleEvent(event: Event): Promise<void> {
    let effects = this.ask(event);
    while (effects.load !== undefined) {
      await this.load(effects.load);
      effects = this.ask(event);
    }
    if (effects.refused) {
      this.refuse(event, effects.refused); // Nothing was done, so the timer stays as it is.
      return;
    }
    await this.carryOut(effects);
  }

  private async carryOut(effects: Effects): Promise<void> {
    await this.write(effects.writes ?? []);
    const isDeleted = await this.delete(effects.deleted ?? []);
    for (const sent of effects.sent ?? []) this.send({ type: "sent", ...sent });
    for (const session of effects.closed ?? []) this.send({ type: "closed", session });
    for (const reply of effects.replies ?? [])
      this.send({ type: "reply", ...(isDeleted ? reply : { id: reply.id, error: NO_STORAGE }) });
    for (const id of effects.cancelled ?? []) this.send({ type: "cancel", id });
    for (const question of effects.questions ?? []) this.send({ type: "ask", question });
    this.wakeAt(effects.wake_at);
  }

  private ask(event: Event): Effects {
    return JSON.parse(this.handle(JSON.stringify({ now: this.now(), event }))) as Effects;
  }

  private async load(id: string): Promise<void> {
    let effects = this.ask({ type: "load", id, ...(await this.read(id)) });
    if (effects.refused) effects = this.ask({ type: "load", id, table: null }); // Too large to read: a damaged table.
    await this.carryOut(effects);
  }

  /** Pages that watch a table whose log is longer now get it. */
  private async import({ id, tables }: ImportRequest): Promise<void> {
    let merged: string[];
    try {
      merged = await this.store.merge(tables);
    } catch {
      this.send({ type: "reply", id, error: NO_STORAGE });
      return;
    }
    this.forget(merged);
    for (const table of merged) this.take({ type: "reload", id: table });
    this.send({ type: "reply", id, answer: merged });
  }

  private async delete(ids: readonly string[]): Promise<boolean> {
    if (!ids.length) return true;
    this.forget(ids);
    try {
      await this.store.delete(ids);
      return true;
    } catch {
      return false;
    }
  }

  /** Do not try to store any more what was to be stored of some tables. */
  private forget(ids: readonly string[]): void {
    this.unstored = this.unstored.filter(({ id }) => !ids.includes(id));
  }

  private async read(id: string): Promise<{ table?: unknown; log?: unknown }> {
    try {
      const found = await this.store.load(id);
      if (!found) return {};
      // What a newer edition has stored is not guessed at: it is refused like a damaged table.
      return found.table.format > FORMAT ? { table: null } : { table: found.table.table, log: found.log };
    } catch {
      return { table: null };
    }
  }

  /** Python could not read the event: its sender learns that. */
  private refuse(event: Event, error: Refusal): void {
    if (event.type === "request") this.send({ type: "reply", id: event.id, error });
    if (event.type === "say") {
      const id = "id" in event.message ? event.message.id : undefined;
      const { code, message } = error;
      this.send({ type: "sent", session: event.session, message: { type: "refused", code, message, id } });
    }
  }

  private async write(writes: readonly Write[]): Promise<void> {
    if (!writes.length) return;
    const all = [...this.unstored, ...writes];
    try {
      await this.store.write(all);
      this.unstored = [];
      if (this.trouble === "full") this.report(null);
    } catch (error) {
      // Another tab hosts by now: what it has stored holds.
      if (error instanceof DOMException && error.name === "ConstraintError") throw error;
      this.unstored = all;
      this.report("full");
    }
  }

  private report(trouble: StorageTrouble | null): void {
    if (this.trouble === trouble) return;
    this.trouble = trouble;
    this.send({ type: "storage", trouble });
  }

  private wakeAt(at: number | undefined): void {
    clearTimeout(this.timer);
    if (at === undefined) return;
    const milliseconds = Math.min(Math.max(0, at - this.now()), MAX_TIMER_MS);
    this.timer = setTimeout(() => this.take({ type: "tick" }), milliseconds);
  }

  /** Python never raises, so this is the end of the interpreter. Nothing that was shown is lost: it is stored. */
  private end(error: unknown): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.send({ type: "fatal", reason: error instanceof Error ? error.message : String(error) });
  }
}

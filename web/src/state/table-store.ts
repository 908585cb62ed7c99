/** One table as it was received: the latest message, the log, the connection. */
import { batch, computed, signal } from "@preact/signals";
import { ask } from "../net/api.ts";
import { type ConnectionState, Refused } from "../net/backend.ts";
import type { GameEvent } from "../net/open.ts";
import type { TableMessage, View } from "../net/protocol.ts";
import { retry } from "../net/retry.ts";
import { tokenOf } from "./storage.ts";

/** What happened at one version of the table. */
export interface LogEntry {
  version: number;
  /** When, by the server's time. */
  at?: number;
  events: GameEvent[];
}

/** An entry that is new here. */
export interface EntryNews {
  entry: LogEntry;
  /** It happened just now; otherwise this browser was away meanwhile. */
  live: boolean;
}

/** Versions that a viewer may miss, as when others are quick, and still sees them happen. */
const MAX_LIVE_GAP = 3;
/** Missed entries that are news; those before them are in the log. */
const MAX_MISSED_NEWS = 12;

export class TableStore<V extends View = View> {
  readonly connection = signal<ConnectionState>("connecting");
  readonly refusal = signal<Refused | null>(null);
  readonly message = signal<TableMessage<V> | null>(null);
  readonly log = signal<readonly LogEntry[]>([]);
  /** The news that came last. */
  readonly latest = signal<EntryNews | null>(null);
  /** Milliseconds that the server's clock is ahead of ours. */
  readonly clockLead = signal(0);
  /** What was requested a while ago and is not answered yet, by name. */
  readonly #lateRequests = signal<ReadonlySet<string>>(new Set());
  readonly isLate = computed(() => this.#lateRequests.value.size > 0);
  readonly #listeners = new Set<(news: EntryNews) => void>();
  #waiting: { version: number; resolve(): void }[] = [];
  #loading = new AbortController();

  constructor(readonly id: string) {}

  close(): void {
    this.#loading.abort();
    this.#resolveUpTo(Infinity);
  }

  /** Hear of everything that happens from now on, once; returns how to stop. */
  onEntry(listener: (news: EntryNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  receive(received: TableMessage<V>): void {
    const before = this.message.value;
    const isRepeated = received.version === before?.version;
    const message = isRepeated ? { ...received, events: [] } : received;
    const isNext = before !== null && message.version === before.version + 1;
    const { version, at, events } = message;
    batch(() => {
      this.clockLead.value = message.now - Date.now();
      this.message.value = message;
      if (isNext && events.length) this.#add({ version, at, events });
    });
    if (!isNext && !isRepeated && message.table.phase !== "waiting") void this.#loadHistory(before?.version ?? null);
    this.#resolveUpTo(version);
  }

  reportLate(request: string, isLate: boolean): void {
    if (this.#lateRequests.value.has(request) === isLate) return;
    const others = [...this.#lateRequests.value].filter((one) => one !== request);
    this.#lateRequests.value = new Set(isLate ? [...others, request] : others);
  }

  /** Until a version has come: it comes before the answer to the move that made it, but may be lost. */
  async waitFor(version: number): Promise<void> {
    if ((this.message.value?.version ?? 0) >= version) return;
    await new Promise<void>((resolve) => this.#waiting.push({ version, resolve }));
  }

  #resolveUpTo(version: number): void {
    const reached = this.#waiting.filter((one) => one.version <= version);
    this.#waiting = this.#waiting.filter((one) => one.version > version);
    for (const { resolve } of reached) resolve();
  }

  #add(entry: LogEntry): void {
    this.log.value = [...this.log.value, entry];
    this.#publish([{ entry, live: true }]);
  }

  /** Listeners hear of an entry once everything that follows from it can be read. */
  #publish(news: readonly EntryNews[]): void {
    const last = news.at(-1);
    if (!last) return;
    this.latest.value = last;
    queueMicrotask(() => {
      for (const one of news) for (const listener of this.#listeners) listener(one);
    });
  }

  /** All that has happened so far, after a gap; `seen` is the last version before it. */
  async #loadHistory(seen: number | null): Promise<void> {
    this.#loading.abort();
    const { signal: stop } = (this.#loading = new AbortController());
    try {
      const token = tokenOf(this.id);
      const history = await retry((signal) => ask<LogEntry[]>(`/tables/${this.id}/history`, { token, signal }), {
        stop,
        onLate: (isLate) => this.reportLate("history", isLate),
      });
      if (stop.aborted) return;
      const known = history.at(-1)?.version ?? 0;
      const missed = seen === null ? [] : history.filter(({ version }) => version > seen);
      batch(() => {
        this.log.value = [...history, ...this.log.value.filter((entry) => entry.version > known)];
        const live = missed.length <= MAX_LIVE_GAP;
        this.#publish(missed.slice(-MAX_MISSED_NEWS).map((entry) => ({ entry, live })));
      });
    } catch (error) {
      if (!stop.aborted && !(error instanceof Refused)) throw error;
    }
  }
}

/** What a page and the worker that hosts tables send each other, and what its Python gets and gives. */
import type { FromClient, FromServer } from "../src/net/protocol.ts";

/** The same as in `src/dalapapa/edition/device/messages.py`. */
export interface Refusal {
  code: string;
  message: string;
  status: number;
  values?: Record<string, number | string>;
}

export interface TableRequest {
  type: "request";
  id: number;
  method: string;
  path: string;
  token?: string;
  body?: unknown;
}

/** Store tables of a file that were verified; those that are here with as many entries stay. */
export interface ImportRequest {
  type: "import";
  id: number;
  tables: Write[];
}

export type ToTables =
  | TableRequest
  | ImportRequest
  /** Whether the worker still answers. */
  | { type: "ping" }
  /** A session watches a table. */
  | { type: "open"; session: string; table: string }
  | { type: "say"; session: string; message: FromClient }
  | { type: "close"; session: string }
  /** What the thinking worker answers to `ask`; without both, it has failed. */
  | { type: "answer"; id: number; answer?: unknown; error?: Refusal };

/** Of a question for the thinking worker: a method of methods.ts, and its arguments. */
export interface Asked {
  id: number;
  method: "think" | "hint" | "review_table" | "compare_table";
  arguments: never;
}

/** Why tables are not stored any more: the device has no room, or the browser allows no storage. */
export type StorageTrouble = "full" | "unavailable";

export type FromTables =
  | { type: "loading"; done: number }
  | { type: "ready" }
  | { type: "pong" }
  | { type: "not_loaded"; reason: string }
  | { type: "fatal"; reason: string }
  | { type: "sent"; session: string; message: FromServer }
  /** The session has ended; its last message says why. */
  | { type: "closed"; session: string }
  | { type: "reply"; id: number; answer?: unknown; error?: Refusal }
  | { type: "ask"; question: Asked }
  | { type: "cancel"; id: number }
  /** The storage has a trouble; null: it has none any more. */
  | { type: "storage"; trouble: StorageTrouble | null };

/** An entry of a log as it is stored. */
export interface Line {
  number: number;
  [field: string]: unknown;
}

/** What to store of a table: new entries, its summary for lists and, of a new one, the table itself. */
export interface Write {
  id: string;
  log: Line[];
  summary: TableSummaryHere;
  table?: unknown;
}

/** A table in the list of one's own: what `/own-tables` says of it. */
export interface TableSummaryHere {
  id: string;
  state: "here";
  [field: string]: unknown;
}

export interface Effects {
  writes?: Write[];
  deleted?: string[];
  sent?: { session: string; message: FromServer }[];
  closed?: string[];
  replies?: { id: number; answer?: unknown; error?: Refusal }[];
  questions?: Asked[];
  cancelled?: number[];
  refused?: Refusal;
  load?: string;
  wake_at?: number;
}

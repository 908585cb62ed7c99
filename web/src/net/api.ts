/** HTTP and JSON with the server (docs/protocol.md). */
import { signal as signalOf } from "@preact/signals";
import type { GameInfo } from "../data.ts";
import type { Disc } from "../geometry.ts";
import { alone, isHere } from "./here.ts";
import type { SeatSummary, TableSummary, View } from "./protocol.ts";

/** Whether the server could not be reached the last time that it was asked. */
export const away = signalOf(false);

/** The server said no: `code` never changes its meaning, `message` is a sentence in English, `values` are its figures. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 0,
    readonly values: Readonly<Record<string, number>> = {},
  ) {
    super(message);
  }
}

export interface Ask {
  method?: string;
  body?: unknown;
  token?: string | null;
  signal?: AbortSignal;
}

export async function ask<T>(path: string, asked: Ask = {}): Promise<T> {
  const { method, body, token, signal } = asked;
  if (isHere(path.split("/")[2] ?? "")) return withoutServer(path, asked);
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
    away.value = true;
    return withoutServer(path, asked);
  }
  let answer: Partial<Pick<Refused, "code" | "message" | "values">>;
  try {
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    // An answer that breaks off is none; and a refusal may come from something that stands before the server.
    if (response.ok) throw new Refused("offline", "The server cannot be reached.");
    answer = {};
  }
  const gone = !answer.code && GATEWAY.includes(response.status);
  // What the worker has kept comes marked.
  away.value = gone || response.headers?.get("x-kept") != null;
  if (gone) return withoutServer(path, asked);
  if (!response.ok)
    throw new Refused(answer.code ?? "http", answer.message ?? response.statusText, response.status, answer.values);
  return answer as T;
}

/** What something that stands before the server says when that is not there. */
const GATEWAY: readonly number[] = [502, 503, 504];

/** What this browser can answer itself. */
async function withoutServer<T>(path: string, asked: Ask): Promise<T> {
  const answer = await alone.answer(path, asked);
  if (answer === undefined) throw new Refused("offline", "The server cannot be reached.");
  return answer as T;
}

export interface NewTable {
  game: string;
  options?: Record<string, unknown>;
  seats: (string | null)[];
  host?: string | null;
  guests?: string[];
  visibility?: "public" | "private";
  spectators?: "none" | "public" | "all";
  clock?: { kind: "none" | "turn" | "bank"; seconds?: number; increment?: number };
  pace?: number;
  aids?: "all" | "places" | "none";
  hands?: "own" | "open";
  absence?: number;
  hints?: "yes" | "alone" | "no";
}

/** What the solver says of one's own frame in a race. */
export interface Hint {
  /** Whether it can be completed; null: not known. */
  possible: boolean | null;
  laying: string | null;
  /** Of the frame that the laying belongs to. */
  width: number | null;
}

export interface Created {
  id: string;
  token: string | null;
  seats: number[];
  table: TableSummary;
}

/** A table in the list of one's own; all but its id and state only if it is here. */
export interface OwnTold {
  id: string;
  /** `later`: the server has too much to do to say more now. */
  state: "here" | "removed" | "later";
  game?: string;
  phase?: TableSummary["phase"];
  seats?: SeatSummary[];
  yours?: number[];
  /** The seats for which the game waits. */
  asked?: number[];
  winners?: number[];
  changed?: number;
  deadline?: number | null;
}

/** A laying with what it would earn in the classic game. */
export interface Scored {
  laying: string;
  contacts: number;
  disc_points: number;
  groups: { colour: string; size: number; discs?: readonly Disc[] }[];
  group_points: number;
  points: number;
}

export interface Group {
  colour: string;
  size: number;
  closed: boolean;
  discs: [number, number][];
}

export interface Turn {
  layings: string[];
  points: number;
}

/** Of a table. */
export const path = (id: string) => `/tables/${encodeURIComponent(id)}`;

export const api = {
  games: () => ask<GameInfo[]>("/games"),
  lobby: () => ask<TableSummary[]>("/tables"),
  own: (tables: { id: string; token: string }[]) => ask<OwnTold[]>("/own-tables", { body: { tables } }),
  create: (table: NewTable) => ask<Created>("/tables", { body: table }),
  fetch: (id: string) => ask<{ version: number; table: TableSummary; views: Record<string, View> }>(path(id)),
  sit: (id: string, seat: number, name: string) =>
    ask<{ token: string }>(`${path(id)}/seats/${seat}`, { body: { name } }),
  leave: (id: string, seat: number, token: string) => ask(`${path(id)}/seats/${seat}`, { method: "DELETE", token }),
  comeBack: (id: string, seat: number, token: string) =>
    ask(`${path(id)}/seats/${seat}/return`, { method: "POST", token }),
  replace: (id: string, seat: number, token: string) =>
    ask(`${path(id)}/seats/${seat}/replace`, { method: "POST", token }),
  remove: (id: string, seat: number, token: string) =>
    ask(`${path(id)}/seats/${seat}/remove`, { method: "POST", token }),
  renew: (id: string, seat: number, token: string, by: string) =>
    ask<{ token: string; tables: string[] }>(`${path(id)}/seats/${seat}/token`, { body: { new: by }, token }),
  hint: (
    id: string,
    seat: number,
    token: string | null,
    body: { question: "place" | "possible"; width?: number; id: string },
  ) => ask<Hint>(`${path(id)}/seats/${seat}/hint`, { body, token }),
  rematch: (id: string, token: string) =>
    ask<{ id: string; table: TableSummary }>(`${path(id)}/rematch`, { method: "POST", token }),
  legal: (position: string, tiles: string[], set: string, signal?: AbortSignal) =>
    ask<Record<string, Scored[]>>("/legal", { body: { position, tiles, set }, signal }),
  groups: (position: string, set: string) => ask<Group[]>("/groups", { body: { position, set } }),
  best: (position: string, hand: string[], top: number, set: string) =>
    ask<Turn[]>("/best", { body: { position, hand, top, set } }),
};

/** Requests for tables and positions (docs/protocol.md). */
import type { GameInfo } from "../data.ts";
import type { Disc } from "../geometry.ts";
import type { RequestOptions } from "./backend.ts";
import { backend, deviceBackend } from "./backends.ts";
import type { Capability, SeatSummary, TableSummary, View } from "./protocol.ts";

/** A request whose answer has a type that docs/protocol.md gives. */
export async function ask<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await backend.request(path, options)) as T;
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
export interface OwnTableEntry {
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
  /** Why it cannot be opened, where that is known. */
  refusal?: string;
  /** Of a server that offers all that servers can: left out. */
  capabilities?: Capability[];
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
  create: (table: NewTable) => ask<Created>("/tables", { body: table }),
  createOnDevice: async (table: NewTable) => (await deviceBackend.request("/tables", { body: table })) as Created,
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

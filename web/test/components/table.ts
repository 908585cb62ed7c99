/** A table for tests of what is shown there: the server is the test. */
import type { TableMessage } from "../../src/net/protocol.ts";
import { Session } from "../../src/state/session.ts";
import { keepToken } from "../../src/state/storage.ts";
import { complete, FakeSocket, may, message } from "../fake-socket.ts";
import { after } from "./page.ts";

/** What was asked over HTTP, as `POST /api/tables/abc/seats/1`, and what the server answers to it. */
export const asked: string[] = [];
let answers: Record<string, unknown> = {};

interface Situation {
  /** What differs from the view and the message of a classic game of Ann and Bob. */
  view?: object;
  more?: Partial<TableMessage>;
  /** What differs from the table's summary. */
  table?: object;
  answers?: Record<string, unknown>;
}

let current: Session | null = null;

/** The message about a table. */
export function messageOf({ view = {}, more = {}, table = {} }: Situation, version = 1): TableMessage {
  const built = message(version, view, more);
  return complete({ ...may({}), ...built, table: { ...built.table, ...table } });
}

/** Sit down as Ann at a table. */
export async function sit(situation: Situation = {}): Promise<Session> {
  current?.close();
  localStorage.clear();
  keepToken("abc", "TOKEN", "classic");
  asked.length = 0;
  answers = { "GET /api/tables/abc/history": [], ...situation.answers };
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async (path: string, { method = "GET" }: RequestInit = {}) => {
    const question = `${method} ${new URL(path, location.href).pathname}`;
    asked.push(question);
    const answer = answers[question];
    return {
      ok: answer !== undefined,
      status: answer === undefined ? 404 : 200,
      headers: new Headers(),
      json: async () => answer ?? { code: "unknown", message: question },
    };
  }) as unknown as typeof fetch;
  const session = (current = new Session("abc"));
  FakeSocket.last.accept();
  await deliver(messageOf(situation));
  return session;
}

/** The server sends a message. */
export async function deliver(received: TableMessage): Promise<void> {
  await after(() => FakeSocket.last.deliver(received));
}

/** The moves that were sent to the server. */
export const moves = (): Record<string, unknown>[] =>
  FakeSocket.last.sent.filter(({ type }) => type === "move").map(({ move }) => move);

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { challengeToken, keepChallenge } from "../src/state/challenges.ts";
import { finishRenewal, renewSeat } from "../src/state/renewal.ts";
import { forgetToken, keepToken, knownTables, tokenOf, tokensOf } from "../src/state/storage.ts";

const OLD = "an-old-token-of-ann";

/** What the server was asked, and how it answers: with a status and a body, or not at all. */
let asked: { path: string; new: string; token: string }[] = [];
let answer: { status: number; body: object } | null;

beforeEach(() => {
  asked = [];
  answer = { status: 200, body: { tables: ["first", "rematch", "unknown"] } };
  for (const table of ["first", "rematch", "other"]) {
    forgetToken(table);
    keepToken(table, table === "other" ? "a-token-of-another-table" : OLD, "classic", [0]);
  }
  globalThis.fetch = (async (path: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    asked.push({ path, new: JSON.parse(body).new, token: headers.authorization!.slice("Bearer ".length) });
    if (!answer) throw new TypeError("no line");
    return {
      ok: answer.status < 400,
      status: answer.status,
      statusText: "",
      headers: new Headers(),
      json: async () => answer!.body,
    };
  }) as unknown as typeof fetch;
});

test("a new token replaces the old one at all tables that had it", async () => {
  keepChallenge("challenge", { token: OLD, table: "first" });
  await renewSeat("first", 2);
  const [{ path, new: token, token: by }] = asked as [(typeof asked)[0]];
  assert.deepEqual([path, by], ["/api/tables/first/seats/2/token", OLD]);
  assert.match(token, /^[\w-]{16,64}$/);
  assert.deepEqual(
    [tokenOf("first"), tokenOf("rematch"), tokenOf("other")],
    [token, token, "a-token-of-another-table"],
  );
  assert.deepEqual(tokensOf("first"), [token]);
  assert.equal(challengeToken("challenge"), token);
  assert.equal(tokenOf("unknown"), null);
});

test("while an answer is missing both tokens are known, and the same one is asked for again", async () => {
  answer = null;
  await assert.rejects(renewSeat("first", 0));
  assert.equal(tokenOf("first"), OLD);
  keepToken("first", OLD, "classic", [0]); // As a page does when it is opened.
  assert.deepEqual(tokensOf("first"), [OLD, asked[0]!.new]);
  assert.equal(await finishRenewal("first"), false);
  answer = { status: 200, body: { tables: ["first"] } };
  assert.equal(await finishRenewal("first"), true);
  assert.equal(new Set(asked.map(({ new: token }) => token)).size, 1);
  assert.deepEqual(tokensOf("first"), [asked[0]!.new]);
  assert.equal(await finishRenewal("first"), false, "there is nothing left to do");
  assert.equal(asked.length, 3);
});

test("what was refused has not happened", async () => {
  answer = { status: 403, body: { code: "not_your_seat", message: "This seat is not yours." } };
  await assert.rejects(renewSeat("first", 0), { code: "not_your_seat" });
  assert.deepEqual(tokensOf("first"), [OLD]);
  assert.equal(knownTables().first!.renewal, undefined);
});

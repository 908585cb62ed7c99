import assert from "node:assert/strict";
import { test } from "node:test";
import type { VNode } from "preact";
import { SET_120 } from "../src/data.ts";
import { speak } from "../src/i18n.ts";
import { layingsInWords, type PlayedTurn, SideBySide } from "../src/panels/side-by-side.tsx";

const [FIRST, SECOND, PASSED]: [PlayedTurn, PlayedTurn, PlayedTurn] = [
  {
    layings: ["PRYGB+0@0,0", "PRYBG+0@2,0"],
    parts: [
      { earned: { contacts: 3, groups: [{ colour: "Y", size: 7 }] }, charge: 0 },
      { earned: { contacts: 2, groups: [] }, charge: 4 },
    ],
    points: 9,
    others: 0,
    total: 9,
    stand_in: false,
  },
  {
    layings: ["DRYGB+0@0,1"],
    parts: [{ earned: { contacts: 1, groups: [] }, charge: 0 }],
    points: 1,
    others: 0,
    total: 10,
    stand_in: false,
  },
  { layings: [], parts: [], points: 0, others: 0, total: 0, stand_in: false },
];

/** Everything that is in a part of a page, from the outside to the inside. */
function within(node: unknown): VNode<Record<string, unknown>>[] {
  if (Array.isArray(node)) return node.flatMap(within);
  if (!node || typeof node !== "object") return [];
  const part = node as VNode<Record<string, unknown>>;
  return [part, ...within(part.props?.children)];
}

test("each laying has a line with its parts and its charge", async () => {
  await speak("en");
  assert.deepEqual(layingsInWords(FIRST), ["3 discs +4 · yellow +7", "2 discs +2 · second domino −4"]);
  assert.deepEqual(layingsInWords(PASSED), [], "a pass earns nothing");
});

test("payments are part of what a player's turns add up to", async () => {
  await speak("en");
  const sold: PlayedTurn = { ...SECOND, others: -4, total: 6 };
  const side = { name: "Ann", turns: [FIRST, sold], rest: 12 };
  const parts = within(SideBySide({ sides: [side, { ...side, rest: 0 }], set: SET_120, label: "All turns" }));
  const rows = parts.filter(({ type }) => type === "tr");
  assert.equal(rows.length, 1 + 2 + 1, "a row for what comes after the last turn");
  const curve = parts.find(({ props }) => props.curves);
  assert.deepEqual(curve?.props.curves, [
    [0, 9, 6, 18],
    [0, 9, 6],
  ]);
});

test("games of any length stand beside each other: a row for each turn, a column for each player, a line for ten", () => {
  const sides = Array.from({ length: 12 }, (_, i) => ({
    name: `P${i}`,
    turns: i ? [PASSED] : [FIRST, SECOND],
    rest: 0,
  }));
  const parts = within(SideBySide({ sides, set: SET_120, label: "All turns" }));
  const all = (type: string) => parts.filter((part) => part.type === type);
  assert.equal(all("td").length, 2 * 12);
  assert.deepEqual(
    all("th")
      .map(({ props }) => props.scope)
      .filter((scope) => scope === "row").length,
    2,
  );
  assert.equal(all("td").filter(({ props }) => props.children).length, 2 + 11, "who was quicker has an empty cell");
  const [curve] = parts.filter(({ props }) => props.curves);
  assert.deepEqual((curve!.props.curves as number[][])[0], [0, 9, 10]);
  assert.equal((curve!.props.curves as number[][]).length, 10);
  assert.deepEqual(curve!.props.positions, [0, 1, 2]);
  assert.ok(
    parts.some(({ props }) => props.role === "region" && props.tabIndex === 0 && props["aria-label"] === "All turns"),
    "it is scrolled by keys, too",
  );
});

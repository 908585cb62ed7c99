/** The analysis: a position from a link, its turns, groups and coach, and what is wrong with a text. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { speakAt } from "../../src/i18n.ts";
import AnalysisPage from "../../src/pages/analysis.tsx";
import { go } from "../../src/shell/router.ts";
import { after, all, fill, find, get, listen, names, press, show, text } from "./page.ts";
import { refuse, serve } from "./server.ts";

const POSITION = "PRYGB+0@0,0";
const TURN = { layings: ["ZBGRY+0@0,-1"], points: 9 };
const ESTIMATE = { value: 0.5, low: 0.4, high: 0.6, samples: 100, exact: false };
const ADVICE = {
  ...TURN,
  chance: ESTIMATE,
  leaves: { mean: 4, reply: null, kept: null, kept_points: 0, next: { ...ESTIMATE, value: 5, low: 4, high: 6 } },
  why: "It closes a group.",
};

async function study(hash: string, answers: Record<string, unknown> = {}): Promise<string[]> {
  const asked = serve({
    "/api/groups": [{ colour: "R", size: 2, closed: true, discs: [[1, 1]] }],
    "/api/legal": {},
    "/api/best": [TURN],
    "/api/coach": { turns: [ADVICE] },
    ...answers,
  });
  go(`/analysis${hash}`);
  await show(null);
  await speakAt("analysis");
  await show(<AnalysisPage />);
  await after(() => undefined);
  return asked;
}

afterEach(async () => {
  await show(null);
  go("/");
});

test("a link shows its position with the best turns, and a turn that is pressed is laid", async () => {
  await study(`#p=${POSITION}&h=ZBGRY`);
  const turn = await find("button", /^9/);
  assert.equal(all("img", /1 domino/i).length, 1);
  await after(() => turn.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  assert.equal(all("img", /2 domino/i).length, 1);
});

test("the coach says the chances, and a screen reader announces the best turn", async () => {
  const lines = listen();
  await study(`#p=${POSITION}&h=ZBGRY`);
  await find("button", /^9/);
  await press("button", "Ask the coach");
  await find("button", /It closes a group/);
  assert.ok(
    lines.some((line) => /9 points.*It closes a group/.test(line)),
    lines.join("\n"),
  );
});

test("groups are listed by whether they are closed", async () => {
  await study(`#p=${POSITION}`);
  await find("button", /red 2/i);
  assert.ok(names("heading").some((name) => /^Closed/.test(name)));
  assert.ok(!names("heading").some((name) => /^Open/.test(name)));
});

test("a text that is wrong names the laying to blame", async () => {
  const refusal = refuse("no_contact", "Laying 2: no contact", { laying: 2 });
  await study(`#p=${POSITION}_BYRGB+0@5,5`, { "/api/groups": refusal });
  assert.match(text(), /Domino 2 \(BYRGB\+0@5,5\): it touches no other domino/);
  await study(`#p=${POSITION}`);
  const details = [...document.querySelectorAll("details")].find((one) => one.querySelector("textarea"));
  assert.ok(details);
  await after(() => (details.open = true));
  await fill(get("textbox", "As text, domino by domino"), `${POSITION} nonsense`);
  assert.match(text(), /Domino 2 \(nonsense\)/);
});

/** Round the table: the waiting room, inviting, the menu, notices, the table in words, and the result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { speakAlso } from "../../src/i18n.ts";
import { GameResult } from "../../src/panels/result.tsx";
import { headerTools } from "../../src/shell/app.tsx";
import { settings } from "../../src/state/settings.ts";
import { LinkBox } from "../../src/tables/invite.tsx";
import { KeyHelp } from "../../src/tables/key-help.tsx";
import { helpOpen } from "../../src/tables/keys.ts";
import { TableMenu } from "../../src/tables/menu.tsx";
import { Notices } from "../../src/tables/notices.tsx";
import { SlotPlace } from "../../src/ui/slot.tsx";
import { WaitingRoom } from "../../src/tables/waiting-room.tsx";
import { WordsDialog } from "../../src/tables/words-dialog.tsx";
import { may, message } from "../fake-socket.ts";
import { after, all, assertFocused, fill, find, get, key, listen, names, press, show, text } from "./page.ts";
import { asked, sit } from "./table.ts";

const [ann, bob] = message(1).table.seats;
const FREE = { ...bob!, name: "", free: true };
const WAITING = { phase: "waiting", seats: [ann, FREE], host: 0 };

test("the waiting room lists who is there and who is awaited, and invites by a link", async () => {
  await show(<WaitingRoom session={await sit({ table: WAITING, more: { views: {} } })} />);
  const seats = [...get("list", "Seats").querySelectorAll("li")].map((seat) => text(seat));
  assert.match(seats[0]!, /Ann/);
  assert.match(seats[1]!, /Free seat/);
  assert.match((get("textbox", "Link") as HTMLInputElement).value, /\/t\/abc$/);
});

test("a guest without a name is asked for it, and sits down with one", async () => {
  settings.name.value = "";
  const session = await sit({
    table: WAITING,
    more: { views: {}, yours: [] },
    answers: { "POST /api/tables/abc/seats/1": { token: "NEW" } },
  });
  await show(<WaitingRoom session={session} />);
  await press("button", "Sit down");
  assertFocused(get("textbox", "Your name"));
  assert.ok(!asked.includes("POST /api/tables/abc/seats/1"));
  await fill(get("textbox", "Your name"), "Cleo");
  await key("Enter");
  assert.ok(asked.includes("POST /api/tables/abc/seats/1"));
  settings.name.value = "";
});

test("the host is asked once more before a guest is removed", async () => {
  await show(
    <WaitingRoom session={await sit({ table: { ...WAITING, seats: [ann, bob, FREE] }, more: { views: {} } })} />,
  );
  await press("button", /Remove Bob|Bob/);
  assert.equal(asked.filter((question) => question.startsWith("POST")).length, 0);
  await press("button", "Cancel");
  assert.equal(all("button", "Cancel").length, 0);
});

test("a link is copied, and that is said", async () => {
  const copied: string[] = [];
  Object.defineProperty(navigator, "clipboard", {
    value: { writeText: async (link: string) => void copied.push(link) },
    configurable: true,
  });
  await show(<LinkBox link="http://table.test/t/abc" text="Send this link." qr="QR code" />);
  const heard = listen();
  await press("button", "Copy");
  assert.deepEqual(copied, ["http://table.test/t/abc"]);
  assert.deepEqual(heard, ["Copied"]);
});

test("the menu of a table opens a dialog with its pages, and Escape closes it", async () => {
  const session = await sit();
  await show(
    <>
      <SlotPlace slot={headerTools} class="header-tools" />
      <TableMenu session={session} />
    </>,
  );
  await press("button", /menu/i);
  const menu = await find("dialog");
  assert.ok(names("link").includes("Rules"), names("link").join(" | "));
  assert.match(text(menu), /Invite|link/i);
  await key("Escape");
  assert.equal(all("dialog").length, 0);
});

test("keys are explained in a table, which its button closes", async () => {
  helpOpen.value = true;
  await show(<KeyHelp />);
  await find("dialog", "Keyboard shortcuts");
  assert.ok(all("row").length > 5);
  await press("button", "Close");
  assert.equal(helpOpen.value, false);
});

test("notices by mail are offered where the server has them", async () => {
  const session = await sit({
    answers: {
      "GET /api/notices": { push: null, mail: true },
      "GET /api/tables/abc/notices": { push: [], mail: null },
    },
  });
  await show(<Notices session={session} />);
  await after(() => undefined);
  get("region", /turn|notif/i);
  assert.equal(all("switch").length + all("checkbox").length, 0, "no push");
  assert.equal(all("textbox").length, 1);
});

test("the table in words has parts that say how much there is, and open", async () => {
  const session = await sit({ more: may({ ZBGRY: ["ZBGRY+0@2,0"] }) });
  let closed = 0;
  await show(<WordsDialog session={session} onClose={() => closed++} />);
  await after(() => speakAlso("words"));
  get("dialog", /words/i);
  const part = get("button", /^1 domino/);
  assert.equal(part.getAttribute("aria-expanded"), "false");
  part.focus();
  await key("Enter");
  assert.equal(get("button", /^1 domino/).getAttribute("aria-expanded"), "true");
  assert.match(text(get("dialog")), /DRYGB/);
  await key("Escape");
  assert.equal(closed, 1);
});

test("the result names the winner and the scores, and can be closed", async () => {
  const outcome = { winners: [0], scores: [62, 40], reason: "target", detail: null };
  const session = await sit({ view: { outcome, phase: "over", scores: [62, 40] }, table: { phase: "over" } });
  await show(<GameResult session={session} />);
  await after(() => new Promise((done) => setTimeout(done)));
  const result = get("dialog", /won|win/i);
  assert.match(text(result), /Ann/);
  assert.match(text(result), /62/);
  await key("Escape");
  assert.equal(all("dialog").length, 0);
});

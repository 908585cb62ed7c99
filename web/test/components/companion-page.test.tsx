import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import Companion from "../../src/pages/companion.tsx";
import { deleted, amendBook, book, readBook } from "../../src/companion/pads/pad-book.ts";
import { EMPTY_SETUP } from "../../src/companion/pads/pad-setup.ts";
import type { TurnPad } from "../../src/companion/pads/turns/turn-pad.ts";
import { keepMarks, marks, readMarks } from "../../src/companion/count/count.ts";
import { fillGlass, glass } from "../../src/companion/glass/glass.ts";
import { full } from "../../src/state/storage.ts";
import { after, all, assertFocused, fill, find, get, key, listen, names, press, show, text } from "./page.ts";

const open = (part = "") => show(<Companion argument={part} />);

beforeEach(() => {
  amendBook({ ...EMPTY_SETUP, pads: [], open: null });
  deleted.value = null;
  glass.value = fillGlass(60);
});

async function begin(...players: string[]): Promise<void> {
  await open();
  for (const [i, name] of players.entries()) {
    if (i >= all("textbox", /^Name/).length) await press("button", "One more name");
    await fill(get("textbox", `Name ${i + 1}`), name);
  }
  await press("button", "Begin");
}

/** Tap buttons of the turn, and count the taps. */
async function tap(...buttons: (string | [string, number])[]): Promise<number> {
  for (const button of buttons) {
    const [name, index] = typeof button === "string" ? [button, 0] : button;
    await after(() => all("button", name)[index]!.click());
  }
  return buttons.length;
}

const scores = () => book.value.pads[0] as TurnPad;

test("a turn with a closed group takes three taps, one with two dominoes five", async () => {
  await begin("Ann", "Bob");
  assert.equal(await tap("3 discs", "Group of 5 discs", "Write down"), 3);
  assert.match(text(get("region", "Scores")), /Ann 9.*Bob 0/);
  get("heading", "Round 1: Bob");
  const taps = await tap("2 discs", "Group of 7 discs", ["1 disc", 1], "Group of 1 disc", "Write down");
  assert.equal(taps, 5);
  assert.match(text(get("region", "Scores")), /Bob 7/);
});

test("the sum is shown in parts", async () => {
  await begin("Ann", "Bob");
  await tap("3 discs", "Group of 5 discs", ["1 disc", 1]);
  assert.match(text(), /\+3 discs \+1 bonus \+5 group \+1 discs −4 second domino 6 points/);
});

test("what is entered survives a reload after every tap", async () => {
  await begin("Ann", "Bob");
  await tap("4 discs");
  const stored: unknown = JSON.parse(localStorage.getItem("dalapapa.pads")!);
  book.value = readBook(stored);
  await open();
  assert.equal(all("button", "4 discs")[0]!.getAttribute("aria-pressed"), "true");
});

test("an earlier turn is corrected, and the correction can be left", async () => {
  await begin("Ann", "Bob");
  await tap("1 disc", "Write down", "2 discs", "Write down");
  await press("button", "Ann, round 1: 1");
  get("heading", "Correction – round 1: Ann");
  await press("button", "Leave it as it was");
  assert.equal(scores().turns.length, 2);
  await press("button", "Ann, round 1: 1");
  await tap("6 discs", "Write down");
  assert.match(text(get("region", "Scores")), /Ann 10.*Bob 2/);
  get("heading", "Round 2: Ann");
  await press("button", "Take back the last turn");
  get("heading", "Round 1: Bob");
  assert.equal(all("button", "2 discs")[0]!.getAttribute("aria-pressed"), "true");
});

async function enterPoints(points: string): Promise<void> {
  const field = all("textbox", "Points of this turn")[0] ?? (await openNumber());
  await fill(field, points);
  await key("Enter");
}

async function openNumber(): Promise<HTMLElement> {
  const summary = [...document.querySelectorAll("summary")].find((one) => one.textContent === "Enter only the points")!;
  summary.closest("details")!.open = true;
  return get("textbox", "Points of this turn");
}

test("points are entered as a number, and numbers that cannot be are refused with a sentence", async () => {
  await begin("Ann", "Bob");
  for (const wrong of ["-3", "301", "seven", "1.5"]) {
    await enterPoints(wrong);
    assert.match(text(), /A turn earns from −?-?2 to 300 points\./);
    assert.equal(scores().draft.turn, null);
  }
  await enterPoints("12");
  await press("button", "Write down");
  assert.match(text(get("region", "Scores")), /Ann 12/);
});

test("the last round is announced, and then the end with its winners", async () => {
  await begin("Ann", "Bob");
  await enterPoints("60");
  await press("button", "Write down");
  assert.match(text(), /Last round: Ann has reached the target\./);
  await enterPoints("60");
  await press("button", "Write down");
  get("heading", "Everyone shares the victory!");
  assert.equal(all("button", "Write down").length, 0);
});

test("a game needs names and a target that can be", async () => {
  await open();
  await press("button", "Begin");
  assert.match(text(), /Enter 2 to 4 names\./);
  await fill(get("textbox", "Name 1"), "Ann");
  await fill(get("textbox", "Name 2"), "Bob");
  await fill(get("textbox", "Target (points)"), "59");
  await press("button", "Begin");
  assert.match(text(), /The target must be a whole number from 60 to 240\./);
  assert.equal(book.value.pads.length, 0);
});

test("games are listed, and a deleted one comes back", async () => {
  await begin("Ann", "Bob");
  await press("button", "All games");
  await press("button", /^Ann and Bob/);
  await press("button", "Delete the game of Ann and Bob");
  assert.match(text(), /Deleted: the game of Ann and Bob\./);
  assert.equal(all("button", /^Ann and Bob/).length, 0);
  await press("button", "Bring it back");
  await press("button", /^Ann and Bob/);
  get("heading", "Round 1: Ann");
});

test("with a full storage the pad goes on, and the page says so", async () => {
  await begin("Ann", "Bob");
  const { setItem } = localStorage;
  Object.defineProperty(localStorage, "setItem", {
    configurable: true,
    value: () => {
      throw new DOMException("", "QuotaExceededError");
    },
  });
  await tap("3 discs", "Write down");
  assert.equal(full.value, true);
  assert.match(text(get("region", "Scores")), /Ann 4/);
  Object.defineProperty(localStorage, "setItem", { configurable: true, value: setItem });
  full.value = false;
});

test("the sandglass runs, rests and takes any length", async () => {
  await open("sand");
  await press("button", "Turn over");
  assert.ok(glass.value.endsAt);
  await press("button", "Start again");
  assert.deepEqual(glass.value, fillGlass(60));
  await fill(get("textbox"), "45");
  await press("button", "Set");
  assert.deepEqual(glass.value, fillGlass(45));
  assert.match(text(get("timer")), /0:45/);
  await fill(get("textbox"), "4");
  await press("button", "Set");
  assert.match(text(), /from 5 to 3,600/);
});

test("who begins follows from names and birthdays", async () => {
  amendBook({ names: ["Bob", "Anna", "Clara"] });
  await open("first");
  assert.match(text(), /Anna and Clara are level; the first of them around the table begins: Anna\./);
  for (const [name, day] of [
    ["Bob", "2016-01-02"],
    ["Anna", "2015-01-02"],
    ["Clara", "2014-01-02"],
  ])
    await fill(
      [...document.querySelectorAll("input[type=date]")].find((one) =>
        one.parentElement!.textContent!.startsWith(name!),
      ) as HTMLElement,
      day!,
    );
  assert.match(text(), /Bob begins\./);
});

test("a place with three neighbours is answered within 15 taps", async () => {
  await open("fit");
  let taps = 0;
  const touch = async (name: string) => {
    await press("button", name);
    taps += 1;
  };
  for (const [edge, colour] of [
    ["Left end", "Red"],
    ["Top right", "Yellow"],
    ["Bottom right", "Green"],
  ]) {
    await touch(`${edge}, neighbour: none`);
    await touch(colour!);
  }
  await touch("Domino");
  for (const colour of ["Red", "Yellow", "Blue"]) await touch(colour);
  assert.ok(taps <= 15, `${taps} taps`);
  assert.match(text(), /Not allowed.*Bottom right: blue meets green/);
  await press("button", "Bottom right, domino: blue – Not allowed");
  await press("button", "Green");
  assert.match(text(), /Allowed: 4 points.*\+3 discs \+1 bonus/);
  assert.equal(names("button").filter((name) => /Not allowed/.test(name)).length, 0);
});

test("a game with marks ends at once, and marked groups are added by taps", async () => {
  await open();
  await press("radio", "Conquest");
  await fill(get("textbox", "Name 1"), "Ann");
  await fill(get("textbox", "Name 2"), "Bob");
  await press("button", "Begin");
  await enterPoints("60");
  await press("button", "Write down");
  get("heading", "Ann wins!");
  await tap(["Group of 12 discs", 1], ["Group of 3 discs", 1], ["Group of 4 discs", 1]);
  assert.match(text(get("region", "Scores")), /Ann 60.*Bob 19/);
  assert.equal((all("button", "Group of 1 disc")[1] as HTMLButtonElement).disabled, true);
  await press("button", "Remove the group of 4 discs");
  assert.match(text(get("region", "Scores")), /Bob 15/);
});

/** Fill in the form of a game and begin it. */
async function setUp(game: string, ...players: string[]): Promise<void> {
  await open();
  await press("radio", game);
  for (const [i, name] of players.entries()) {
    if (i >= all("textbox", /^Name/).length) await press("button", "One more name");
    await fill(get("textbox", `Name ${i + 1}`), name);
  }
}

const standing = () => text(get("region", "Scores"));

test("Alex: announcements in two taps each, the sandglass, the proof and its punishment", async () => {
  await setUp("Alex", "Ann", "Bob", "Cem");
  await fill(get("textbox", "Sandglass (seconds)"), "45");
  await press("button", "Begin");
  assert.equal(all("timer").length, 0);
  assert.equal((get("button", "5 points") as HTMLButtonElement).disabled, true);
  const heard = listen();
  await press("button", /^Ann/);
  await press("button", "5 points");
  assert.match(text(get("timer")), /0:45|0:44/);
  assert.ok(glass.value.endsAt);
  // The leader does not raise, and no one announces as much.
  assert.equal((get("button", /^Ann/) as HTMLButtonElement).disabled, true);
  assert.equal(all("button", "5 points").length, 0);
  await press("button", /^Bob/);
  await press("button", "9 points");
  await press("button", "No one announces more: Bob shows");
  assert.equal(glass.value.endsAt, null);
  await press("button", "Wrong sits out a round");
  await press("button", "Right");
  assert.match(standing(), /Ann 5 .*Bob 0 1 mistake sits out/);
  get("heading", "Round 2");
  assertFocused(get("heading", "Round 2"));
  assert.equal((get("button", /^Bob 0/) as HTMLButtonElement).disabled, true);
  assert.match(heard.join(" "), /First mistake: Bob sits out the next round\..*Right: Ann scores 5 points\./);
});

test("Alex: a larger number is typed, and one that cannot be is refused", async () => {
  await setUp("Alex", "Ann", "Bob");
  await press("button", "Begin");
  await press("button", /^Ann/);
  const more = [...document.querySelectorAll("summary")].find((one) => one.textContent === "A higher number")!;
  more.closest("details")!.open = true;
  for (const wrong of ["-3", "0", "1001", "x"]) {
    await fill(get("textbox", "A higher number"), wrong);
    await key("Enter");
    assert.match(text(), /Enter a whole number from 1 to 1,000\./);
  }
  await fill(get("textbox", "A higher number"), "31");
  await key("Enter");
  assert.match(standing(), /Ann 0 says 31/);
});

test("Alex: the turn is counted together, and every step is taken back", async () => {
  await setUp("Alex", "Ann", "Bob");
  await press("button", "Begin");
  await press("button", /^Ann/);
  await press("button", "8 points");
  await press("button", "No one announces more: Ann shows");
  const count = [...document.querySelectorAll("summary")].find((one) => one.textContent === "Count the turn together")!;
  count.closest("details")!.open = true;
  await tap("3 discs", "Group of 3 discs");
  assert.match(text(), /7 points.*That is not enough\./);
  await tap("Group of 1 disc");
  assert.match(text(), /8 points.*That is enough\./);
  for (let steps = 0; steps < 2; steps++) await press("button", "One step back");
  assert.equal(all("button", "One step back").length, 0);
  assert.equal(glass.value.endsAt, null);
});

test("Alex: what is entered survives a reload in every phase", async () => {
  await setUp("Alex", "Ann", "Bob");
  await press("button", "Begin");
  const reload = async () => {
    book.value = readBook(JSON.parse(localStorage.getItem("dalapapa.pads")!));
    await open();
  };
  await press("button", /^Ann/);
  await press("button", "8 points");
  await reload();
  await press("button", "No one announces more: Ann shows");
  await reload();
  await press("button", "Right");
  await reload();
  assert.match(standing(), /Ann 8/);
  get("button", "Ann, round 1: +8");
});

test("Alex: a number of rounds is the end, also before its time", async () => {
  await setUp("Alex", "Ann", "Bob");
  await press("radio", "a number of rounds");
  await fill(get("textbox", "Rounds"), "2");
  await press("button", "Begin");
  await press("button", "No one announces");
  get("heading", "Round 2");
  await press("button", "End the game here");
  get("heading", "Everyone shares the victory!");
  await press("button", "Go on playing");
  await press("button", "No one announces");
  assert.match(text(), /All rounds are played\./);
});

test("72: connections, territories and another domino, with tokens and markers", async () => {
  await setUp("Dalapapa 72", "Ann", "Bob");
  await press("button", "Begin");
  assert.match(standing(), /Ann 0.*2 tokens.*12 markers left/);
  await tap("3 connections", "Territory of 4 cells");
  assert.match(text(), /\+1: 3 tokens.*4 points/);
  await tap("Again for 2 tokens");
  assert.equal((get("button", "Write down") as HTMLButtonElement).disabled, true);
  await tap("2 connections", "Write down");
  assert.match(standing(), /Ann 4.*1 token.*11 markers left/);
  await press("button", "Pass");
  await press("button", "Write down");
  assert.match(standing(), /Bob 0.*3 tokens/);
  await press("button", "Ann, round 1: 4");
  get("heading", "Correction – round 1: Ann");
});

test("72: the premium, the last turns and the end", async () => {
  await setUp("Dalapapa 72", "Ann", "Bob", "Cem", "Dan");
  await press("button", "Begin");
  await tap("2 connections", ...Array<string>(6).fill("Territory of 2 cells"));
  assert.equal((get("button", "Territory of 2 cells") as HTMLButtonElement).disabled, true);
  await tap("Write down");
  assert.match(text(), /Ann has placed the last marker and takes the premium: \+5\. Last turns: 3 to go\./);
  for (let turns = 0; turns < 3; turns++) await tap("2 connections", "Write down");
  get("heading", "Ann wins!");
  assert.match(standing(), /Ann 17/);
});

test("72: more tokens than there are is said, and a game without dominoes ends", async () => {
  await setUp("Dalapapa 72", "Ann", "Bob");
  await after(() => all("radio", "orange")[1]!.click());
  await press("button", "Begin");
  for (let turns = 0; turns < 4; turns++) await tap("1 connection", "Write down");
  await tap("1 connection");
  assert.match(text(), /There are not enough tokens\./);
  await press("button", "Ann has no domino: the game ends");
  assert.match(text(), /There are no dominoes left to play\./);
});

test("Gone: a child who cannot read plays by pictures, and a wrong tap is taken back", async () => {
  await setUp("Gone", "Bob", "Anna");
  await press("button", "Begin");
  assert.match(text(), /Tap an age for each name\./);
  const ages = all("radio", "4");
  await after(() => ages[0]!.click());
  await after(() => all("radio", "9+")[1]!.click());
  await press("button", "Begin");
  get("heading", "Anna plays");
  const pictures = all("button").filter((button) => button.matches(".child-key"));
  assert.equal(pictures.length, 4);
  for (const picture of pictures) assert.ok(picture.querySelector("svg"));
  await press("button", "Three discs or more: again!");
  get("heading", "Anna plays again!");
  await press("button", "Two discs");
  assert.match(standing(), /Bob 4.*Anna 7/);
  await press("button", "One step back");
  assert.match(standing(), /Anna 8/);
});

test("Gone: the first empty hand wins", async () => {
  await setUp("Gone", "Anna", "Bob");
  await after(() => all("radio", "4")[0]!.click());
  await after(() => all("radio", "5")[1]!.click());
  await press("button", "Begin");
  for (let dominoes = 0; dominoes < 4; dominoes++) await press("button", "Three discs or more: again!");
  get("heading", "Anna wins!");
  assert.equal(all("button", "Two discs").length, 0);
});

test("a group is counted by taps and by keys, and survives a reload", async () => {
  keepMarks({});
  await open("count");
  const place = (row: number, number: number, what: string) => `Row ${row}, place ${number}: ${what}`;
  await press("button", place(10, 5, "empty"));
  assert.match(text(), /1 disc: a closed group/);
  get("button", place(10, 5, "disc")).focus();
  await key("ArrowDown");
  await key(" ");
  assert.match(text(), /2 discs: a closed group/);
  await key("ArrowUp");
  await key("ArrowUp");
  await key(" ");
  await key(" ");
  assert.match(text(), /2 discs: still open/);
  assert.deepEqual(readMarks(JSON.parse(localStorage.getItem("dalapapa.count")!)), marks.value);
  await press("button", "New group");
  assert.match(text(), /Nothing is tapped yet\./);
});

test("children draw by age", async () => {
  amendBook({ names: ["Ann", "Bob"] });
  await open("first");
  await fill(get("textbox", "Ann: age"), "6");
  await fill(get("textbox", "Bob: age"), "40");
  assert.match(text(get("region", /Gone/)), /6 dominoes.*9 dominoes/);
  await fill(get("textbox", "Ann: age"), "-1");
  assert.match(text(get("region", /Gone/)), /Enter a whole number from 4 to 120\./);
});

test("a sold turn is entered with its winner and bid, and changes who plays it", async () => {
  await open();
  await press("radio", "Auction");
  await fill(get("textbox", "Name 1"), "Ann");
  await fill(get("textbox", "Name 2"), "Bob");
  await press("button", "Begin");
  const sale = [...document.querySelectorAll("summary")].find(
    (one) => one.textContent === "Auction won by: no auction",
  )!;
  sale.closest("details")!.open = true;
  await press("radio", "Bob");
  await press("button", "6");
  assert.equal(sale.textContent, "Auction won by: Bob (6)");
  get("heading", "Round 1: Bob");
  assert.match(text(), /Bob gives Ann 6 points and plays the turn\./);
  await tap("6 discs", "Write down");
  assert.match(text(get("region", "Scores")), /Ann 6.*Bob 4/);
  get("button", "Bob, round 1: 10 (2: −6, 1: +6)");
});

test("the focus goes to the next turn, and to the result at the end", async () => {
  await begin("Ann", "Bob");
  await tap("3 discs");
  const heard = listen();
  await press("button", "Write down");
  assertFocused(get("heading", "Round 1: Bob"));
  assert.deepEqual(heard, ["Ann: 4 points"]);
  await press("button", "Ann, round 1: 4");
  assertFocused(get("heading", "Correction – round 1: Ann"));
  await enterPoints("60");
  await press("button", "Write down");
  await tap("1 disc", "Write down");
  assertFocused(get("heading", "Ann wins!"));
});

test("the game is shared as a text", async () => {
  const shared: string[] = [];
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: { writeText: (all: string) => void shared.push(all) },
  });
  await begin("Ann", "Bob");
  await tap("3 discs", "Write down");
  await find("button", "Share");
  await press("button", "Share");
  assert.match(shared.join(), /^Dalapapa · to 60\nAnn: 4 points\nBob: 0 points\nRound 1: 4 \| –\n.*\/companion$/);
});

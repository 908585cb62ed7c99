/**
 * The rooms of the client: shared modules know no game, and imports go one way (as in Python, tests/test_imports.py).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dirname, join } from "node:path";
import { NAMES, SOURCES, TEXTS } from "./sources.ts";
import { SHEETS } from "./styles.ts";

/** From the bottom up: a file may import from its own floor and from those below it. */
const FLOORS: readonly (readonly string[])[] = [
  ["base.ts", "memory.ts", "data.ts", "data.json", "values.ts", "texts", "texts.d.ts", "style"],
  ["geometry.ts", "i18n.ts"],
  ["net"],
  // Headless: what a table, a game, a replay is, without a screen.
  ["state", "games", "words.ts", "lesson", "problems/headless", "dominoes/headless", "companion/headless", "alone"],
  ["ui"],
  ["board"],
  ["games/card"],
  ["shell"],
  ["panels"],
  ["lobby", "tables", "dominoes", "print", "companion"],
  ["analysis", "problems", "replay"],
  ["games/table"],
  ["pages"],
  ["main.tsx"],
];
/** Without a screen: no Preact but its signals, and no component. */
const HEADLESS = 3;

/** Games that build upon another one, whose folder they may import from; in Python they are subclasses of it. */
const BUILDS_ON: Readonly<Record<string, string>> = { auction: "classic", conquest: "classic" };

/** The room that a file belongs to. */
function roomOf(file: string): string {
  const [room = "", inner = ""] = file.split("/");
  if (room === "games") {
    if (/card\.tsx$|\/(cards|tables)\.ts$/.test(file)) return "games/card";
    return inner.includes(".") || /\/(game|rules)\.ts$/.test(file) || file.endsWith(".json") ? "games" : "games/table";
  }
  if (["problems", "dominoes", "companion"].includes(room) && file.endsWith(".ts") && !inner.startsWith("use-"))
    return `${room}/headless`;
  return room;
}

function floorOf(file: string): number {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
  assert.notEqual(floor, -1, `${file} is in no room`);
  return floor;
}

const code = SOURCES.map(({ name, text }) => ({ name, text: text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "") }));

interface Import {
  from: string;
  /** For its types only: nothing of it runs. */
  type: boolean;
}

/** What a file imports as it is loaded: of our own files their paths, of packages their names. */
function importsOf(name: string, text: string): Import[] {
  return [...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm)].map(
    ([, type, from]) => ({
      type: !!type,
      from: from!.startsWith(".") ? join(dirname(name), from!) : from!,
    }),
  );
}

const own = (from: string) => SOURCES.some(({ name }) => name === from) || from.endsWith(".json");

test("imports go downwards, file by file", () => {
  const wrong: string[] = [];
  for (const { name, text } of code) {
    for (const { from, type } of importsOf(name, text)) {
      if (!type && own(from) && floorOf(from) > floorOf(name)) wrong.push(`${name} imports ${from}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("what has no screen imports no component", () => {
  const wrong: string[] = [];
  for (const { name, text } of code.filter(({ name }) => floorOf(name) <= HEADLESS)) {
    assert.ok(name.endsWith(".ts"), `${name} is no place for a component`);
    for (const { from, type } of importsOf(name, text)) {
      if (!type && (/^preact/.test(from) || from.endsWith(".tsx"))) wrong.push(`${name} imports ${from}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("a game knows no other game, unless it builds upon it", () => {
  const gameOf = (file: string) => /^games\/([^/.]+)\//.exec(file)?.[1];
  const wrong: string[] = [];
  for (const { name, text } of code) {
    for (const { from } of importsOf(name, text)) {
      const [here, there] = [gameOf(name), gameOf(from)];
      if (there && here !== there && BUILDS_ON[here ?? ""] !== there && !MADE_INDEX.includes(name))
        wrong.push(`${name} imports ${from}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** The indexes of all games. */
const MADE_INDEX = ["games/index.ts", "games/rules.ts", "games/cards.ts", "games/tables.ts", "texts/index.ts"];

// -- one name, one thing ---------------------------------------------------------------------------

test("an exported name stands once", () => {
  const homes = new Map<string, string[]>();
  for (const { name, text } of code) {
    const declared = text.matchAll(
      /^export (?:default )?(?:abstract |async )?(?:class|const|function\*?|interface|let|type) (\w+|\{[^}]*\})/gm,
    );
    for (const [, one] of declared) {
      const bound = one!.startsWith("{") ? one!.split(",").map((part) => /(\w+)\W*$/.exec(part)?.[1] ?? "") : [one!];
      for (const exported of bound.filter(Boolean)) homes.set(exported, [...(homes.get(exported) ?? []), name]);
    }
  }
  assert.ok(homes.size > 500);
  const wrong = [...homes].filter(([, files]) => files.length > 1);
  assert.deepEqual(wrong, []);
});

// -- lines that the formatter leaves alone -----------------------------------------------------------

test("a comment fits the line", () => {
  const wrong = SOURCES.flatMap(({ name, text }) =>
    text
      .split("\n")
      .flatMap((line, i) => (line.length > 120 && /^\s*(?:\/\/|\/?\*|\{\/\*)/.test(line) ? [`${name}:${i + 1}`] : [])),
  );
  assert.deepEqual(wrong, []);
});

// -- no shared module names a game -----------------------------------------------------------------

/** Where the word is no game. */
const MEANT: Readonly<Record<string, string>> = {
  "data.ts 72": "the set of 72 dominoes, and its print",
  "data.ts puzzle": "the print of a frame to fill",
  "state/settings.ts classic": "the palette",
  "print/design-picture.tsx classic": "the palette",
  "print/fields.tsx 72": "the print",
  "print/guide.tsx 72": "the print",
  "print/guide.tsx puzzle": "the print",
  "print/prepared.tsx puzzle": "the print",
  "lobby/option-field.tsx 72": "the set",
  "analysis/link.ts 72": "the set",
  "analysis/position-text.tsx 72": "the set",
  "games/general.ts classic": "the game that is meant where none is named",
};

/** The games that a module names: as a text, as part of an address, or as the key of a table. */
function named(text: string): string[] {
  const texts = [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/g)].map(
    ([, ...parts]) => parts.find((part) => part !== undefined) ?? "",
  );
  const keys = [...text.matchAll(/^\s*(\w+):\s+(?=["'`[({\d])/gm)].map(([, key]) => key!);
  const addresses = texts.filter((one) => one.startsWith("/")).flatMap((one) => one.split(/[/?#]/));
  return [...texts, ...addresses, ...keys].filter((one) => NAMES.includes(one));
}

test("no shared module names a game", () => {
  const wrong: string[] = [];
  for (const { name, text } of code) {
    if (/^games\/[^/]+\//.test(name) || MADE_INDEX.includes(name)) continue;
    for (const game of new Set(named(text)))
      if (!MEANT[`${name} ${game}`]) wrong.push(`${name} names ${game}: ask gameOf instead`);
  }
  assert.deepEqual(wrong, []);
});

test("what is meant otherwise is still there", () => {
  for (const place of Object.keys(MEANT)) {
    const [file, game] = place.split(" ");
    assert.ok(named(code.find(({ name }) => name === file)?.text ?? "").includes(game!), place);
  }
});

test("the words of a game are said by its own folder", () => {
  const wrong: string[] = [];
  for (const { file, name: text } of TEXTS.filter(({ file }) => file.startsWith("games/"))) {
    for (const { name, text: source } of code) {
      if (!name.startsWith(dirname(file)) && new RegExp(`\\b(?:t|tt|say)\\(\\s*"${text}"`).test(source))
        wrong.push(`${name} says ${text} of ${file}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("every game is in every index", () => {
  for (const name of ["games/index.ts", "games/cards.ts", "games/tables.ts", "texts/index.ts"]) {
    const { text } = code.find((one) => one.name === name)!;
    for (const game of NAMES) assert.ok(text.includes(`/${game}/`), `${name} has no ${game}`);
  }
  for (const { name } of SOURCES.filter((one) => /^games\/[^/]+\/rules\.ts$/.test(one.name)))
    assert.ok(code.find((one) => one.name === "games/rules.ts")!.text.includes(name.replace("games/", "./")), name);
});

// -- styles: those of a game are in its folder -------------------------------------------------------

const shared = SHEETS.filter(({ name }) => !name.startsWith("games/"));
const classesIn = (selector: string) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, word]) => word!);
const selectors = ({ rules }: (typeof SHEETS)[number]) =>
  rules.filter(({ selector }) => !selector.startsWith("@")).map(({ selector }) => selector);

test("no shared style sheet names a game", () => {
  // `.gone` is a domino that a player has taken.
  const words = new RegExp(
    `(?<!\\.)\\b(${NAMES.filter((name) => name !== "72").join("|")})\\b|\\b\\w+-(${NAMES.join("|")})\\b`,
    "i",
  );
  const wrong = shared.flatMap(({ name, text, rules }) =>
    [...[...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(([comment]) => comment), ...selectors({ name, text, rules })]
      .filter((one) => words.test(one))
      .map((one) => `${name}: ${one}`),
  );
  assert.deepEqual(wrong, []);
});

/** The words in the texts of each file, of which some are classes. */
const wordsOf = code.map(({ name, text }) => ({
  name,
  words: new Set(
    (text.match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g) ?? []).flatMap((one) => one.match(/(?<![\w/-])[A-Za-z][\w-]*/g) ?? []),
  ),
}));

/** The files that say a word. */
const sayers = (word: string) => wordsOf.filter(({ words }) => words.has(word)).map(({ name }) => name);

test("what only one game shows is styled by its folder", () => {
  const gameOf = (file: string) => /^games\/([^/.]+)\//.exec(file)?.[1];
  const wrong = shared.flatMap((sheet) =>
    [...new Set(selectors(sheet).flatMap(classesIn))].flatMap((word) => {
      const games = new Set(sayers(word).map(gameOf));
      return games.size === 1 && !games.has(undefined) ? [`${sheet.name}: .${word} of ${[...games]}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

test("a game's styles reach nothing but its own: sheets stay when another game is played", () => {
  const wrong: string[] = [];
  for (const { name, rules } of SHEETS.filter((one) => one.name.startsWith("games/"))) {
    const [, game] = name.split("/");
    const isOwn = (word: string) =>
      word === `of-${game}` || sayers(word).every((file) => file.startsWith(`games/${game}/`));
    for (const { within, selector } of rules) {
      if (/^(@|from$|to$|\d+%)/.test(selector)) continue;
      const whole = [...within.filter((one) => !one.startsWith("@")), selector].join(" ");
      if (within.some((one) => one.startsWith("@keyframes"))) continue;
      for (const one of whole.split(/,(?![^(]*\))/))
        if (!classesIn(one).some(isOwn)) wrong.push(`${name}: ${one.trim()}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("the test sees names and imports", () => {
  for (const source of [
    'game === "alex"',
    "case 'gone':",
    'href="/rules/classic"',
    "`/new/72`",
    "  puzzle: [],",
    '  "72": 3,',
  ]) {
    assert.equal(named(source).length > 0, true, source);
  }
  assert.deepEqual(named('"gone_draw" + "classic game"'), []);
  const found = importsOf(
    "games/alex/table.tsx",
    'import { x } from "../../i18n.ts";\nimport type { Y } from "./game.ts";\nexport { default } from "preact";\n',
  );
  assert.deepEqual(found, [
    { from: "i18n.ts", type: false },
    { from: "games/alex/game.ts", type: true },
    { from: "preact", type: false },
  ]);
  assert.ok(floorOf("games/alex/table.tsx") > floorOf("tables/turn-table.tsx"));
  assert.ok(floorOf("games/alex/game.ts") <= floorOf("state/session.ts"));
});

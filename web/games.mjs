// The index of the games and of the languages: a game is a folder in src/games, a language a file in
// src/texts and in the folder of each game. scripts/build_web.py writes it before it does anything else.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "src");

/** The folders of the games; each has the game's name. */
export const games = readdirSync(join(source, "games"), { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name)
  .sort();

const ownName = (language) =>
  JSON.parse(readFileSync(join(source, "texts", `${language}.json`), "utf8")).shell.language_name;

/** The languages, in the order of their own names. */
export const languages = readdirSync(join(source, "texts"))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, 2))
  .sort((one, other) => ownName(one).localeCompare(ownName(other)));

const made = "// Made by games.mjs.\n";
const word = (text) => `_${text.replace(/\W/g, "_")}`;
const lines = (all, line) => all.map((one) => `${line(one)}\n`).join("");

/** What is made, by its path in src. */
const files = {
  "games/index.ts": `${made}/** What each of our games says of itself, by name. */
import type { GameParts } from "./game.ts";
${lines(games, (name) => `import ${word(name)} from "./${name}/game.ts";`)}
export const GAMES: Readonly<Record<string, GameParts>> = {
${lines(games, (name) => `  "${name}": ${word(name)},`)}};
`,
  "games/cards.ts": `${made}/** How our games are offered. */
import type { Card } from "./card.tsx";
${lines(games, (name) => `import ${word(name)} from "./${name}/card.tsx";`)}
export const CARDS: Readonly<Record<string, Card>> = {
${lines(games, (name) => `  "${name}": ${word(name)},`)}};
`,
  "games/tables.ts": `${made}/** The tables of our games, each loaded when it is played. */
import type { LoadTable } from "./card.tsx";

export const TABLES: Readonly<Record<string, LoadTable>> = {
${lines(games, (name) => `  "${name}": () => import("./${name}/table.tsx"),`)}};
`,
  "games/rules.ts": `${made}/** The rules of the games that one player can play without a server. */
import type { AloneRules } from "./alone.ts";

export const RULES: Readonly<Record<string, () => Promise<{ default: AloneRules }>>> = {
${lines(
  games.filter((name) => existsSync(join(source, "games", name, "rules.ts"))),
  (name) => `  "${name}": () => import("./${name}/rules.ts"),`,
)}};
`,
  "texts/index.ts": `${made}/** The languages, each with its own name, and every name of a text. */
import type shared from "./en.json";
${lines(games, (name) => `import type ${word(name)} from "../games/${name}/texts/en.json";`)}
type Shared = typeof shared;

export type TextName =
  | { [Room in keyof Shared]: keyof Shared[Room] }[keyof Shared]
${lines(games, (name) => `  | keyof typeof ${word(name)}`).trimEnd()};

export const LANGUAGES = { ${languages.map((one) => `${one}: "${ownName(one)}"`).join(", ")} } as const;
`,
};

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(source, path);
    if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  }
}

// The index of the games and of the texts: a game is a folder in src/games, and whoever adds one, or
// a file of texts, runs
//
//     node games.mjs
//
// A test says when that was forgotten.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "src");

/** The folders of the games; each has the game's name. */
export const games = readdirSync(join(source, "games"), { withFileTypes: true }).filter((one) => one.isDirectory()).map(({ name }) => name).sort();

/** Every file of texts, as a path in src. */
export const textFiles = [
  ...readdirSync(join(source, "texts")).filter((name) => name.endsWith(".json")).sort().map((name) => `texts/${name}`),
  ...games.map((name) => `games/${name}/texts.json`).filter((path) => existsSync(join(source, path))),
];

const made = "// Made by `node games.mjs`.\n";
const word = (text) => `_${text.replace(/\W/g, "_")}`;
const lines = (all, line) => all.map((one) => `${line(one)}\n`).join("");

/** What is made, by its path in src. */
export const files = {
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
  "texts/index.ts": `${made}/** Every name of a text. */
${lines(textFiles, (path) => `import type ${word(path)} from "../${path}";`)}
export type TextName =
${lines(textFiles, (path) => `  | keyof typeof ${word(path)}`)}`.trimEnd() + ";\n",
};

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(source, path), text);
}

/** The client's own sources and the project's pages, for tests that read them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Filled in by test.mjs: the folder of the client, and the names of the games. */
declare const WEB: string;
declare const GAMES: string[];

export const NAMES = GAMES;

export const SOURCES = (readdirSync(join(WEB, "src"), { recursive: true }) as string[])
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(WEB, "src", name), "utf8") }));

const readPage = (name: string): string => readFileSync(join(WEB, "..", "docs", name), "utf8");

export const ERRORS = readPage("errors.md");
export const FIELDS = readPage("protocol-fields.md");

export type Text = string | Record<string, string>;
/** The folders with texts: one for each area, and one in that of each game. */
const areas = readdirSync(join(WEB, "src", "texts"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `texts/${name}`);

/** Every text in all its languages, with the folder where it stands. */
export const TEXTS = [...areas, ...GAMES.map((name) => `games/${name}/texts`)].flatMap((file) => {
  const found = new Map<string, { file: string; name: string; languages: Record<string, Text> }>();
  for (const path of readdirSync(join(WEB, "src", file))) {
    const texts = JSON.parse(readFileSync(join(WEB, "src", file, path), "utf8")) as Record<string, Text>;
    for (const [name, text] of Object.entries(texts)) {
      if (!found.has(name)) found.set(name, { file, name, languages: {} });
      found.get(name)!.languages[path.replace(".json", "")] = text;
    }
  }
  return [...found.values()];
});

/** The rows of a table of a page that is made by `make docs`, cell by cell. */
export function rows(page: string, name: string): string[][] {
  const part = page.split(`<!-- ${name}: made by make docs -->`)[1]!.split("<!-- end -->")[0]!;
  return part
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));
}

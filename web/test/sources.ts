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
/** Every text in all its languages, with the place where it stands: a room, or a game. */
export const TEXTS = ["texts", ...GAMES.map((name) => `games/${name}/texts`)].flatMap((folder) => {
  const found = new Map<string, { file: string; name: string; languages: Record<string, Text> }>();
  for (const path of readdirSync(join(WEB, "src", folder)).filter((path) => path.endsWith(".json"))) {
    const read = JSON.parse(readFileSync(join(WEB, "src", folder, path), "utf8"));
    const rooms = (folder === "texts" ? read : { [folder]: read }) as Record<string, Record<string, Text>>;
    for (const [room, texts] of Object.entries(rooms)) {
      for (const [name, text] of Object.entries(texts)) {
        const place = `${room} ${name}`;
        if (!found.has(place)) found.set(place, { file: room, name, languages: {} });
        found.get(place)!.languages[path.replace(".json", "")] = text;
      }
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

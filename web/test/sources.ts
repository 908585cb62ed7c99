/** The client's own sources and the project's pages, for tests that read them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Filled in by test.mjs: the folder of the client, the names of the games, and what games.mjs makes. */
declare const WEB: string;
declare const GAMES: string[];
declare const MADE: Record<string, string>;
declare const TEXT_FILES: string[];

export const [NAMES, FRESH] = [GAMES, MADE];

export const SOURCES = (readdirSync(join(WEB, "src"), { recursive: true }) as string[])
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(WEB, "src", name), "utf8") }));

export const PROTOCOL = readFileSync(join(WEB, "..", "docs", "protocol.md"), "utf8");

export type Text = string | Record<string, string>;
/** Every text in all its languages, with the file where it stands. */
export const TEXTS = TEXT_FILES.flatMap((file) =>
  Object.entries(JSON.parse(readFileSync(join(WEB, "src", file), "utf8")) as Record<string, Record<string, Text>>)
    .map(([name, languages]) => ({ file, name, languages })),
);

/** The rows of a table of a page that is made by `make docs`, cell by cell. */
export function rows(page: string, name: string): string[][] {
  const part = page.split(`<!-- ${name}: made by make docs -->`)[1]!.split("<!-- end -->")[0]!;
  return part.split("\n").filter((line) => line.startsWith("| ")).map((line) => line.slice(2, -2).split(" | "));
}

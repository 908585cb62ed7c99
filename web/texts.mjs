// An esbuild plugin: `texts:fr` is one language of all files of texts, where each text stands in all
// six languages side by side.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textFiles } from "./games.mjs";

export function allTexts() {
  const all = {};
  for (const file of textFiles) {
    for (const [name, text] of Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, "src", file), "utf8")))) {
      if (name in all) throw new Error(`The text ${name} stands in two files.`);
      all[name] = text;
    }
  }
  return all;
}

export const texts = {
  name: "texts",
  setup(build) {
    build.onResolve({ filter: /^texts:/ }, ({ path }) => ({ path: path.slice(6), namespace: "texts" }));
    build.onLoad({ filter: /.*/, namespace: "texts" }, ({ path }) => {
      const chosen = Object.entries(allTexts()).map(([name, text]) => [name, text[path]]);
      return { contents: JSON.stringify(Object.fromEntries(chosen)), loader: "json" };
    });
  },
};

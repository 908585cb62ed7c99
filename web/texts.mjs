// An esbuild plugin: `texts:fr` is all texts of one language, those of the games among them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { games } from "./games.mjs";

const read = (path) => JSON.parse(readFileSync(join(import.meta.dirname, "src", path), "utf8"));

export function allTexts(language) {
  const all = {};
  const rooms = [...Object.values(read(`texts/${language}.json`)), ...games.map((name) => read(`games/${name}/texts/${language}.json`))];
  for (const [name, text] of rooms.flatMap(Object.entries)) {
    if (name in all) throw new Error(`The text ${name} stands there twice.`);
    all[name] = text;
  }
  return all;
}

export const texts = {
  name: "texts",
  setup(build) {
    build.onResolve({ filter: /^texts:/ }, ({ path }) => ({ path: path.slice(6), namespace: "texts" }));
    build.onLoad({ filter: /.*/, namespace: "texts" }, ({ path }) => ({ contents: JSON.stringify(allTexts(path)), loader: "json" }));
  },
};

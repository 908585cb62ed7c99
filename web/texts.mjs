// Texts as a page needs them: `texts-PAGE-LANGUAGE` is one file with all that the page and what is round it may say.
// Which texts these are is read from the modules that the page is made of.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { games, languages } from "./games.mjs";

const read = (path) => JSON.parse(readFileSync(join(import.meta.dirname, "src", path), "utf8"));

/** Every text of a language, those of the games among them. */
function allTexts(language) {
  const all = {};
  const rooms = [
    ...Object.values(read(`texts/${language}.json`)),
    ...games.map((name) => read(`games/${name}/texts/${language}.json`)),
  ];
  for (const [name, text] of rooms.flatMap(Object.entries)) {
    if (name in all) throw new Error(`The text ${name} stands there twice.`);
    all[name] = text;
  }
  return all;
}

/** The names among `all` that a module may ask for: those that stand there, and those that `tt` puts together there. */
function asked(path, all) {
  if (!/\.tsx?$/.test(path)) return [];
  const source = readFileSync(join(import.meta.dirname, path), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const words = new Set([...source.matchAll(/"(\w+)"/g)].map(([, word]) => word));
  const patterns = [...source.matchAll(/\b(?:tt|textOr)\(\s*`([^`]+)`/g)].map(([, template]) => {
    const pattern = template.replace(/\$\{[^}]*\}/g, "\\w+");
    // The first part may be a property: `<Choices name="palette" ...>` in the same file.
    const names = [...source.matchAll(/\bname="(\w+)"/g)].map(([, name]) => name);
    return new RegExp(`^${pattern.startsWith("\\w+") ? pattern.replace("\\w+", `(?:${names.join("|")})`) : pattern}$`);
  });
  return all.filter((name) => words.has(name) || patterns.some((pattern) => pattern.test(name)));
}

/**
 * The texts of each page in each language, as files: `pages` has the module of each page, `first` the one that all begin
 * with, and `parts` those that are loaded with their texts when they are wanted.
 */
export function textFiles({ inputs }, first, pages, parts) {
  const roots = Object.values({ ...pages, ...parts });
  const reached = (path, found = new Set()) => {
    if (found.has(path)) return found;
    found.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind === "import-statement" || !roots.includes(next)) reached(next, found);
    return found;
  };
  const all = Object.fromEntries(languages.map((language) => [language, allTexts(language)]));
  const names = Object.keys(all[languages[0]]);
  const byModule = Object.fromEntries(Object.keys(inputs).map((path) => [path, asked(path, names)]));
  const lost = new Set(names);
  const files = Object.entries({ ...pages, ...parts }).flatMap(([page, module]) => {
    const wanted = new Set(
      [...(page in parts ? [] : reached(first)), ...reached(module)].flatMap((path) => byModule[path] ?? []),
    );
    for (const name of wanted) lost.delete(name);
    const own = names.filter((name) => wanted.has(name));
    return languages.map((language) => [
      `texts-${page}-${language}.js`,
      `export default ${JSON.stringify(Object.fromEntries(own.map((name) => [name, all[language][name]])))};\n`,
    ]);
  });
  lost.delete("language_name"); // For the index.
  if (lost.size) console.warn(`No module of a page asks for the texts ${[...lost].join(", ")}.`);
  return Object.fromEntries(files);
}

/**
 * An esbuild plugin: `texts:load` is how texts are loaded. In a browser, from the file beside the first one, whose name
 * ends as all names of one build do; in tests, `whole`, all texts of the language.
 */
export const texts = ({ whole = false } = {}) => ({
  name: "texts",
  setup(build) {
    build.onResolve({ filter: /^texts:/ }, ({ path }) => ({ path: path.slice(6), namespace: "texts" }));
    build.onLoad({ filter: /.*/, namespace: "texts" }, ({ path }) => {
      if (path !== "load") return { contents: `export default ${JSON.stringify(allTexts(path))}`, loader: "js" };
      return { contents: whole ? WHOLE : BESIDE, loader: "js" };
    });
  },
});

// Some browsers remember for a whole visit that a module could not be loaded: the next try has another address.
const BESIDE = `const failures = new Map();
export default async (page, language) => {
  const file = import.meta.url.replace(/main(?=[-\\w]*\\.js$)/, "texts-" + page + "-" + language);
  const count = failures.get(file) ?? 0;
  try {
    return (await import(count ? file + "?" + count : file)).default;
  } catch (error) {
    failures.set(file, count + 1);
    throw error;
  }
};`;
const WHOLE = `const all = { ${languages.map((one) => `${one}: () => import("texts:${one}")`).join(", ")} };
export default async (_page, language) => (await all[language]()).default;`;

// Texts as a page needs them: `texts-PAGE-LANGUAGE` is one file with all that the page and what is round it may say.
// Which texts these are is read from the strings in the modules that the page is made of.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

const source = join(import.meta.dirname, "src");
const list = (folder) =>
  readdirSync(join(source, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

/** The folders of the games; each has the game's name. */
export const games = list("games");

/** The folders with texts: one for each area, and one in that of each game. */
const folders = [...list("texts").map((area) => `texts/${area}`), ...games.map((game) => `games/${game}/texts`)];

/** The languages by their codes: every folder has a file for each. */
export const languages = readdirSync(join(source, folders[0]))
  .map((name) => name.replace(".json", ""))
  .sort();

/** Every text of a language. */
function readTexts(language) {
  const all = {};
  for (const folder of folders) {
    for (const [name, text] of Object.entries(
      JSON.parse(readFileSync(join(source, folder, `${language}.json`), "utf8")),
    )) {
      if (name in all) throw new Error(`The text ${name} exists twice.`);
      all[name] = text;
    }
  }
  return all;
}

/** Call `visit` with every node of a syntax tree. */
function walk(node, visit) {
  if (Array.isArray(node)) for (const inner of node) walk(inner, visit);
  else if (node && typeof node === "object") {
    if (typeof node.type === "string") visit(node);
    for (const inner of Object.values(node)) walk(inner, visit);
  }
}

/** The names among `all` that a module may ask for: its strings, and what `tt` and `textOr` put together there. */
function findNames(module, all) {
  if (!/\.tsx?$/.test(module)) return [];
  const words = new Set();
  const templates = [];
  const nameAttributes = [];
  const { program } = parseSync(module, readFileSync(join(source, module), "utf8"));
  walk(program, (node) => {
    if (node.type === "Literal") words.add(node.value);
    // `<Choices name="palette" ...>`: the first part of names that are put together in the same file.
    if (node.type === "JSXAttribute" && node.name.name === "name" && node.value?.type === "Literal")
      nameAttributes.push(node.value.value);
    if (node.type === "CallExpression" && ["tt", "textOr"].includes(node.callee.name)) {
      const [template] = node.arguments;
      if (template?.type === "TemplateLiteral") templates.push(template.quasis.map(({ value }) => value.raw));
    }
  });
  const patterns = templates.map((parts) => {
    const pattern = parts.join("\\w+");
    return new RegExp(`^${parts[0] ? pattern : pattern.replace("\\w+", `(?:${nameAttributes.join("|")})`)}$`);
  });
  return all.filter((name) => words.has(name) || patterns.some((pattern) => pattern.test(name)));
}

/**
 * The texts of each page in each language, as modules by their names: `pages` and `parts` have the module of each page,
 * and of each part that loads texts of its own when it is opened.
 */
export function writeTexts(graph, first, pages, parts) {
  const roots = Object.values({ ...pages, ...parts });
  const follow = (module) => !roots.includes(module);
  const all = Object.fromEntries(languages.map((language) => [language, readTexts(language)]));
  const names = Object.keys(all.en);
  const namesIn = new Map();
  const findIn = (module) => {
    if (!namesIn.has(module)) namesIn.set(module, findNames(module, names));
    return namesIn.get(module);
  };
  const files = {};
  const unused = new Set(names);
  for (const [page, module] of Object.entries({ ...pages, ...parts })) {
    const modules = new Set([...(page in parts ? [] : graph.reach(first, follow)), ...graph.reach(module, follow)]);
    const needed = new Set([...modules].flatMap(findIn));
    for (const name of needed) unused.delete(name);
    for (const language of languages) {
      const own = names.filter((name) => needed.has(name)).map((name) => [name, all[language][name]]);
      files[`texts-${page}-${language}`] = `export default ${JSON.stringify(Object.fromEntries(own))};\n`;
    }
  }
  if (unused.size) console.warn(`No module of a page asks for the texts ${[...unused].join(", ")}.`);
  return files;
}

// Bundles the client into the Python package (src/dalapapa/web): files whose names carry the hash of their sources,
// each also compressed, so that the server only sends what is there.
import { build as bundleStyles } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { ModuleGraph, assignBundles, listBundles } from "./bundles.mjs";
import { games, languages, writeTexts } from "./texts.mjs";

const home = import.meta.dirname;
const source = join(home, "src");
// DALAPAPA_WEB names another place, for those who work on the client; the server knows it, too.
const place = process.env.DALAPAPA_WEB || join(home, "..", "src", "dalapapa", "web");
const out = `${place}.new`;
const fast = process.argv.includes("--fast");
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** What the names of all files end in, so that the client finds them by name and builds never mix. */
const BUILD = (() => {
  const hash = createHash("sha256").update(String(fast));
  const tools = ["build.mjs", "bundles.mjs", "texts.mjs", "package-lock.json"].map((name) => join(home, name));
  for (const file of [...tools, ...filesIn(source)]) hash.update(file.slice(home.length)).update(readFileSync(file));
  return hash.digest("hex").slice(0, 8).toUpperCase();
})();
const asset = (name) => `/assets/${name}`;

/** The module of each page, by the first part of its address; the home page has none. */
const PAGES = Object.fromEntries(
  readdirSync(join(source, "pages"))
    .map((file) => [{ home: "", table: "t" }[basename(file, ".tsx")] ?? basename(file, ".tsx"), `pages/${file}`])
    .filter(([page]) => page !== "missing"),
);
/** What the texts and the style sheets of a page are called. */
const fileName = (page) => page || "home";

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });

// -- modules -------------------------------------------------------------------------------------

const graph = new ModuleGraph(source);
const bundle = await rolldown({
  cwd: home,
  input: { main: join(source, "main.tsx") },
  platform: "browser",
  transform: { target: "es2022", define: { BUILD: JSON.stringify(BUILD) } },
  preserveEntrySignatures: false,
  // What is imported both ways is in a bundle, as bundles.mjs says.
  checks: { ineffectiveDynamicImport: false },
  plugins: [graph.plugin],
});
let bundleOf;
const { output } = await bundle.write({
  dir: join(out, "assets"),
  entryFileNames: `[name]-${BUILD}.js`,
  chunkFileNames: ({ name, facadeModuleId }) => {
    const [, game] = /[\\/]games[\\/]([^\\/]+)[\\/]/.exec(facadeModuleId ?? "") ?? [];
    return `${game ? `${game}-${name}` : name}-${BUILD}.js`;
  },
  minify: !fast,
  comments: false,
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: "bundles",
        // The graph is complete when the first module is asked for.
        name: (id) => (bundleOf ??= assignBundles(graph, listBundles(graph, games)))(graph.nameOf(id)),
      },
    ],
  },
});
await bundle.close();

/** The file with a module, and all that it imports. */
function filesOf(module) {
  const chunk = output.find(({ moduleIds }) => moduleIds?.some((id) => graph.nameOf(id) === module));
  const found = new Set([chunk.fileName]);
  for (const file of found)
    for (const next of output.find(({ fileName }) => fileName === file).imports) found.add(next);
  return [...found];
}

// -- texts ---------------------------------------------------------------------------------------

const texts = writeTexts(
  graph,
  "main.tsx",
  {
    ...Object.fromEntries(Object.entries(PAGES).map(([page, module]) => [fileName(page), module])),
    missing: "pages/missing.tsx",
  },
  {
    words: "tables/words-dialog.tsx",
    device: "panels/device-games.tsx",
    moving: "tables/moving.tsx",
    menu: "tables/menu-dialog.tsx",
    notices: "tables/notices.tsx",
    settings: "shell/settings-dialog.tsx",
    result: "panels/result.tsx",
  },
);
for (const [name, text] of Object.entries(texts)) writeFileSync(join(out, "assets", `${name}-${BUILD}.js`), text);

// -- style sheets --------------------------------------------------------------------------------

const sheets = JSON.parse(readFileSync(join(source, "style", "sheets.json"), "utf8"));
const styled = games.filter((game) => existsSync(join(source, "games", game, "style.css")));
const styles = await bundleStyles({
  entryPoints: [
    ...["main", "play", "races", "more", "packages"].map((name) => ({
      in: join(source, "style", `${name}.css`),
      out: name,
    })),
    ...styled.map((game) => ({ in: join(source, "games", game, "style.css"), out: game })),
  ],
  absWorkingDir: home,
  outdir: join(out, "assets"),
  entryNames: `[name]-${BUILD}`,
  bundle: true,
  minify: !fast,
  legalComments: "none",
  target: "es2022",
  loader: { ".woff2": "file" },
  assetNames: "[name]-[hash]",
  metafile: true,
  logLevel: "warning",
});
const styleAssets = Object.keys(styles.metafile.outputs)
  .map((path) => basename(path))
  .sort();

// -- the page ------------------------------------------------------------------------------------

// The page names the two files that it begins with; the server adds what else the address and the reader's language
// will need (server/http/static.py), so that the browser loads all of it at the same time.
const page = readFileSync(join(home, "index.html"), "utf8")
  .replace("{main}", asset(`main-${BUILD}.js`))
  .replace("{style}", asset(`main-${BUILD}.css`))
  .replace(
    "{fonts}",
    styleAssets
      .filter((name) => name.endsWith(".woff2"))
      .map(
        (name) =>
          `<link rel="preload" href="${asset(name)}" as="font" type="font/woff2" crossorigin fetchpriority="low" />`,
      )
      .join("\n    "),
  );
writeFileSync(join(out, "index.html"), page);

const first = filesOf("main.tsx");
const modulesOf = (module, before = first) =>
  filesOf(module)
    .filter((file) => !before.includes(file))
    .map(asset);
const atTable = [...first, ...filesOf(PAGES.t)];
const sheet = (name) => asset(`${name}-${BUILD}.css`);
writeFileSync(
  join(out, "preload.json"),
  JSON.stringify({
    pages: Object.fromEntries(
      Object.entries(PAGES).map(([page, module]) => [
        page,
        { modules: modulesOf(module), styles: (sheets[fileName(page)] ?? sheets.other).map(sheet) },
      ]),
    ),
    tables: Object.fromEntries(
      games.map((game) => [
        game,
        [
          ...(graph.reach(`games/${game}/table.tsx`).has("tables/frame-table.tsx") ? [sheet("races")] : []),
          ...(styled.includes(game) ? [sheet(game)] : []),
          ...modulesOf(`games/${game}/table.tsx`, atTable),
        ],
      ]),
    ),
    waiting: modulesOf("tables/waiting-room.tsx", atTable),
    texts: asset(`texts-{page}-{language}-${BUILD}.js`),
    languages,
  }),
);

// -- what is copied, and the service worker ------------------------------------------------------

cpSync(join(home, "public"), out, { recursive: true });
// The offline shell keeps exactly this build: its name is the hash of the build.
const assets = [
  ...output.map(({ fileName }) => fileName),
  ...Object.keys(texts).map((name) => `${name}-${BUILD}.js`),
  ...styleAssets,
]
  .sort()
  .map(asset);
const version = createHash("sha256").update(page).update(assets.join()).digest("hex").slice(0, 12);
const worker = readFileSync(join(out, "worker.js"), "utf8");
writeFileSync(
  join(out, "worker.js"),
  worker
    .replace("{version}", version)
    .replace('["{files}"]', JSON.stringify(["", ...assets.map((file) => file.slice(1))])),
);

for (const file of filesIn(out)) {
  if (!/\.(js|css|html|svg|webmanifest|json)$/.test(file)) continue;
  const data = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(data, { level: 9 }));
  if (!fast)
    writeFileSync(`${file}.br`, brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

rmSync(place, { recursive: true, force: true });
renameSync(out, place);

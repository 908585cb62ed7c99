// Bundles the client into the Python package (src/dalapapa/web): hashed files, each also
// compressed, so that the server only sends what is there.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { games, languages } from "./games.mjs";
import { merge } from "./merge.mjs";
import { textFiles, texts } from "./texts.mjs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// DALAPAPA_WEB names another place, for those who work on the client; the server knows it, too.
const place = process.env.DALAPAPA_WEB || join(import.meta.dirname, "..", "src", "dalapapa", "web");
const out = `${place}.new`;
const fast = process.argv.includes("--fast");
/** Bytes of a game's own table for which another file is not worth while. */
const SMALL = 2500;
/** The module of each page, by the first part of its address. */
const PAGES = Object.fromEntries(
  readFileSync(join(import.meta.dirname, "src", "shell", "app.tsx"), "utf8")
    .matchAll(/^ {2}(\w+|""): \(\) => import\("\.\.\/(pages\/\w+\.tsx)"\)/gm)
    .map(([, name, module]) => [name.replace(/"/g, ""), `src/${module}`]),
);
/** What the files of a page are called. */
const fileName = (page) => page || "home";
const sheets = JSON.parse(readFileSync(join(import.meta.dirname, "src", "style", "sheets.json"), "utf8"));
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });

const result = await build({
  entryPoints: ["src/main.tsx", "src/style/main.css", "src/style/play.css", "src/style/more.css"],
  absWorkingDir: import.meta.dirname,
  outdir: join(out, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: !fast,
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".woff2": "file" },
  assetNames: "[name]-[hash]",
  metafile: true,
  plugins: [texts()],
  logLevel: "warning",
});

/** What is built of a source: its path. */
const builtOf = (source) =>
  Object.entries(result.metafile.outputs).find(([, { entryPoint }]) => entryPoint === source)[0];

// Files that the client finds by their names: style sheets, and the texts of each page.
const beside = textFiles(
  result.metafile,
  "src/main.tsx",
  {
    ...Object.fromEntries(Object.entries(PAGES).map(([page, module]) => [fileName(page), module])),
    missing: "src/pages/missing.tsx",
  },
  { words: "src/tables/words-dialog.tsx" },
);
for (const sheet of ["main", "play", "more"]) {
  const path = join(import.meta.dirname, builtOf(`src/style/${sheet}.css`));
  beside[`${sheet}.css`] = readFileSync(path, "utf8");
  rmSync(path);
}

// What everybody loads, what everybody loads who comes, who waits for players, and who plays; what is only for turns, for
// races or for the end of a game is another file, and so is the table of a game, unless it is small.
const tables = Object.fromEntries(games.map((name) => [name, `src/games/${name}/table.tsx`]));
const bundles = {
  main: { of: ["src/main.tsx"] },
  home: { after: "main", of: ["src/pages/home.tsx"] },
  waiting: { after: "home", of: ["src/tables/waiting-room.tsx"] },
  play: { after: "main", of: ["src/pages/table.tsx"] },
  turns: { after: "play", of: [] },
  races: { after: "play", of: [] },
  over: { after: "play", of: ["src/panels/result.tsx"] },
};
for (const [name, module] of Object.entries(tables)) {
  const { outputs } = result.metafile;
  const { bytes, imports } = outputs[builtOf(module)];
  const kind = imports.some(({ path }) => "src/tables/frame-table.tsx" in outputs[path].inputs) ? "races" : "turns";
  if (bytes < SMALL) bundles[kind].of.push(module);
  else bundles[name] = { after: kind, of: [module] };
}
const { fileOf, needs, named } = await merge(join(out, "assets"), result.metafile, bundles, beside, !fast);

// The page names the two files that it begins with; the server adds what else the address and the reader's language
// will want (site.py), so that it need not be found out file by file.
const asset = (file) => `/assets/${file}`;
const page = readFileSync(join(import.meta.dirname, "index.html"), "utf8")
  .replace("{main}", asset(fileOf("src/main.tsx")))
  .replace("{style}", asset(named("main.css")))
  .replace(
    "{fonts}",
    Object.keys(result.metafile.outputs)
      .filter((path) => path.endsWith(".woff2"))
      .sort()
      .map(
        (path) =>
          `<link rel="preload" href="${asset(path.split("/").at(-1))}" as="font" type="font/woff2" crossorigin fetchpriority="low" />`,
      )
      .join("\n    "),
  );
const begun = needs("src/main.tsx");
const more = (module, before = []) => needs(module).filter((file) => !begun.includes(file) && !before.includes(file));
writeFileSync(
  join(out, "preload.json"),
  JSON.stringify({
    pages: Object.fromEntries(
      Object.entries(PAGES).map(([name, module]) => [
        name,
        {
          modules: more(module).map(asset),
          styles: (sheets[fileName(name)] ?? sheets.other).map((sheet) => asset(named(`${sheet}.css`))),
        },
      ]),
    ),
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, module]) => [name, more(module, more(PAGES.t)).map(asset)]),
    ),
    waiting: more("src/tables/waiting-room.tsx", more(PAGES.t)).map(asset),
    texts: asset(named("texts-{page}-{language}.js")),
    languages,
  }),
);
writeFileSync(join(out, "index.html"), page);
cpSync(join(import.meta.dirname, "public"), out, { recursive: true });

// The offline shell keeps exactly this build: its name is the hash of the build.
const assets = readdirSync(join(out, "assets")).map((name) => `/assets/${name}`);
const version = createHash("sha256").update(page).update(assets.join()).digest("hex").slice(0, 12);
const worker = readFileSync(join(out, "worker.js"), "utf8");
writeFileSync(
  join(out, "worker.js"),
  worker.replace('"{version}"', JSON.stringify(version)).replace('["{files}"]', JSON.stringify(["/", ...assets])),
);

for (const file of readdirSync(out, { recursive: true })) {
  if (!/\.(js|css|html|svg|webmanifest|json)$/.test(file)) continue;
  const data = readFileSync(join(out, file));
  writeFileSync(join(out, `${file}.gz`), gzipSync(data, { level: 9 }));
  if (!fast)
    writeFileSync(
      join(out, `${file}.br`),
      brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    );
}

rmSync(place, { recursive: true, force: true });
renameSync(out, place);

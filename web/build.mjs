// Bundles the client into the Python package (src/dalapapa/web): hashed files, each also
// compressed, so that the server only sends what is there.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { games } from "./games.mjs";
import { merge } from "./merge.mjs";
import { texts } from "./texts.mjs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// DALAPAPA_WEB names another place, for those who work on the client; the server knows it, too.
const place = process.env.DALAPAPA_WEB || join(import.meta.dirname, "..", "src", "dalapapa", "web");
const out = `${place}.new`;
const fast = process.argv.includes("--fast");
/** The module of each page, by the first part of its address. */
const PAGES = Object.fromEntries(
  readFileSync(join(import.meta.dirname, "src", "shell", "app.tsx"), "utf8").matchAll(/^ {2}(\w+|""): \(\) => import\("\.\.\/(pages\/\w+\.tsx)"\)/gm)
    .map(([, name, module]) => [name.replace(/"/g, ""), `src/${module}`]),
);
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "assets"), { recursive: true });

const result = await build({
  entryPoints: { main: "src/main.tsx", style: "src/style/main.css" },
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
  plugins: [texts],
  logLevel: "warning",
});

// What everybody loads, what everybody loads who comes, and who plays.
const { fileOf, needs } = await merge(join(out, "assets"), result.metafile, {
  main: ["src/main.tsx"],
  home: ["src/pages/home.tsx"],
  play: ["src/pages/table.tsx", "src/tables/waiting-room.tsx", ...games.map((name) => `src/games/${name}/table.tsx`)],
}, !fast);

// The page names the two files that it begins with; the server adds what else the address and the reader's language
// will want (site.py), so that it need not be found out file by file.
const asset = (file) => `/assets/${file}`;
const style = Object.entries(result.metafile.outputs).find(([, { entryPoint }]) => entryPoint === "src/style/main.css")[0];
const page = readFileSync(join(import.meta.dirname, "index.html"), "utf8")
  .replace("{main}", asset(fileOf("src/main.tsx")))
  .replace("{style}", asset(style.split("/").at(-1)))
  .replace("{fonts}", Object.keys(result.metafile.outputs).filter((path) => path.endsWith(".woff2")).sort()
    .map((path) => `<link rel="preload" href="${asset(path.split("/").at(-1))}" as="font" type="font/woff2" crossorigin />`).join("\n    "));
const begun = needs("src/main.tsx");
const pages = Object.entries(PAGES).map(([name, module]) => [name, needs(module).filter((file) => !begun.includes(file)).map(asset)]);
const languages = readdirSync(join(import.meta.dirname, "src", "texts")).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
writeFileSync(join(out, "preload.json"), JSON.stringify({
  pages: Object.fromEntries(pages),
  languages: Object.fromEntries(languages.map((language) => [language, asset(fileOf(`texts:${language}`))])),
}));
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

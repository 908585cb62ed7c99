// Bundles the client into the Python package (src/dalapapa/web): hashed files, each also
// compressed, so that the server only sends what is there.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { texts } from "./texts.mjs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// DALAPAPA_WEB names another place, for those who work on the client; the server knows it, too.
const place = process.env.DALAPAPA_WEB || join(import.meta.dirname, "..", "src", "dalapapa", "web");
const out = `${place}.new`;
const fast = process.argv.includes("--fast");
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
  metafile: true,
  plugins: [texts],
  logLevel: "warning",
});

// The page names the two files by their hashes; everything else is found through them.
const names = Object.entries(result.metafile.outputs).map(([path, output]) => [
  output.entryPoint,
  path.split("/").at(-1),
]);
const named = (entry) => names.find(([source]) => source === entry)[1];
const page = readFileSync(join(import.meta.dirname, "index.html"), "utf8")
  .replace("{main}", `/assets/${named("src/main.tsx")}`)
  .replace("{style}", `/assets/${named("src/style/main.css")}`);
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

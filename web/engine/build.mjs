// Bundle the worker and its client:  node engine/build.mjs FOLDER BUILT
//
// BUILT is JSON: the names of the engine's files, and Pyodide's description of its Python. Both are
// part of the worker, so that a worker never loads the files of another version.
import { build } from "esbuild";

const [folder, built] = process.argv.slice(2);
await build({
  entryPoints: { "engine.worker": "worker.ts", "engine.client": "client.ts" },
  absWorkingDir: import.meta.dirname,
  outdir: folder,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  define: { BUILT: JSON.stringify(JSON.parse(built)) },
  logLevel: "warning",
});

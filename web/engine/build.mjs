// Bundle the workers and their clients:  node engine/build.mjs FOLDER BUILT
//
// BUILT is JSON: the names of the engine's files, its version, and Pyodide's description of its Python.
// They are part of the workers, so that a worker never loads the files of another version.
import { build } from "esbuild";

const [folder, built] = process.argv.slice(2);
await build({
  entryPoints: {
    "engine.worker": "worker.ts",
    "engine.client": "client.ts",
    "engine.tables-worker": "tables-worker.ts",
    "engine.device": "device.ts",
  },
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

// Run a Python script in Pyodide, by Node.js:
//
//     node run.mjs [--engine FOLDER [--whole-library]] SCRIPT [ARGUMENT ...]
//
// With --engine, the Python of a built engine runs it, with the package; without it, or with
// --whole-library, the standard library has all of its modules. The script finds the files of this
// machine below /host.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadPyodide } from "pyodide";

async function start(engine, wholeLibrary) {
  const parts = engine && JSON.parse(readFileSync(join(engine, "manifest.json"), "utf8")).parts;
  const python = await loadPyodide({
    // Compiled modules are the same in every run, and know their lines but not their columns.
    env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" },
    ...(engine && !wholeLibrary && { stdLibURL: join(engine, parts.library) }),
  });
  if (engine) {
    const archive = new Uint8Array(readFileSync(join(engine, parts.package)));
    python.unpackArchive(archive, "zip", { extractDir: "/lib/python3.14/site-packages" });
  }
  python.FS.mkdir("/host");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: "/" }, "/host");
  return python;
}

const { values: options, positionals } = parseArgs({
  options: { engine: { type: "string" }, "whole-library": { type: "boolean" } },
  allowPositionals: true,
});
try {
  const python = await start(options.engine && resolve(options.engine), options["whole-library"]);
  python.globals.set("arguments", python.toPy(positionals));
  python.runPython(`
import runpy, sys
sys.dont_write_bytecode = True
sys.argv[:] = arguments
runpy.run_path("/host" + sys.argv[0], run_name="__main__")`);
} catch (error) {
  const status = /SystemExit: (\d+)\s*$/.exec(error.message)?.[1];
  if (status === undefined) console.error(error.message);
  process.exitCode = Number(status ?? 1);
}

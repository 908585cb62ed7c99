// The tests that need no browser: bundled as the client is, and run by Node.
//
//     node test.mjs [NAME ...]       all, or test/NAME.test.ts
//     node test.mjs player           test/player.ts, at the tables of a server (tests/test_lying_line.py)
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { games } from "./games.mjs";
import { texts } from "./texts.mjs";

const home = import.meta.dirname;
const asked = process.argv.slice(2);
const all = readdirSync(join(home, "test")).filter((name) => name.endsWith(".test.ts"));
const playing = asked[0] === "player";
const chosen = playing
  ? ["player.ts"]
  : all.filter((name) => !asked.length || asked.includes(name.replace(".test.ts", "")));
if (!chosen.length) throw new Error(`There is no test of this name; there are ${all.join(", ")}.`);

const out = mkdtempSync(join(tmpdir(), "dalapapa-web-"));
try {
  await build({
    entryPoints: chosen.map((name) => join(home, "test", name)),
    absWorkingDir: home,
    outdir: out,
    outExtension: { ".js": ".mjs" },
    // Whatever module is tested first: the little that it wants of a browser is there.
    inject: [join(home, "test", "surroundings.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    sourcemap: "inline",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { WEB: JSON.stringify(home), GAMES: JSON.stringify(games) },
    plugins: [texts({ whole: true })],
    logLevel: "warning",
  });
  const files = chosen.map((name) => join(out, name.replace(/ts$/, "mjs")));
  const testing = playing ? [] : ["--test", "--test-reporter=dot"];
  const { status } = spawnSync(process.execPath, ["--enable-source-maps", ...testing, ...files], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}

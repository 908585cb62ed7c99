// The tests that need no browser: bundled as the client is, and run by Node.
//
//     node test.mjs [NAME ...]       all, or test/NAME.test.ts and test/components/NAME.test.tsx
//     node test.mjs player           test/player.ts, at the tables of a server (tests/test_lying_line.py)
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { games } from "./texts.mjs";

const home = import.meta.dirname;
const asked = process.argv.slice(2);
const nameOf = (path) => basename(path).replace(/(\.test)?\.tsx?$/, "");
const all = readdirSync(join(home, "test"), { recursive: true }).filter((path) => /\.test\.tsx?$/.test(path));
const playing = asked[0] === "player";
const chosen = playing ? ["player.ts"] : all.filter((path) => !asked.length || asked.includes(nameOf(path)));
if (!chosen.length) throw new Error(`No test has this name; there are ${all.map(nameOf).join(", ")}.`);

const out = mkdtempSync(join(tmpdir(), "dalapapa-web-"));
try {
  const bundle = await rolldown({
    cwd: home,
    input: Object.fromEntries([...chosen, "surroundings.ts"].map((path) => [nameOf(path), join(home, "test", path)])),
    platform: "node",
    external: ["happy-dom"],
    // The paths of tsconfig.json are those of the client: tests load texts from the sources.
    tsconfig: false,
    resolve: { alias: { "texts:load": join(home, "test", "load.ts") } },
    transform: {
      target: "node22",
      jsx: { runtime: "automatic", importSource: "preact" },
      define: { WEB: JSON.stringify(home), GAMES: JSON.stringify(games), BUILD: '"TESTED"' },
    },
  });
  await bundle.write({
    dir: out,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    sourcemap: "inline",
  });
  const files = chosen.map((path) => join(out, `${nameOf(path)}.mjs`));
  const testing = playing ? [] : ["--test", "--test-reporter=dot"];
  const { status } = spawnSync(
    process.execPath,
    // Whatever module is tested first: the little that it needs of a browser is there.
    ["--enable-source-maps", "--import", join(out, "surroundings.mjs"), ...testing, ...files],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}

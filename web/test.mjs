// The tests that need no browser: bundled as the client is, and run by Node.
//
//     node test.mjs [NAME ...]       all, or test/NAME.test.ts and test/components/NAME.test.tsx
//     node test.mjs player           test/player.ts, at the tables of a server (tests/server/ws/test_lying_line.py)
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { games } from "./texts.mjs";

/** For all tests: a test that never ends would take all memory. */
const TIMEOUT_MS = 180_000;
/** For each process: the tests need a tenth of it. */
const MAX_MEMORY_MB = 2_000;

const home = import.meta.dirname;
/** What a module finds of a browser, whichever is tested first: the little that headless ones need, or a whole page. */
const ENVIRONMENTS = ["surroundings.ts", "components/browser.ts"];
const asked = process.argv.slice(2);
const nameOf = (path) => basename(path).replace(/(\.test)?\.tsx?$/, "");
const all = readdirSync(join(home, "test"), { recursive: true }).filter((path) => /\.test\.tsx?$/.test(path));
const playing = asked[0] === "player";
const chosen = playing ? ["player.ts"] : all.filter((path) => !asked.length || asked.includes(nameOf(path)));
if (!chosen.length) throw new Error(`No test has this name; there are ${all.map(nameOf).join(", ")}.`);

const isComponent = (path) => /components[\\/]/.test(path);

const out = mkdtempSync(join(tmpdir(), "dalapapa-web-"));
try {
  const bundle = await rolldown({
    cwd: home,
    checks: { ineffectiveDynamicImport: false },
    input: Object.fromEntries([...chosen, ...ENVIRONMENTS].map((path) => [nameOf(path), join(home, "test", path)])),
    platform: "node",
    external: /node_modules[\\/]happy-dom/,
    // The paths of tsconfig.json are those of the client: tests load texts from the sources.
    tsconfig: false,
    resolve: {
      alias: {
        "texts:load": join(home, "test", "load.ts"),
        // Beside the built tests there are no packages; this one is too large to be bundled each time.
        "happy-dom": fileURLToPath(import.meta.resolve("happy-dom")),
      },
    },
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
  const built = (path) => join(out, `${nameOf(path)}.mjs`);
  const run = (environment, paths, ...options) =>
    paths.length
      ? spawnSync(
          process.execPath,
          [
            "--enable-source-maps",
            `--max-old-space-size=${MAX_MEMORY_MB}`,
            "--import",
            built(environment),
            ...options,
            ...paths.map(built),
          ],
          { stdio: "inherit", timeout: playing ? undefined : TIMEOUT_MS },
        ).status
      : 0;
  if (playing) process.exitCode = run("surroundings.ts", chosen) ?? 1;
  else {
    const options = ["--test", "--test-reporter=dot"];
    const statuses = [
      run(
        "surroundings.ts",
        chosen.filter((path) => !isComponent(path)),
        ...options,
      ),
      // In one process: a browser takes a second to begin. It has timers that go on.
      run(
        "components/browser.ts",
        chosen.filter(isComponent),
        ...options,
        "--test-isolation=none",
        "--test-force-exit",
      ),
    ];
    process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}

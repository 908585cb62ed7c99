// Few files for the first look. esbuild makes a file of every set of modules that some pages share: dozens,
// and a browser that speaks HTTP/1.1 fetches six at a time. What is always wanted together is put together here.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Put the files of each bundle into one, and name all files of the build after what is in all of them.
 * `bundles`: by name, the modules that a bundle begins with (`of`), and the bundle that is always there before it
 * (`after`; the first one has none). What several need is in the nearest one that all of them come after.
 * `beside`: files that are no modules of the build, by name, with their contents.
 * Gives the file of a module, all files that it needs at once, and the names of the files beside.
 */
export async function merge(folder, { outputs }, bundles, beside, minify) {
  const files = new Map(
    Object.entries(outputs)
      .filter(([path]) => path.endsWith(".js"))
      .map(([path, output]) => [base(path), output]),
  );
  const fileOf = (module) => [...files].find(([, { entryPoint }]) => entryPoint === module)?.[0];
  const version = createHash("sha256")
    .update(readFileSync(import.meta.filename))
    .update([...files.keys()].sort().join())
    .update(Object.values(beside).join())
    .digest("hex")
    .slice(0, 8)
    .toUpperCase();
  const named = (file) => file.replace(/(-[A-Z0-9]{8})?\.(js|css)$/, `$1-${version}.$2`);

  /** What is loaded with a file. */
  const needs = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path, kind } of files.get(file).imports) if (kind === "import-statement") needs(base(path), found);
    return found;
  };

  /** A bundle and all that are there before it, the nearest first. */
  const before = (bundle) => (bundle ? [bundle, ...before(bundles[bundle].after)] : []);

  /** By file: its bundle, and the letters that its exports begin with there. */
  const moved = new Map();
  const wanted = Object.entries(bundles).map(([bundle, { of }]) => [
    bundle,
    new Set(of.flatMap((module) => [...needs(fileOf(module))])),
  ]);
  for (const file of new Set(wanted.flatMap(([, wanted]) => [...wanted]))) {
    const [one, ...others] = wanted.filter(([, wanted]) => wanted.has(file)).map(([bundle]) => before(bundle));
    const bundle = one.find((name) => others.every((other) => other.includes(name)));
    moved.set(file, { bundle: `${bundle}.js`, prefix: `m${moved.size}_` });
  }
  for (const bundle of Object.keys(bundles)) {
    const own = [...moved].filter(([, one]) => one.bundle === `${bundle}.js`);
    const lines = own.map(([file, { prefix }]) => {
      const exported = files.get(file).exports.map((name) => `${name} as ${prefix}${name}`);
      return `export { ${exported.join(", ")} } from "./${file}";`;
    });
    await build({
      stdin: { contents: lines.join("\n"), resolveDir: folder },
      outfile: join(folder, `${bundle}.js`),
      bundle: true,
      format: "esm",
      target: "es2022",
      minify,
      legalComments: "none",
      logLevel: "warning",
      plugins: [
        {
          name: "others",
          setup: (one) =>
            one.onResolve({ filter: /^\.\/.*\.js$/ }, ({ path }) =>
              own.some(([file]) => path === `./${file}`) ? undefined : { path, external: true },
            ),
        },
      ],
    });
  }
  for (const file of moved.keys()) rmSync(join(folder, file));

  const kept = [
    ...[...files.keys()].filter((file) => !moved.has(file)),
    ...Object.keys(bundles).map((bundle) => `${bundle}.js`),
  ];
  for (const file of kept) {
    const text = readFileSync(join(folder, file), "utf8")
      .replace(/\bimport\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)"/g, (whole, names, from) => {
        const to = moved.get(from);
        if (!to) return whole;
        const there = names
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean)
          .map((name) => {
            const [outside, inside = outside] = name.split(/\s+as\s+/);
            return `${to.prefix}${outside} as ${inside}`;
          });
        return `import{${there.join(",")}}from"./${to.bundle}"`;
      })
      .replace(/\bimport\s*"\.\/([^"]+)"/g, (whole, from) =>
        moved.has(from) ? `import"./${moved.get(from).bundle}"` : whole,
      )
      .replace(/\bimport\("\.\/([^"]+)"\)/g, (whole, from) => {
        const to = moved.get(from);
        if (!to) return whole;
        const parts = files.get(from).exports.map((name) => `${name}:all.${to.prefix}${name}`);
        return `import("./${to.bundle}").then((all)=>({${parts.join(",")}}))`;
      })
      .replace(/"\.\/([^"/]+\.js)"/g, (whole, name) => (kept.includes(name) ? `"./${named(name)}"` : whole));
    for (const gone of moved.keys()) if (text.includes(`"./${gone}"`)) throw new Error(`${file} still wants ${gone}.`);
    writeFileSync(join(folder, file), text);
    renameSync(join(folder, file), join(folder, named(file)));
  }
  for (const [name, text] of Object.entries(beside)) writeFileSync(join(folder, named(name)), text);
  const final = (file) => named(moved.get(file)?.bundle ?? file);
  return {
    fileOf: (module) => final(fileOf(module)),
    needs: (module) => [...new Set([...needs(fileOf(module))].map(final))],
    named,
  };
}

const base = (path) => path.split("/").at(-1);

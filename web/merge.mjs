// Few files for the first look. esbuild makes a file of every set of modules that some pages share: dozens,
// and a browser that speaks HTTP/1.1 fetches six at a time. What is always wanted together is put together here.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Put the files of each bundle into one, and name all files of the build after what is in all of them.
 * `bundles`: by name, the modules that a bundle begins with; what several of them need is in the first one.
 * Gives the file of a module, and all files that it needs at once.
 */
export async function merge(folder, { outputs }, bundles, minify) {
  const files = new Map(Object.entries(outputs).filter(([path]) => path.endsWith(".js")).map(([path, output]) => [base(path), output]));
  const fileOf = (module) => [...files].find(([, { entryPoint }]) => entryPoint === module)?.[0];
  const version = createHash("sha256").update(readFileSync(import.meta.filename)).update([...files.keys()].sort().join()).digest("hex").slice(0, 8).toUpperCase();
  const named = (file) => file.replace(/(-[A-Z0-9]{8})?\.js$/, `$1-${version}.js`);

  /** What is loaded with a file. */
  const needs = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path, kind } of files.get(file).imports) if (kind === "import-statement") needs(base(path), found);
    return found;
  };

  /** By file: its bundle, and the letters that its exports begin with there. */
  const moved = new Map();
  const [first, ...others] = Object.entries(bundles).map(([name, modules]) => [`${name}.js`, new Set(modules.flatMap((module) => [...needs(fileOf(module))]))]);
  for (const [bundle, wanted] of [first, ...others]) {
    for (const file of wanted) {
      const shared = others.filter(([, files]) => files.has(file)).length > 1;
      if (!moved.has(file)) moved.set(file, { bundle: shared ? first[0] : bundle, prefix: `m${moved.size}_` });
    }
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
      plugins: [{
        name: "others",
        setup: (one) => one.onResolve({ filter: /^\.\/.*\.js$/ }, ({ path }) => (own.some(([file]) => path === `./${file}`) ? undefined : { path, external: true })),
      }],
    });
  }
  for (const file of moved.keys()) rmSync(join(folder, file));

  const kept = [...[...files.keys()].filter((file) => !moved.has(file)), ...Object.keys(bundles).map((bundle) => `${bundle}.js`)];
  for (const file of kept) {
    const text = readFileSync(join(folder, file), "utf8")
      .replace(/\bimport\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)"/g, (whole, names, from) => {
        const to = moved.get(from);
        if (!to) return whole;
        const there = names.split(",").map((name) => name.trim()).filter(Boolean).map((name) => {
          const [outside, inside = outside] = name.split(/\s+as\s+/);
          return `${to.prefix}${outside} as ${inside}`;
        });
        return `import{${there.join(",")}}from"./${to.bundle}"`;
      })
      .replace(/\bimport\s*"\.\/([^"]+)"/g, (whole, from) => (moved.has(from) ? `import"./${moved.get(from).bundle}"` : whole))
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
  const final = (file) => named(moved.get(file)?.bundle ?? file);
  return {
    fileOf: (module) => final(fileOf(module)),
    needs: (module) => [...new Set([...needs(fileOf(module))].map(final))],
  };
}

const base = (path) => path.split("/").at(-1);

// Which modules share a file. A bundler makes a file for every set of modules that some pages share: 45 for the home
// page, of which HTTP/1.1 fetches six at a time. What is always needed together is in one file instead.

/** Characters of the source of a game's own table for which another file is not worth a request. */
const SMALL_TABLE = 2_500;

/**
 * The bundles that share modules, by name: the modules that each begins with (`roots`), and the bundle that is always
 * loaded before it (`after`). Every game has its own, after the bundle of its kind, unless its table is small or shares a file.
 */
export function listBundles(graph, games) {
  const bundles = {
    // With a page in here, the bundler's helper for dynamic imports is in here, too; else it has a file of its own.
    main: { roots: ["main.tsx", "pages/missing.tsx"] },
    // What the home page shares with what is fetched after a page, and with the faces at tables with bots.
    shared: { after: "main", roots: ["panels/seat-face.tsx", "net/problems.ts", "problems/dates.ts"] },
    home: { after: "shared", roots: ["pages/home.tsx"] },
    // Fetched a moment after every page, so that it must not need the home page.
    keeping: { after: "shared", roots: ["shell/keeping.ts"] },
    waiting: { after: "home", roots: ["tables/waiting-room.tsx"] },
    play: { after: "main", roots: ["pages/table.tsx"] },
    turns: { after: "play", roots: ["tables/turn-table.tsx"] },
    races: { after: "play", roots: ["tables/frame-table.tsx"] },
    // Pieces on groups, and the two games that have them: one more file would be a second round of requests.
    marks: { after: "turns", roots: ["tables/mark-chooser.tsx"] },
    over: { after: "play", roots: ["panels/result.tsx"] },
    companion: { after: "main", roots: ["pages/companion.tsx"] },
    // Every page of the static edition begins with these, and no page of a server does.
    edition: { after: "main", roots: ["net/static-backend.ts", "shell/links.ts"] },
  };
  for (const game of games) {
    const table = `games/${game}/table.tsx`;
    const reached = graph.reach(table);
    const kind = ["races", "marks"].find((name) => reached.has(bundles[name].roots[0])) ?? "turns";
    if (kind === "marks" || graph.sizeOf(table) < SMALL_TABLE) bundles[kind].roots.push(table);
    else bundles[game] = { after: kind, roots: [table] };
  }
  return bundles;
}

/** A function from a module to its bundle: the nearest one that is loaded before or with all that need the module. */
export function assignBundles(graph, bundles) {
  const reached = Object.entries(bundles).map(([name, { roots }]) => [
    name,
    new Set(roots.flatMap((root) => [...graph.reach(root)])),
  ]);
  const chain = (name) => (name ? [name, ...chain(bundles[name].after)] : []);
  return (module) => {
    const [first, ...others] = reached.filter(([, modules]) => modules.has(module)).map(([name]) => chain(name));
    return first?.find((name) => others.every((other) => other.includes(name))) ?? null;
  };
}

/** The modules of a build by their path in `src` (or their name, for those of packages), and what each imports. */
export class ModuleGraph {
  #modules = new Map();
  #source;

  constructor(source) {
    this.#source = source;
  }

  /** A plugin that fills this graph. */
  get plugin() {
    const graph = this;
    return {
      name: "module-graph",
      buildEnd() {
        for (const id of this.getModuleIds()) {
          const { importedIds, dynamicallyImportedIds, code } = this.getModuleInfo(id);
          graph.#modules.set(graph.nameOf(id), {
            imports: importedIds.map((to) => graph.nameOf(to)),
            dynamic: dynamicallyImportedIds.map((to) => graph.nameOf(to)),
            size: code?.length ?? 0,
          });
        }
      },
    };
  }

  nameOf(id) {
    return id.startsWith(this.#source) ? id.slice(this.#source.length + 1).replaceAll("\\", "/") : id;
  }

  sizeOf(module) {
    return this.#modules.get(module).size;
  }

  /** All modules that are loaded with this one; with `follow`, those behind a dynamic import, too, if it says so. */
  reach(module, follow = () => false, found = new Set()) {
    if (found.has(module)) return found;
    found.add(module);
    const { imports = [], dynamic = [] } = this.#modules.get(module) ?? {};
    for (const next of [...imports, ...dynamic.filter(follow)]) this.reach(next, follow, found);
    return found;
  }
}

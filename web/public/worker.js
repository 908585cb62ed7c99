// For times without a server: keeps the files of this build, the rules, and what was seen of prints and the solver.
//
// Versions never mix. A build has a cache of its own, filled before this worker is used; its page is only taken from there
// together with its files, whose names all end in the letters of the build. The build before stays as long as this one is
// the newest, for pages of it that are still open.
importScripts("push.js"); // What it does while no page is open.

/** Where this edition is: other editions may be below other paths of the same host. */
const BASE = new URL("./", location.href).pathname;
const PREFIX = BASE === "/" ? "" : `${BASE} `;
const DIGEST = "{version}";
const VERSION = PREFIX + DIGEST;
/** Pages and assets, named from there: a server has one page for all addresses, `""`; the static edition has a folder for each. */
const FILES = ["{files}"];
const PAGES = FILES.filter((file) => !file.startsWith("assets/"));
const isPage = (path) => (PAGES.length > 1 ? PAGES.includes(path) : !path.startsWith("api/"));
/** What was asked of the server and may be wanted again; rules are kept with the build. */
const SEEN = `${VERSION} seen`;
const MOST_SEEN = 80;
/** The engine, once a table on this device was played. Its files are not those of a build: their names say which. */
const ENGINE = `${PREFIX}engine`;
const ENGINE_FOLDER = `${BASE}engine/`;
const ENGINE_MANIFEST = `${ENGINE_FOLDER}manifest.json`;
/** Milliseconds after which a page, or what is kept here, is not waited for any longer. */
const PATIENCE = 6000;
/** Whoever saves data has nothing fetched ahead. */
const SAVING = !!navigator.connection?.saveData;
/** Texts are kept in the reader's language only: that of the browser, and the one that a page tells of. */
const languageOf = (file) => /\/texts-\w+-(\w\w)-/.exec(file)?.[1];
const textsIn = (language) => FILES.filter((file) => languageOf(file) === language);
const usual = navigator.languages.map((one) => one.slice(0, 2)).find((one) => textsIn(one).length) ?? "en";

self.addEventListener("install", (event) => event.waitUntil(install().then(() => self.skipWaiting())));

async function install() {
  if (SAVING) return;
  const cache = await caches.open(VERSION);
  const assets = FILES.filter((file) => !PAGES.includes(file) && (languageOf(file) ?? usual) === usual);
  await cache.addAll(assets.map((file) => BASE + file));
  const main = FILES.find((file) => file.startsWith("assets/main-") && file.endsWith(".js"));
  for (const path of PAGES) {
    // Another build may be there meanwhile: its page would ask for files that are not here.
    const page = await fetch(BASE + path, { cache: "no-store" });
    const text = await page.clone().text();
    if (!page.ok || !text.includes(main)) throw new Error("The page is of another build.");
    await cache.put(BASE + path, page);
  }
}

self.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));

/** Only this build and the one before it. */
async function tidy() {
  const own = (await caches.keys()).filter((name) => (PREFIX ? name.startsWith(PREFIX) : !name.startsWith("/")));
  const others = own.filter((name) => !name.startsWith(VERSION) && name !== ENGINE);
  const before = others.findLast((name) => !name.endsWith(" seen"));
  await Promise.all(others.filter((name) => name !== before).map((name) => caches.delete(name)));
}

// A page says what its reader will want: one file after the other, so that nothing else waits for them.
self.addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(keep(event.data.keep).catch(() => undefined));
  if (event.data?.keepEngine) event.waitUntil(keepEngine().catch(() => undefined));
});

async function keep({ language, paths }) {
  const cache = await caches.open(VERSION);
  for (const path of [...textsIn(language).map((file) => BASE + file), ...paths]) if (!(await cache.match(path))) await cache.add(path).catch(() => undefined);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  const path = pathname.slice(BASE.length).replace(/index\.html$/, "");
  if (request.mode === "navigate") {
    if (isPage(path)) event.respondWith(page(request, PAGES.includes(path) ? path : ""));
  }
  else if (request.method === "POST" && pathname === "/api/solve") event.respondWith(solved(request));
  else if (request.method !== "GET") return;
  else if (path.startsWith("assets/")) event.respondWith(asset(event, path));
  else if (path === "engine/manifest.json") event.respondWith(engineManifest(request));
  else if (path.startsWith("engine/")) event.respondWith(engineFile(request, pathname));
  else if (/^api\/rules\/|^rules\/.*\.json$/.test(path)) event.respondWith(newest(request, request, VERSION));
  else if (/^api\/print\/page|^[\w-]+\.(svg|png|webmanifest)$/.test(path)) event.respondWith(newest(request, request, SEEN));
});

/** The host's page first, so that a new build is seen; the kept one when the host cannot be reached. */
async function page(request, path) {
  const kept = () => found(BASE + path, VERSION);
  try {
    const answer = await answered(request, await kept());
    return isAway(answer) ? ((await kept()) ?? answer) : answer;
  } catch (error) {
    const page = await kept();
    if (!page) throw error;
    return page;
  }
}

/** What is kept; a browser that allows no storage has nothing. */
async function found(key, name) {
  try {
    return await (await caches.open(name)).match(key);
  } catch {
    return undefined;
  }
}

/** A file of this build, or of the one before; a second try to load it adds a query to its address. */
async function asset(event, path) {
  const address = BASE + path;
  const kept = await caches.match(address).catch(() => undefined);
  if (kept) return kept;
  const coming = fetch(event.request).then(async (answer) => {
    if (answer.ok && !SAVING && FILES.includes(path)) await put(VERSION, address, answer.clone());
    return answer;
  });
  // It may fail before anything waits for it, and it may come after the page has shown another language.
  event.waitUntil(coming.catch(() => undefined));
  return (await isInAnotherLanguage(path)) ? inTime(coming) : coming;
}

/** The names of the engine's files, and only these are kept: an engine never loads files of another version. */
async function engineManifest(request) {
  const answer = await newest(request, ENGINE_MANIFEST, ENGINE);
  if (answer.ok) await dropOldEngines(await engineFilesOf(answer.clone())).catch(() => undefined);
  return answer;
}

const engineFilesOf = async (manifest) => (await manifest.json()).files.map(({ path }) => ENGINE_FOLDER + path);

/** The static edition has no server: its engine is kept before the first game, one file after the other. */
async function keepEngine() {
  const manifest = await engineManifest(new Request(ENGINE_MANIFEST));
  for (const file of await engineFilesOf(manifest)) await engineFile(new Request(file), file);
}

async function dropOldEngines(files) {
  const wanted = [ENGINE_MANIFEST, ...files];
  const cache = await caches.open(ENGINE);
  const outdated = (await cache.keys()).filter(({ url }) => !wanted.includes(new URL(url).pathname));
  await Promise.all(outdated.map((key) => cache.delete(key)));
}

async function engineFile(request, pathname) {
  const kept = await found(pathname, ENGINE);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await put(ENGINE, pathname, answer.clone());
  return answer;
}

/** Whether these texts are kept in another language: a page can show them instead, and does not wait for long. */
async function isInAnotherLanguage(path) {
  const name = (file) => file.replace(/(\/texts-\w+-)\w\w-/, "$1");
  if (!languageOf(path)) return false;
  const others = FILES.filter((file) => file !== path && name(file) === name(path));
  const kept = await Promise.all(others.map((file) => found(BASE + file, VERSION)));
  return kept.some(Boolean);
}

/** What the server says now; without it, what it said the last time. */
async function newest(request, key, name) {
  const kept = await found(key, name);
  try {
    const answer = await answered(request, kept);
    if (answer.ok) await put(name, key, answer.clone());
    return isAway(answer) && kept ? marked(kept) : answer;
  } catch (error) {
    if (!kept) throw error;
    return marked(kept);
  }
}

/** So that the page knows that the server is away. */
async function marked(kept) {
  return new Response(await kept.blob(), { headers: { ...Object.fromEntries(kept.headers), "x-kept": "yes" } });
}

/** What the solver finds follows from the question: under its hash, it is kept like a page. */
async function solved(request) {
  const bytes = await crypto.subtle.digest("SHA-256", await request.clone().arrayBuffer());
  const hash = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return newest(request, `/api/solve?${hash}`, SEEN);
}

/** An answer; where something is kept, for no longer than a while. */
function answered(request, kept) {
  return kept ? inTime(fetch(request)) : fetch(request);
}

/** An answer that comes within a while; else an error. */
function inTime(coming) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("No answer.")), PATIENCE));
  return Promise.race([coming, late]);
}

/** Something stands before the server and says that it is not there. */
const isAway = ({ status }) => status >= 502 && status <= 504;

/** Keep an answer; a full disk keeps nothing, and nothing breaks. */
async function put(name, key, answer) {
  try {
    const cache = await caches.open(name);
    await cache.delete(key); // The latest is the last.
    await cache.put(key, answer);
    if (name !== SEEN) return;
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_SEEN)).map((one) => cache.delete(one)));
  } catch {
    // As if it had never been seen.
  }
}

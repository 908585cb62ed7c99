/**
 * The engine in a worker: it loads Python and the package from addresses beside its own, and answers one question
 * after the other. A page starts it by `Engine` (client.ts); one worker may host tables while another one thinks.
 */
import type { FromWorker, ToWorker } from "./messages.ts";
import type { Built, Pyodide, Python } from "./pyodide.ts";

declare const BUILT: Built;
declare const self: DedicatedWorkerGlobalScope;

const PACKAGES = "/lib/python3.14/site-packages";
/** How much of the loading time is over when Python has started. */
const STARTED = 0.8;

const send = (message: FromWorker): void => self.postMessage(message);
const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function download(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}.`);
  return response.arrayBuffer();
}

async function load(): Promise<Python> {
  const { pyodide, library, package: archive } = BUILT.parts;
  const address = (name: string): string => new URL(name, import.meta.url).href;
  const downloaded = download(address(archive));
  downloaded.catch(() => {}); // It is awaited below, perhaps after Python has failed to start.
  const { loadPyodide } = (await import(address(`${pyodide}pyodide.mjs`))) as Pyodide;
  send({ type: "loading", done: 0.1 });
  const python = await loadPyodide({
    indexURL: address(pyodide),
    stdLibURL: address(library),
    packageBaseUrl: address(pyodide),
    lockFileContents: JSON.stringify({ info: BUILT.python, packages: {} }), // Nothing is loaded later.
    stdout: (line) => console.log(line),
    stderr: (line) => console.warn(line),
  });
  send({ type: "loading", done: STARTED });
  python.unpackArchive(await downloaded, "zip", { extractDir: PACKAGES });
  return python;
}

function serve(python: Python): void {
  const { answer } = python.pyimport("dalapapa.edition.engine");
  self.onmessage = ({ data: { id, question } }: MessageEvent<ToWorker>): void => {
    try {
      const text = answer(question, (done) => send({ type: "progress", id, done }));
      send({ type: "answer", id, answer: text, heap: python._module.HEAPU8.length });
    } catch (error) {
      // Python refuses by an answer, so this is the end of the interpreter: of its stack or its memory.
      self.onmessage = null;
      send({ type: "fatal", reason: describe(error) });
    }
  };
  send({ type: "ready" });
}

try {
  serve(await load());
} catch (error) {
  send({ type: "not_loaded", reason: describe(error) });
}

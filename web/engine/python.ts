/** Loads Python and the package from addresses beside those of the worker. */
import type { Built, Pyodide, Python } from "./pyodide.ts";

declare const BUILT: Built;

const PACKAGES = "/lib/python3.14/site-packages";
/** How much of the loading time is over when Python has started. */
const STARTED = 0.8;

export const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function download(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}.`);
  return response.arrayBuffer();
}

/** `onLoading` gets the share that is loaded. */
export async function loadPython(onLoading: (done: number) => void): Promise<Python> {
  const { pyodide, library, package: archive } = BUILT.parts;
  const address = (name: string): string => new URL(name, import.meta.url).href;
  const downloaded = download(address(archive));
  downloaded.catch(() => {}); // It is awaited below, perhaps after Python has failed to start.
  const { loadPyodide } = (await import(address(`${pyodide}pyodide.mjs`))) as Pyodide;
  onLoading(0.1);
  const python = await loadPyodide({
    indexURL: address(pyodide),
    stdLibURL: address(library),
    packageBaseUrl: address(pyodide),
    lockFileContents: JSON.stringify({ info: BUILT.python, packages: {} }), // Nothing is loaded later.
    stdout: (line) => console.log(line),
    stderr: (line) => console.warn(line),
  });
  onLoading(STARTED);
  python.unpackArchive(await downloaded, "zip", { extractDir: PACKAGES });
  return python;
}

/** The small part of Pyodide that the workers use. */

interface Modules {
  "dalapapa.edition.engine": { answer: (question: string, report: (done: number) => void) => string };
  "dalapapa.edition.device.host": { DeviceHost: () => { handle: (event: string) => string } };
}

export interface Python {
  unpackArchive(data: ArrayBuffer, format: "zip", options: { extractDir: string }): void;
  pyimport<Name extends keyof Modules>(module: Name): Modules[Name];
  readonly _module: { readonly HEAPU8: Uint8Array };
}

export interface Pyodide {
  loadPyodide(options: {
    indexURL: string;
    stdLibURL: string;
    packageBaseUrl: string;
    lockFileContents: string;
    stdout: (line: string) => void;
    stderr: (line: string) => void;
  }): Promise<Python>;
}

/** What the build knows (scripts/build_engine.py): names relative to the worker, and which Python it is. */
export interface Built {
  parts: { pyodide: string; library: string; package: string };
  python: Record<string, string>;
  /** The version of the package, which is stored beside each table. */
  version: string;
}

/** The small part of Pyodide that the worker uses. */

export interface Python {
  unpackArchive(data: ArrayBuffer, format: "zip", options: { extractDir: string }): void;
  pyimport(module: string): { answer: (question: string, report: (done: number) => void) => string };
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
}

/**
 * The engine in a worker: it answers one question after the other. A page starts it by `Engine` (client.ts). It also
 * thinks for the tables of the device, which another worker hosts (tables-worker.ts).
 */
import type { FromWorker, ToWorker } from "./messages.ts";
import { describe, loadPython } from "./python.ts";
import type { Python } from "./pyodide.ts";

declare const self: DedicatedWorkerGlobalScope;

const send = (message: FromWorker): void => self.postMessage(message);

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
  serve(await loadPython((done) => send({ type: "loading", done })));
} catch (error) {
  send({ type: "not_loaded", reason: describe(error) });
}

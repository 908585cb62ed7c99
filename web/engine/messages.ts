/** What the page and the worker of the engine send each other (docs/edition-engine.md). */

/** A question: JSON with `method` and `arguments`, which Python reads. */
export interface ToWorker {
  id: number;
  question: string;
}

export type FromWorker =
  /** The share of the engine that is loaded. */
  | { type: "loading"; done: number }
  | { type: "ready" }
  /** The engine could not be loaded; the worker is of no use. */
  | { type: "not_loaded"; reason: string }
  /** The share of an answer that is done. */
  | { type: "progress"; id: number; done: number }
  /** JSON with `answer` or `error`, and the bytes of the interpreter's memory. */
  | { type: "answer"; id: number; answer: string; heap: number }
  /** The interpreter has ended in the middle of a question. */
  | { type: "fatal"; reason: string };

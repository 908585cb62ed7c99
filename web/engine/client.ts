/**
 * The page's side of the engine: one worker, which is started at the first question.
 *
 * A question depends on its arguments alone. So a worker may end at any time, by itself or because its question is
 * cancelled: the next worker gets the questions that still wait.
 */
import type { FromWorker } from "./messages.ts";
import type { Methods } from "./methods.ts";

/** A refusal: `code` is one of the server's, or `not_loaded`. */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly values: Record<string, number | string> = {},
    readonly status = 0,
  ) {
    super(message);
  }
}

export interface CallOptions {
  /** Gets the share of a long answer that is done. */
  onProgress?: (done: number) => void;
  /** Cancels the question: its promise fails with the signal's reason. */
  signal?: AbortSignal;
}

interface Call {
  id: number;
  question: string;
  onProgress: ((done: number) => void) | undefined;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

/** The sentence of the server, for its own workers. */
const TOO_HARD = "This is too hard for this device.";

export class Engine {
  /** Gets the share of the engine that is loaded, whenever a worker starts. */
  onLoading: (done: number) => void = () => {};
  /** Bytes of the interpreter's memory after the last answer. */
  heapBytes = 0;

  private worker: Worker | null = null;
  private isReady = false;
  /** The question that is with the worker, or waits for it to be ready. */
  private running: Call | null = null;
  private waiting: Call[] = [];
  private lastId = 0;

  /** `start` makes a worker of `engine.worker-….js`, whose name is in the manifest. */
  constructor(private readonly start: () => Worker) {}

  /** Ask a question; fails with an `EngineError`, or with the reason of the signal. */
  call<Name extends keyof Methods>(
    method: Name,
    asked: Methods[Name]["asks"],
    { onProgress, signal }: CallOptions = {},
  ): Promise<Methods[Name]["answers"]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = ++this.lastId;
      const call = { id, question: JSON.stringify({ method, arguments: asked }), onProgress, resolve, reject };
      signal?.addEventListener("abort", () => this.cancel(call, signal.reason), { once: true });
      this.waiting.push(call);
      this.proceed();
    });
  }

  /** Start the worker before its first question, so that this need not wait, and is answered without a connection. */
  prepare(): void {
    if (!this.worker) this.begin();
  }

  /** End the worker; all questions fail. */
  close(): void {
    this.stop();
    this.refuseAll(new EngineError("not_loaded", "The engine was closed."));
  }

  /** Give the next question to the worker, if it has none. */
  private proceed(): void {
    if (this.running) return;
    this.running = this.waiting.shift() ?? null;
    if (!this.running) return;
    if (!this.worker) this.begin();
    else if (this.isReady) this.send(this.running);
  }

  private send({ id, question }: Call): void {
    this.worker?.postMessage({ id, question });
  }

  private begin(): void {
    let worker: Worker;
    try {
      worker = this.start();
    } catch (error) {
      // This browser has no workers, or allows none.
      this.receive({ type: "not_loaded", reason: String(error) });
      return;
    }
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.isReady) this.fail(event.message);
      else this.receive({ type: "not_loaded", reason: event.message || "The worker could not be loaded." });
    };
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
  }

  private receive(message: FromWorker): void {
    switch (message.type) {
      case "loading":
        this.onLoading(message.done);
        break;
      case "ready":
        this.isReady = true;
        this.onLoading(1);
        if (this.running) this.send(this.running);
        break;
      case "not_loaded":
        this.stop(); // The next question tries again.
        this.refuseAll(new EngineError("not_loaded", message.reason));
        break;
      case "progress":
        if (this.running?.id === message.id) this.running.onProgress?.(message.done);
        break;
      case "answer":
        this.heapBytes = message.heap;
        this.settle(message.answer);
        break;
      case "fatal":
        this.fail(message.reason);
    }
  }

  private settle(text: string): void {
    const call = this.running;
    this.running = null;
    const { answer, error } = JSON.parse(text);
    if (error) call?.reject(new EngineError(error.code, error.message, error.values, error.status));
    else call?.resolve(answer as never);
    this.proceed();
  }

  /** The interpreter has ended at the running question; another one gets those that wait. */
  private fail(reason: string): void {
    console.error(`The engine ended: ${reason}`);
    this.interrupt(new EngineError("too_hard", TOO_HARD));
  }

  private cancel(call: Call, reason: unknown): void {
    if (this.running === call) {
      this.interrupt(reason);
    } else if (this.waiting.includes(call)) {
      this.waiting = this.waiting.filter((one) => one !== call);
      call.reject(reason);
    }
  }

  /** Fail the running question. No message reaches a worker that computes, so it ends; while it loads, it goes on. */
  private interrupt(error: unknown): void {
    const call = this.running;
    this.running = null;
    if (this.isReady) {
      this.stop();
      this.begin(); // Ready for the next question, which may come soon.
    }
    call?.reject(error);
    this.proceed();
  }

  private refuseAll(error: EngineError): void {
    const calls = [...(this.running ? [this.running] : []), ...this.waiting];
    this.running = null;
    this.waiting = [];
    for (const call of calls) call.reject(error);
  }
}

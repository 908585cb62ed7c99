/** The page's side of the engine (web/engine/client.ts), with workers that answer as a test says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, type EngineError } from "../engine/client.ts";
import type { FromWorker, ToWorker } from "../engine/messages.ts";

class FakeWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault: () => void }) => void) | null = null;
  asked: ToWorker[] = [];
  ended = false;

  postMessage(message: ToWorker) {
    this.asked.push(message);
  }
  terminate() {
    this.ended = true;
  }
  say(data: FromWorker) {
    assert(!this.ended);
    this.onmessage?.({ data });
  }
  answer(value: unknown) {
    this.say({ type: "answer", id: this.asked.at(-1)!.id, answer: JSON.stringify(value), heap: 42 });
  }
}

function start() {
  const workers: FakeWorker[] = [];
  const engine = new Engine(() => {
    workers.push(new FakeWorker());
    return workers.at(-1) as unknown as Worker;
  });
  return { engine, workers };
}

const describe = (engine: Engine, signal?: AbortSignal) => engine.call("describe", {}, signal ? { signal } : {});
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "answer",
    (error: EngineError) => error.code,
  );

test("a worker starts at the first question and gets one at a time", async () => {
  const { engine, workers } = start();
  assert.equal(workers.length, 0);
  const calls = [describe(engine), describe(engine)];
  const [worker] = workers;
  assert.deepEqual(worker!.asked, []);
  worker!.say({ type: "ready" });
  assert.deepEqual(worker!.asked, [{ id: 1, question: '{"method":"describe","arguments":{}}' }]);
  worker!.answer({ answer: "first" });
  assert.equal(await calls[0], "first");
  assert.equal(worker!.asked.length, 2);
  worker!.answer({ answer: "second" });
  assert.equal(await calls[1], "second");
  assert.equal(engine.heapBytes, 42);
  assert.equal(workers.length, 1);
});

test("refusals carry code, sentence and values", async () => {
  const { engine, workers } = start();
  const call = describe(engine);
  workers[0]!.say({ type: "ready" });
  workers[0]!.answer({ error: { code: "too_early", message: "Wait.", values: { wait: 3 } } });
  await assert.rejects(call, (error: EngineError) => {
    assert.deepEqual([error.code, error.message, error.values], ["too_early", "Wait.", { wait: 3 }]);
    return true;
  });
});

test("progress reaches its question, and loading the engine", async () => {
  const { engine, workers } = start();
  const seen: number[] = [];
  engine.onLoading = (done) => seen.push(done);
  const call = engine.call("review", { record: "" }, { onProgress: (done) => seen.push(done) });
  workers[0]!.say({ type: "loading", done: 0.5 });
  workers[0]!.say({ type: "ready" });
  workers[0]!.say({ type: "progress", id: 1, done: 0.25 });
  workers[0]!.say({ type: "progress", id: 7, done: 0.75 });
  workers[0]!.answer({ answer: {} });
  await call;
  assert.deepEqual(seen, [0.5, 1, 0.25]);
});

test("cancelling the running question ends its worker; those that wait go on in the next", async () => {
  const { engine, workers } = start();
  const cancelling = new AbortController();
  const first = describe(engine, cancelling.signal);
  const second = describe(engine);
  workers[0]!.say({ type: "ready" });
  cancelling.abort(new Error("enough"));
  await assert.rejects(first, /enough/);
  assert(workers[0]!.ended);
  workers[1]!.say({ type: "ready" });
  workers[1]!.answer({ answer: "second" });
  assert.equal(await second, "second");
});

test("cancelling a question that waits, or while the engine loads, ends no worker", async () => {
  const { engine, workers } = start();
  const [loading, waiting] = [new AbortController(), new AbortController()];
  const calls = [describe(engine, loading.signal), describe(engine), describe(engine, waiting.signal)];
  loading.abort(new Error("enough"));
  await assert.rejects(calls[0]!, /enough/);
  workers[0]!.say({ type: "ready" });
  waiting.abort(new Error("enough"));
  await assert.rejects(calls[2]!, /enough/);
  workers[0]!.answer({ answer: "second" });
  assert.equal(await calls[1], "second");
  assert.equal(workers.length, 1);
  await assert.rejects(describe(engine, AbortSignal.abort(new Error("before"))), /before/);
  assert.equal(workers[0]!.asked.length, 1);
});

test("an interpreter that ends loses the question that ended it, and no other", async (context) => {
  context.mock.method(console, "error", () => {});
  const { engine, workers } = start();
  const calls = [describe(engine), describe(engine), describe(engine)].map(codeOf);
  workers[0]!.say({ type: "ready" });
  workers[0]!.say({ type: "fatal", reason: "stack" });
  workers[1]!.say({ type: "ready" });
  workers[1]!.onerror!({ message: "memory", preventDefault() {} });
  workers[2]!.say({ type: "ready" });
  workers[2]!.answer({ answer: 1 });
  assert.deepEqual(await Promise.all(calls), ["too_hard", "too_hard", "answer"]);
});

test("a browser without workers refuses all", async () => {
  const engine = new Engine(() => {
    throw new DOMException("Workers are not allowed.", "SecurityError");
  });
  engine.prepare();
  assert.deepEqual(await Promise.all([describe(engine), describe(engine)].map(codeOf)), ["not_loaded", "not_loaded"]);
});

test("an engine that cannot be loaded refuses all, and the next question tries again", async () => {
  const { engine, workers } = start();
  const calls = [describe(engine), describe(engine)].map(codeOf);
  workers[0]!.say({ type: "not_loaded", reason: "offline" });
  assert.deepEqual(await Promise.all(calls), ["not_loaded", "not_loaded"]);
  const again = describe(engine);
  workers[1]!.say({ type: "ready" });
  workers[1]!.answer({ answer: "there" });
  assert.equal(await again, "there");
  const blocked = codeOf(describe(engine));
  engine.close();
  assert.equal(await blocked, "not_loaded");
  assert(workers[1]!.ended);
  const missing = codeOf(describe(engine));
  workers[2]!.onerror!({ message: "", preventDefault() {} });
  assert.equal(await missing, "not_loaded");
});

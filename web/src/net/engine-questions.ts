/** Questions to the engine in the place of a server: two workers of this tab answer them. */
import type { Engine, EngineError } from "../../engine/client.ts";
import { Refused, type RequestOptions } from "./backend.ts";
import { findEngine } from "./engine-files.ts";

/** What takes long: other questions do not wait for it. */
const SLOW_PATHS: readonly string[] = ["/coach", "/review", "/solve"];

const engines = new Map<"quick" | "slow", Promise<Engine>>();

export async function askEngine(path: string, query: string, { body, signal }: RequestOptions): Promise<unknown> {
  const engine = await startEngine(SLOW_PATHS.includes(path) ? "slow" : "quick");
  const asked = { path, query: Object.fromEntries(new URLSearchParams(query)), ...(body !== undefined && { body }) };
  try {
    return await engine.call("request", asked, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    const { code, message, status, values } = error as EngineError;
    throw code === undefined ? error : new Refused(code, message, status, values);
  }
}

/** What could not be loaded is loaded again by the next question. */
function startEngine(kind: "quick" | "slow"): Promise<Engine> {
  const starting = engines.get(kind) ?? load();
  engines.set(kind, starting);
  starting.catch(() => engines.delete(kind));
  return starting;
}

async function load(): Promise<Engine> {
  const address = await findEngine();
  const { Engine } = (await import(address("client")).catch(() => {
    throw new Refused("not_loaded", "The engine of this device could not be loaded.");
  })) as typeof import("../../engine/client.ts");
  return new Engine(() => new Worker(address("worker"), { type: "module" }));
}

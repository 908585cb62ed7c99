/** The files of the engine that pages name; all others are named by these. */
import { Refused } from "./backend.ts";
import { engineFolder } from "./device-backend.ts";

/** Of the engine's `manifest.json`: the names of its files, which belong to one version. */
export interface Parts {
  client: string;
  device: string;
  "tables-worker": string;
  worker: string;
}

/** A function from the parts of the engine to their addresses. */
export async function findEngine(): Promise<(name: keyof Parts) => string> {
  const refusal = new Refused("not_loaded", "The engine of this device could not be loaded.");
  const folder = engineFolder();
  if (!folder || !("WebAssembly" in globalThis)) throw refusal;
  const base = new URL(folder, location.href);
  const response = await fetch(new URL("manifest.json", base)).catch(() => null);
  if (!response?.ok) throw refusal;
  const { parts } = (await response.json().catch(() => Promise.reject(refusal))) as { parts: Parts };
  return (name) => new URL(parts[name], base).href;
}

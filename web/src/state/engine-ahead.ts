/**
 * Loads the engine ahead, so that games against bots can begin when the connection is lost. The service worker keeps
 * its files; in the static edition it fetches them itself. Nothing is loaded for people who save data or pay for it,
 * unless they have chosen to play on their device.
 */
import { isStatic } from "../base.ts";
import { settings } from "./settings.ts";
import { engineFolder, hasEngine } from "../net/device-backend.ts";

/** Of the service worker (`public/worker.js`). */
const CACHE = "engine";

interface Network {
  saveData?: boolean;
  type?: string;
  effectiveType?: string;
}

/** Whether a page may load megabytes that its reader has not asked for. */
export function mayLoadAhead(): boolean {
  const { connection } = navigator as { connection?: Network };
  if (connection?.saveData) return false;
  if (settings.where.peek() === "device") return true;
  const isMetered = connection?.type === "cellular" || /2g|3g/.test(connection?.effectiveType ?? "");
  return !isMetered;
}

const addressOf = (name: string): URL => new URL(name, new URL(engineFolder() ?? "", location.href));

/** Fetch all files of the engine, one after the other, so that nothing else waits for them. */
export async function loadEngineAhead(): Promise<void> {
  // Without a service worker no file would be kept.
  if (isStatic || !hasEngine() || !mayLoadAhead() || !navigator.serviceWorker?.controller || (await isEngineStored()))
    return;
  const manifest = await fetch(addressOf("manifest.json"), { priority: "low" });
  if (!manifest.ok) return;
  for (const name of await listFiles(manifest)) {
    if (!mayLoadAhead()) return;
    const file = await fetch(addressOf(name), { priority: "low" });
    if (!file.ok) return;
    await file.arrayBuffer();
  }
}

/** Whether all files of the engine are kept, so that it starts without a connection. */
export async function isEngineStored(): Promise<boolean> {
  if (!hasEngine()) return false;
  try {
    const cache = await caches.open(CACHE);
    const manifest = await cache.match(addressOf("manifest.json").pathname);
    if (!manifest) return false;
    const files = await listFiles(manifest);
    const kept = await Promise.all(files.map((name) => cache.match(addressOf(name).pathname)));
    return kept.every(Boolean);
  } catch {
    return false; // This browser allows no storage.
  }
}

async function listFiles(manifest: Response): Promise<string[]> {
  const { files } = (await manifest.json()) as { files: { path: string }[] };
  return files.map(({ path }) => path);
}

/** This device as a backend for whole games: the engine hosts its tables in workers (docs/edition-engine.md). */
import { signal } from "@preact/signals";
import { hrefOf, isStatic } from "../base.ts";
import { recall, remember } from "../memory.ts";
import type { Backend } from "./backend.ts";
import { LazyBackend } from "./lazy-backend.ts";

/** Whether the tables of this device cannot be stored any more: they go on in memory. */
export const isStorageFull = signal(false);

/** Where the engine's files are: the page names them if its server has them. */
export const engineFolder = (): string | undefined =>
  isStatic
    ? hrefOf("/engine/")
    : (globalThis.document?.getElementById("engine") as HTMLMetaElement | null | undefined)?.content;

/** Old browsers cannot host tables, and no browser can at an address that is not safe. */
export const canHostTables = (): boolean =>
  "locks" in navigator && "indexedDB" in globalThis && "WebAssembly" in globalThis;

/** The engine needs a safe origin: there, only one tab at a time writes its tables. */
export const hasEngine = (): boolean => engineFolder() !== undefined && canHostTables();

/** The ids of challenges that contain their game begin like this (`edition/device/challenges.py`). */
export const isLinkedChallenge = (id: string): boolean => id.startsWith("device-");

/** The ids of the tables of this device; null as long as this browser has noted none. */
const NOTES = "device-tables";
const readNotes = (): string[] | null => recall<string[] | null>(NOTES, null);
export const hasNotes = (): boolean => readNotes() !== null;

/** Note tables of this device, of which `gone` have just been deleted. */
export function noteTables(ids: readonly string[], gone?: string): void {
  const noted = new Set([...(readNotes() ?? []), ...ids].filter((id) => id !== gone));
  remember(NOTES, [...noted]);
}

/** Both are loaded when they are needed: most pages have no table on this device. */
const loadHost = () => import("./device-host.ts").then(({ host }) => host);
export const listStoredTables = () => import("./stored-tables.ts").then(({ listStoredIds }) => listStoredIds());

export class DeviceBackend extends LazyBackend {
  constructor(
    load: () => Promise<Backend> = loadHost,
    private readonly listStored: () => Promise<string[]> = listStoredTables,
  ) {
    super(load);
  }

  /** Whether this browser has noted a table as one of this device. */
  owns(id: string): boolean {
    return readNotes()?.includes(id) ?? false;
  }

  /** Whether the device may have tables that this browser has not noted: it lost its notes, or never took any. */
  mayFind(): boolean {
    return hasEngine() && !hasNotes();
  }

  /** Note what the device has stored, if that was not done before. */
  async noteStored(): Promise<void> {
    if (this.mayFind()) noteTables(await this.listStored());
  }

  /** Whether a table is there, noted or not. */
  async find(id: string): Promise<boolean> {
    await this.noteStored();
    return this.owns(id);
  }
}

/** All score pads of this device, kept after every tap. */
import { signal } from "@preact/signals";
import { recall, remember } from "../../state/storage.ts";
import { isPad, type Pad } from "./pad-kinds.ts";
import { type PadSetup, readStoredSetup } from "./pad-setup.ts";

const KEY = "pads";

/** With the form for the next game. */
interface PadBook extends PadSetup {
  /** The latest first. */
  readonly pads: readonly Pad[];
  /** The id of the pad that is shown; null where all are listed. */
  readonly open: string | null;
}

/** Read what was stored; what cannot be a pad is left out. */
export function readBook(stored: unknown): PadBook {
  const { pads, open } = (stored ?? {}) as Partial<Record<keyof PadBook, unknown>>;
  const known = Array.isArray(pads) ? pads.filter(isPad) : [];
  const isKnown = known.some(({ id }) => id === open);
  return { ...readStoredSetup(stored), pads: known, open: isKnown ? (open as string) : null };
}

export const book = signal<PadBook>(readBook(recall<unknown>(KEY, null)));

// Another tab of this browser has written.
globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key === `dalapapa.${KEY}`) book.value = readBook(recall<unknown>(KEY, null));
});

/** The pad that was deleted last, and where it was; the others stay as they are. */
export const deleted = signal<{ pad: Pad; index: number } | null>(null);

/** Change the book and keep it; `full` of the storage says if that failed. */
export function amendBook(change: Partial<PadBook>): void {
  book.value = { ...book.value, ...change };
  remember(KEY, book.value);
}

export const openPad = (): Pad | undefined => book.value.pads.find(({ id }) => id === book.value.open);

export function savePad(pad: Pad): void {
  amendBook({ pads: book.value.pads.map((one) => (one.id === pad.id ? pad : one)) });
}

export function addPad(pad: Pad): void {
  amendBook({ pads: [pad, ...book.value.pads], open: pad.id });
}

export function deletePad(id: string): void {
  const index = book.value.pads.findIndex((pad) => pad.id === id);
  const pad = book.value.pads[index];
  if (!pad) return;
  deleted.value = { pad, index };
  amendBook({ pads: book.value.pads.filter((one) => one !== pad), open: null });
}

/** Put the pad that was deleted last back in its place. */
export function undoDeletion(): void {
  if (!deleted.value) return;
  const { pad, index } = deleted.value;
  deleted.value = null;
  amendBook({ pads: [...book.value.pads.slice(0, index), pad, ...book.value.pads.slice(index)] });
}

/** The set of dominoes that this browser keeps for its user, as the text of a file. */
import { computed, signal } from "@preact/signals";
import { readSet, type SetRow } from "./set-file.ts";
import { recall, remember } from "./storage.ts";

const KEY = "own-set";

const stored = recall<unknown>(KEY, "");

/** As it is typed, with its mistakes. */
export const ownText = signal(typeof stored === "string" ? stored : "");

/** The dominoes, once they are a set. */
export const ownSet = computed<readonly SetRow[] | null>(() => {
  const found = readSet(ownText.value);
  return "rows" in found ? found.rows : null;
});

export function keepOwnText(text: string): void {
  ownText.value = text;
  remember(KEY, text);
}

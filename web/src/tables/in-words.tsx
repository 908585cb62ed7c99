/** The table in words: a dialog that is loaded when it is opened first. */
import type { TileSet } from "../data.ts";
import type { GameWords, Mark } from "../games/game.ts";
import type { Laying } from "../geometry.ts";
import type { View } from "../net/protocol.ts";
import { speakAlso } from "../i18n.ts";
import { loadLazily } from "../shell/lazy.tsx";
import type { Frame } from "../state/placement.ts";
import type { Placer } from "../state/placer.ts";
import type { Session } from "../state/session.ts";
import { wordsOpen } from "./keys.ts";

/** What lies on a table. */
export interface TableContents {
  set: TileSet;
  layings: readonly Laying[];
  frame: Frame | null;
  words: GameWords;
  /** What was laid last. */
  fresh: readonly Laying[];
  marks: readonly Mark[];
  names: readonly string[];
}

/** At a table it has the whole game; elsewhere what lies there, and what is in hand if anything can be. */
export type WordsProps<V extends View = View> =
  | { session: Session<V>; placer?: undefined; lying?: undefined }
  | { session?: undefined; placer: Placer; lying?: undefined }
  | { session?: undefined; placer?: undefined; lying: TableContents };

const Read = loadLazily<WordsProps & { onClose(): void }>(async () => {
  const [{ WordsDialog }] = await Promise.all([import("./words-dialog.tsx"), speakAlso("words")]);
  return WordsDialog;
});

export function InWords<V extends View>(props: WordsProps<V>) {
  return wordsOpen.value ? <Read {...(props as WordsProps)} onClose={() => (wordsOpen.value = false)} /> : null;
}

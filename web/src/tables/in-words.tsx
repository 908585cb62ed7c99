/** The table in words, for whoever asks: a dialog that is loaded when it is opened first. */
import type { View } from "../net/types.ts";
import { speakAlso } from "../i18n.ts";
import { later } from "../shell/later.tsx";
import type { Placer } from "../state/placer.ts";
import type { Session } from "../state/session.ts";
import { wordsOpen } from "./keys.ts";

/** At a table the whole game is told; elsewhere what lies there, and what is in hand. */
export type Told<V extends View = View> = { session: Session<V>; placer?: undefined } | { session?: undefined; placer: Placer };

const Read = later<Told & { onClose(): void }>(async () => {
  const [{ WordsDialog }] = await Promise.all([import("./words-dialog.tsx"), speakAlso("words")]);
  return WordsDialog;
});

export function InWords<V extends View>(told: Told<V>) {
  return wordsOpen.value ? <Read {...(told as Told)} onClose={() => (wordsOpen.value = false)} /> : null;
}

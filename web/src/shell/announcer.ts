/** The voice for screen readers: the one live region of the page, where `announce` adds lines. */
import { useEffect } from "preact/hooks";
import { announce, type Manner, voice } from "../state/voice.ts";

/** Milliseconds that a line stays; then nobody finds it there who walks through the page. */
const KEPT = 10_000;
/** Milliseconds that a screen reader needs to find the region in another place. */
const SETTLED = 150;

let region: HTMLElement | null = null;
let last = "";

function emptyRegion(): HTMLElement {
  const made = document.createElement("div");
  made.id = "announcer";
  made.className = "hidden";
  made.role = "log";
  made.ariaLive = "polite";
  return made;
}

/** A dialog silences all that is outside of it, so the region is inside of the topmost one. */
const home = (): Element => [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;

function utter(text: string): void {
  if (region?.parentElement !== home()) {
    region?.remove();
    region = emptyRegion();
    home().append(region);
    setTimeout(utter, SETTLED, text);
    return;
  }
  const line = document.createElement("p");
  // Orca takes the same twice for an echo; who asks twice wants two answers.
  line.textContent = last = text === last ? `${text}\u00a0` : text;
  region.append(line);
  setTimeout(() => line.remove(), KEPT);
}

/** What was told is over: a page that comes back from behind a dialog must not tell it again. */
const clear = () => region?.replaceChildren();

export function useVoice(): void {
  useEffect(() => {
    document.body.append((region ??= emptyRegion()));
    voice.utter = utter;
    const hush = () => {
      voice.hush();
      clear();
    };
    addEventListener("keydown", hush, true);
    addEventListener("close", clear, true);
    return () => {
      removeEventListener("keydown", hush, true);
      removeEventListener("close", clear, true);
    };
  }, []);
}

/** Told when it becomes something else. */
export function useTold(text: string | null, manner: Manner = "status"): void {
  useEffect(() => {
    if (text) announce(text, manner);
  }, [text]);
}

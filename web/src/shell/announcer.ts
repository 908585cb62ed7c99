/** The voice for screen readers: the one live region of the page, where `announce` adds lines. */
import { useEffect } from "preact/hooks";
import { voice } from "../state/voice.ts";
import { topmostModal } from "./modals.ts";

/** Milliseconds that a line stays; after that, readers who walk through the page do not find it. */
const LINE_LIFETIME_MS = 10_000;
/** Milliseconds that a screen reader needs to find the region in another place. */
const SETTLING_MS = 150;

let region: HTMLElement | null = null;
let last = "";

function emptyRegion(): HTMLElement {
  const made = document.createElement("div");
  made.id = "announcer";
  made.className = "hidden";
  made.role = "log";
  made.ariaLive = "polite";
  made.style.top = "0"; // At the end of the page, it would make it longer than the screen.
  return made;
}

/** A dialog silences all that is outside of it, so the region is inside of the topmost one. */
const home = (): Element => topmostModal() ?? document.body;

/** Lines that wait until the region is found where it is now. */
const lines: string[] = [];
let settling: ReturnType<typeof setTimeout> | undefined;

function utter(text: string): void {
  lines.push(text);
  settling ?? speakLines();
}

function speakLines(): void {
  settling = undefined;
  if (region?.parentElement !== home()) {
    region?.remove();
    home().append((region = emptyRegion()));
    settling = setTimeout(speakLines, SETTLING_MS);
    return;
  }
  for (const text of lines.splice(0)) {
    const line = document.createElement("p");
    // Orca takes the same twice for an echo; a player who asks twice wants two answers.
    line.textContent = last = text === last ? `${text}\u00a0` : text;
    region.append(line);
    setTimeout(() => line.remove(), LINE_LIFETIME_MS);
  }
}

/** Remove lines that are out of date. */
const clear = () => region?.replaceChildren();

export function useVoice(): void {
  useEffect(() => {
    document.body.append((region ??= emptyRegion()));
    voice.utter = utter;
    const hush = ({ repeat }: KeyboardEvent) => {
      voice.hush(repeat);
      clear();
    };
    addEventListener("keydown", hush, true);
    // A page that comes back from behind a dialog must not repeat it, and has the region before it is wanted.
    const closed = () => {
      clear();
      settling ?? speakLines();
    };
    addEventListener("close", closed, true);
    return () => {
      removeEventListener("keydown", hush, true);
      removeEventListener("close", closed, true);
    };
  }, []);
}

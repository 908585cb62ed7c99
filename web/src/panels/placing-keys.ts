/** Laying by keyboard, where a game is played and where none is: arrows, digits, F, R, Enter, Esc. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Laying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { announce } from "../shell/announcer.tsx";
import { meantElsewhere } from "../shell/elsewhere.ts";
import { useKeydown } from "../shell/hooks.ts";
import type { Placer } from "../state/placer.ts";
import { candidateInWords } from "../words.ts";

const ARROWS: Record<string, number> = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
/** Keys that go on while they are held; all others do what they do once. */
const GO_ON = [...Object.keys(ARROWS), "+", "-"];
/** Milliseconds after a laying in which Enter was hit twice by mistake, and does not end the turn. */
const TWICE = 350;

/** `others`: what other keys do, and Enter with nothing to lay; whether that is anything. */
export function usePlacingKeys(placer: Placer, commit: (laying: Laying) => void, others: (key: string) => boolean): void {
  const tell = (before = placer.tile.value) => {
    const ghost = placer.ghost.value;
    if (!ghost) return;
    const { tile } = ghost.laying;
    const number = placer.hand.value.indexOf(tile) + 1;
    announce((tile === before ? "" : `${t("domino_number", { number, tile })}. `) + candidateInWords(ghost, placer.words.value));
  };
  const eye = useEye(placer);
  const laid = useRef(-TWICE);
  // Before a button hears of it, which would take a key that is held for many.
  useKeydown((event) => {
    if (event.repeat && !GO_ON.includes(event.key) && !meantElsewhere(event)) event.preventDefault();
  }, true);
  useKeydown((event) => {
    if (meantElsewhere(event) || (event.repeat && !GO_ON.includes(event.key))) return;
    // Enter on a button presses it; but a face in the hand is only where the focus happens to be.
    const onButton = !!(event.target as Element).closest("button:not(.held-face), a");
    const { key } = event;
    let known = true;
    if (key in ARROWS) {
      const before = placer.tile.value;
      placer.takeFitting();
      if (!placer.places.value.size && placer.otherFace.value) placer.flip();
      placer.walk(ARROWS[key]!);
      tell(before);
    } else if (/^[1-9]$/.test(key) && placer.hand.value[+key - 1]) {
      const tile = placer.hand.value[+key - 1]!;
      if (placer.tile.value !== tile) placer.take(tile);
    } else if (/^f$/i.test(key)) {
      placer.flip();
      tell();
    } else if (/^r$/i.test(key)) {
      placer.turn(event.shiftKey ? -1 : 1);
      tell();
    } else if (key === "Escape") {
      if (placer.ghost.value || placer.wish.value) placer.cancel();
      else placer.drop();
    } else if (key === "Enter") {
      const laying = onButton && eye.current !== "ghost" ? null : placer.confirmed();
      if (laying) {
        laid.current = event.timeStamp;
        commit(laying);
      } else known = !onButton && (event.timeStamp - laid.current < TWICE || others(key));
    } else known = others(key);
    if (known) event.preventDefault();
  });
}

/** What a player looks at: the ghost, or what has the focus; whichever has changed last. */
function useEye(placer: Placer): { current: "ghost" | "focus" } {
  const eye = useRef<"ghost" | "focus">("focus");
  // At once, not with the next frame: Enter may follow an arrow sooner.
  useEffect(() => effect(() => {
    if (placer.ghost.value) eye.current = "ghost";
  }), [placer]);
  useEffect(() => {
    const focused = () => (eye.current = "focus");
    addEventListener("focusin", focused);
    return () => removeEventListener("focusin", focused);
  }, []);
  return eye;
}

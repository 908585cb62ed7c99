/** Laying by keyboard, where a game is played and where none is: arrows, digits, F, R, Enter, Esc. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Laying, Side } from "../geometry.ts";
import { t, tt } from "../i18n.ts";
import { isMeantElsewhere } from "../shell/elsewhere.ts";
import { useKeydown } from "../shell/hooks.ts";
import type { Placer } from "../state/placer.ts";
import { announce } from "../state/voice.ts";
import { attribute, candidateInWords, capital, faceInWords, sentences, sideName } from "../words.ts";

const ARROWS: Record<string, number> = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
/** Keys that go on while they are held; all others do what they do once. */
const REPEATING_KEYS = [...Object.keys(ARROWS), "+", "-"];
/** Milliseconds after a laying in which Enter was hit twice by mistake, and does not end the turn. */
const DOUBLE_ENTER_MS = 350;

/**
 * `others`: what other keys do, and Enter with nothing to lay; whether that is anything. `isTurned`: whether the table
 * is seen after a quarter turn clockwise: arrows walk as they point on the screen.
 */
export function usePlacingKeys(
  placer: Placer,
  commit: (laying: Laying) => void,
  others: (key: string) => boolean,
  isTurned: () => boolean = () => false,
): void {
  const eye = useEye(placer);
  /**
   * When Enter last laid a domino; `Infinity` after an arrow that came before the places were known: Enter meant to
   * lay.
   */
  const laid = useRef(-DOUBLE_ENTER_MS);
  // Before a button hears of it, which would take a key that is held for many.
  useKeydown((event) => {
    if (event.repeat && !REPEATING_KEYS.includes(event.key) && !isMeantElsewhere(event)) event.preventDefault();
  }, true);
  useKeydown((event) => {
    if (isMeantElsewhere(event) || (event.repeat && !REPEATING_KEYS.includes(event.key))) return;
    // Enter on a button presses it; but a face in the hand is only where the focus happens to be.
    const onButton = !!(event.target as Element).closest("button:not(.held-face), a");
    const { key } = event;
    const before = { tile: placer.tile.value, side: placer.side.value };
    let known = true;
    const [direction, held] = [ARROWS[key], /^[1-9]$/.test(key) ? placer.hand.value[+key - 1] : undefined];
    if (direction !== undefined) {
      if (placer.hand.value.length && !placer.candidates.value.size) laid.current = Infinity;
      placer.takeFitting();
      if (!placer.places.value.size && placer.otherFace.value) placer.flip();
      placer.walk(isTurned() ? (direction + 3) % 4 : direction);
      announceChoice(placer, before);
    } else if (held) {
      if (placer.tile.value !== held) placer.take(held);
      announceChoice(placer, { tile: null, side: "+" });
    } else if (/^f$/i.test(key)) {
      placer.flip();
      announceChoice(placer, before);
    } else if (/^r$/i.test(key)) {
      placer.turn(event.shiftKey ? -1 : 1);
      if (placer.ghost.value || before.tile === null) announceChoice(placer, before);
      else announce(tt(`direction_${placer.hold.value.rotation}`), "chosen");
    } else if (key === "Escape") {
      if (placer.ghost.value || placer.illegal.value) placer.cancel();
      else placer.drop();
      if (before.tile !== null) announceChoice(placer, before);
    } else if (key === "Enter") {
      const laying = onButton && eye.current !== "ghost" ? null : placer.confirmed();
      const early = event.timeStamp - laid.current < DOUBLE_ENTER_MS;
      if (laying || laid.current === Infinity || (event.target as Element).closest(".layings-list"))
        laid.current = event.timeStamp;
      if (laying) commit(laying);
      else known = !onButton && (early || others(key));
    } else known = others(key);
    if (known) event.preventDefault();
  });
}

/**
 * A key says what it has chosen: the domino and its face if they are others than before, the place, and what it earns.
 */
function announceChoice(placer: Placer, before: { tile: string | null; side: Side }): void {
  const { value: tile } = placer.tile;
  if (tile === null) {
    announce(t("in_hand_nothing"), "chosen");
    return;
  }
  const [ghost, side, set] = [placer.ghost.value, placer.side.value, placer.set.value];
  const said: string[] = [];
  if (tile !== before.tile) said.push(t("domino_number", { number: placer.hand.value.indexOf(tile) + 1, tile }));
  if (set && (tile !== before.tile || side !== before.side))
    said.push(attribute(sideName(side), faceInWords(tile, side, set)));
  if (ghost) said.push(capital(candidateInWords(ghost, placer.words.value)));
  else if (placer.candidates.value.has(tile)) said.push(capital(t("fits", { count: placer.facing.value.length })));
  announce(sentences(said), "chosen");
}

/** Follow what the player looks at: the ghost or the focus, whichever changed last. */
function useEye(placer: Placer): { current: "ghost" | "focus" } {
  const eye = useRef<"ghost" | "focus">("focus");
  // Without waiting for a frame: Enter may follow an arrow sooner.
  useEffect(
    () =>
      effect(() => {
        if (placer.ghost.value) eye.current = "ghost";
      }),
    [placer],
  );
  useEffect(() => {
    const focused = () => (eye.current = "focus");
    addEventListener("focusin", focused);
    return () => removeEventListener("focusin", focused);
  }, []);
  return eye;
}

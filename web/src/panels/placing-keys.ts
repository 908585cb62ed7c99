/** The keys of the table, where no game is played: arrows, F, R, Enter, Esc, U. */
import { useEffect } from "preact/hooks";
import type { Laying } from "../geometry.ts";
import { announce } from "../shell/announcer.tsx";
import type { Placer } from "../state/placer.ts";
import { candidateInWords } from "../words.ts";

const ARROWS: Record<string, number> = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

export function usePlacingKeys(placer: Placer, commit: (laying: Laying) => void, undo: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog, summary")) return;
      const { key } = event;
      const onButton = !!target.closest("button:not(.held-face), a");
      const hand = placer.hand.value;
      if (key in ARROWS && hand.length) {
        if (placer.tile.value === null) placer.take(hand[0]!);
        if (!placer.places.value.size && placer.otherFace.value) placer.flip();
        placer.walk(ARROWS[key]!);
      } else if (/^[1-9]$/.test(key) && hand[Number(key) - 1]) {
        const tile = hand[Number(key) - 1]!;
        if (placer.tile.value !== tile) placer.take(tile);
      } else if (/^f$/i.test(key) && placer.tile.value) placer.flip();
      else if (/^r$/i.test(key) && placer.tile.value) placer.turn(event.shiftKey ? -1 : 1);
      else if (key === "Escape") {
        if (placer.ghost.value || placer.wish.value) placer.cancel();
        else placer.drop();
      } else if (key === "Enter" && !onButton) {
        const laying = placer.confirmed();
        if (laying) commit(laying);
      } else if (/^u$/i.test(key)) undo();
      else return;
      event.preventDefault();
      const ghost = placer.ghost.value;
      if (ghost && key !== "Enter") announce(candidateInWords(ghost));
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [placer]);
}

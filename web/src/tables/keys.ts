/** The whole table by keyboard: what each key does is on the page behind `?`. */
import { useEffect } from "preact/hooks";
import { signal } from "@preact/signals";
import type { Camera } from "../board/camera.ts";
import type { Game } from "../games/game.ts";
import type { Laying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { candidateInWords } from "../words.ts";
import { announce } from "../shell/announcer.tsx";
import { meantElsewhere } from "../shell/elsewhere.ts";
import type { Session } from "../state/session.ts";

export const helpOpen = signal(false);

const ARROWS: Record<string, number> = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

/** What the keys need of a table: a session has it, and so has the lesson. */
export type Keyed = Pick<Session, "placer" | "may" | "move"> & {
  readonly view: { readonly value: { can_undo: boolean } | null };
  /** Of whose keys some make moves. */
  readonly game?: { readonly value: Pick<Game, "keys"> };
};

export function usePlacerKeys(session: Keyed, commit: (laying: Laying) => void, camera: Camera): void {
  useEffect(() => {
    const { placer } = session;
    const tell = (before = placer.tile.value) => {
      const ghost = placer.ghost.value;
      if (!ghost) return;
      const { tile } = ghost.laying;
      const number = placer.hand.value.indexOf(tile) + 1;
      announce((tile === before ? "" : `${t("domino_number", { number, tile })}. `) + candidateInWords(ghost));
    };
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (meantElsewhere(event)) return;
      // Enter on a button presses it; but a face in the hand is only where the focus happens to be.
      const onButton = !!target.closest("button:not(.held-face), a");
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
      } else if (key === "f" || key === "F") {
        placer.flip();
        tell();
      } else if (key === "r" || key === "R") {
        placer.turn(event.shiftKey ? -1 : 1);
        tell();
      } else if (key === "Escape") {
        if (placer.ghost.value || placer.wish.value) placer.cancel();
        else placer.drop();
      } else if (key === "Enter" && !onButton) {
        const laying = placer.confirmed();
        if (laying) commit(laying);
        else if (session.may("end")) void session.move({ move: "end" });
      } else if ((key === "u" || key === "U") && session.view.value?.can_undo) {
        void session.move({ move: "undo" });
      } else if (key === "e" || key === "E") {
        if (session.may("end")) void session.move({ move: "end" });
      } else if (key === "p" || key === "P") {
        if (session.may("pass")) void session.move({ move: "pass" });
      } else if (key === "+" || key === "-") {
        camera.zoom(key === "+" ? 1.25 : 0.8);
      } else if (key === "0") {
        camera.fit();
      } else if (/^[bm]$/i.test(key)) {
        document.querySelector<HTMLElement>(".game-panel [data-first]")?.focus();
      } else if (key === "?") {
        helpOpen.value = true;
      } else {
        const move = session.game?.value.keys.find(({ keys }) => keys.includes(key.toUpperCase()))?.move;
        if (move && session.may(move)) void session.move({ move });
        known = move !== undefined;
      }
      if (known) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [session]);
}

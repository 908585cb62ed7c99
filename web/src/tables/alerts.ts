/** What happens at a table is heard and felt; and a player who looks elsewhere is called when the turn comes. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { joinList, t, withColon } from "../i18n.ts";
import { callBack, stopCalling } from "../shell/calling.ts";
import { play } from "../shell/play.ts";
import { gameName } from "../state/catalogue.ts";
import type { Session } from "../state/session.ts";
import { soundsOf, ticks } from "../state/sounds.ts";
import { useEntries } from "./entries.ts";

/** Milliseconds between two looks at the clock. */
const LOOK = 250;

export function useAlerts(session: Session): void {
  useSounds(session);
  useTurn(session);
  useClock(session);
}

/** What was laid, closed, or is nearly done: a viewer that comes back does not hear all that was missed. */
function useSounds(session: Session): void {
  useEntries(session, ({ entry: { events }, live }) => {
    if (!live) return;
    const [game, view, seat] = [session.game.peek(), session.view.peek(), session.seat.peek()];
    for (const one of soundsOf({ game, events, view, seat })) play(one);
  });
}

/** The turn comes: in a race it is everybody's all the time. */
function useTurn(session: Session): void {
  const before = useRef(true);
  useSignalEffect(() => {
    const wanted = session.wanted.value && session.table.value?.phase === "playing";
    const table = session.table.peek();
    if (wanted && !before.current && table && !session.game.peek().race) {
      play("turn");
      callBack(
        session.id,
        t("your_turn"),
        withColon(gameName(table.game), joinList(table.seats.map(({ name }) => name))),
      );
    } else if (!wanted) stopCalling(session.id);
    before.current = wanted;
  });
  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === "visible") stopCalling(session.id);
    };
    document.addEventListener("visibilitychange", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      stopCalling(session.id);
    };
  }, [session]);
}

/** The last seconds of one's own time, or of the time of all. */
function useClock(session: Session): void {
  useEffect(() => {
    let before = Infinity;
    const timer = setInterval(() => {
      const table = session.table.value;
      const own = session.game.value.atOnce
        ? session.yours.value.length > 0
        : table?.time_runs_for != null && session.yours.value.includes(table.time_runs_for);
      if (!table?.deadline || table.phase !== "playing" || !own) {
        before = Infinity;
        return;
      }
      const left = table.deadline - Date.now() - session.store.clockLead.value;
      if (ticks(before, left)) play("time");
      before = left;
    }, LOOK);
    return () => clearInterval(timer);
  }, [session]);
}

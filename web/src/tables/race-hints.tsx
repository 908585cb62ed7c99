/**
 * Help on request in a race, loaded where that was agreed on: a next place, and whether what lies there can still be
 * completed. The table's server is asked, which informs all players; the same question is asked once.
 */
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RaceView } from "../net/protocol.ts";
import { parseLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { api, type Hint } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { useKeydown } from "../shell/hooks.ts";
import type { Session } from "../state/session.ts";
import { tokenOf } from "../state/storage.ts";
import { itemAt } from "../values.ts";
import { isHintKey, type RaceHelpProps } from "./race-help.tsx";

type Question = "place" | "possible";

/** Until no move is on its way: a hint is about what lies there then. */
function waitUntilSettled({ queue: { isBusy: busy } }: Session<RaceView>): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (busy.value) return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

export function RaceHints({ session, disabled, says, place, take }: RaceHelpProps) {
  const waiting = useSignal(false);
  /** What was asked about what lies there with the dominoes that there are, and the answers. */
  const asked = useRef<{ situation: string; id: string; answers: Partial<Record<Question, Hint>> }>({
    situation: "",
    id: "",
    answers: {},
  });
  const { placer } = session;
  const seat = session.requireSeat();
  const here = () => `${seat} ${itemAt(session.requireView().frames, seat).join(" ")}`;
  const position = here();

  // What was said is about what lay there.
  useEffect(() => {
    says.value = null;
  }, [position]);

  const answer = async (question: Question): Promise<Hint> => {
    const stock = session.requireRace().stock(session.requireView(), seat, session.set.value);
    const situation = `${here()} ${stock.sort().join(" ")}`;
    if (asked.current.situation !== situation)
      asked.current = { situation, id: String(Math.random()).slice(2), answers: {} };
    const { id, answers } = asked.current;
    // Who was shown a place knows that it is possible.
    const known = answers[question] ?? answers.place;
    if (known) return known;
    const width = placer.frame.value?.width;
    return (answers[question] = await api.hint(session.id, seat, tokenOf(session.id), {
      question,
      id: `${question} ${id}`,
      ...(width && { width }),
    }));
  };
  const ask = async (question: Question) => {
    if (waiting.value || disabled) return;
    waiting.value = true;
    says.value = t("solver_looks");
    try {
      await waitUntilSettled(session);
      const before = here();
      const { possible, laying, width } = await answer(question);
      says.value = null;
      if (here() !== before) return;
      if (question === "place" && laying) {
        const found = session
          .requireRace()
          .frames(session.requireView().options, [])
          .find((frame) => frame.width === width);
        if (found) session.lying.value = found.width > found.height;
        const wanted = parseLaying(laying);
        session.notice.value = null;
        place.value = wanted;
        if (placer.hand.value[0] !== wanted.tile) take(wanted.tile, wanted.side);
      } else says.value = t(possible === null ? "solver_unknown" : possible ? "solver_yes" : "solver_no");
    } catch (error) {
      says.value = null;
      if (!(error instanceof Refused)) throw error;
      session.notice.value = { text: error.message, code: error.code };
    } finally {
      waiting.value = false;
    }
  };

  useKeydown((event) => {
    if (isHintKey(event)) void ask("place");
  });
  const idle = waiting.value || disabled;
  return (
    <>
      <button type="button" disabled={idle} title={t("hint_cost")} onClick={() => void ask("place")}>
        {t("show_place")} <kbd>H</kbd>
      </button>
      <button type="button" disabled={idle} title={t("hint_cost")} onClick={() => void ask("possible")}>
        {t("can_it_be")}
      </button>
      <small class="full note hint-cost">{t("hint_cost")}</small>
    </>
  );
}

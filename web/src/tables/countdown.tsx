/** 3, 2, 1: a race begins for everybody at the same moment of the server's clock. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n.ts";
import { announce } from "../state/voice.ts";
import { play } from "../shell/play.ts";
import type { Session } from "../state/session.ts";
import { countOf, timeInFigures, untilNext } from "../state/times.ts";
import { bestTime, helps } from "./own-run.ts";
import type { RaceView } from "../net/protocol.ts";

/** The seconds that are left, 0 for the moment of "Go!", null while there is nothing to count. */
export function useCountdown(session: Session<RaceView>): number | null {
  const begins = session.table.value?.begins ?? null;
  const ahead = session.store.clockLead.value;
  const left = () => (begins === null ? -Infinity : begins - Date.now() - ahead);
  const count = useSignal(countOf(left()));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      count.value = countOf(left());
      if (count.value !== null) timer = setTimeout(look, untilNext(left()));
    };
    look();
    return () => clearTimeout(timer);
  }, [begins, ahead]);
  return count.value;
}

/** Large over the frame; every number is heard, too. */
export function Countdown({ session, count }: { session: Session<RaceView>; count: number | null }) {
  useEffect(() => {
    if (count === null) return;
    announce(count ? String(count) : t("race_go"), count ? "status" : "urgent");
    play(count ? "count" : "go");
  }, [count]);
  if (count === null) return null;
  const best = bestTime(session);
  return (
    <div class={count ? "covering countdown" : "covering countdown go"} aria-hidden="true">
      <b key={count}>{count || t("race_go")}</b>
      {best && count > 0 && <small class="slip lead">{t("best_time", { time: timeInFigures(best.time) })}</small>}
      {count > 0 && !helps(session.requireTable()) && <small class="slip lead">{t("refused_no_hints")}</small>}
    </div>
  );
}

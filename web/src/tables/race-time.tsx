/**
 * The time of a race: what is left, or what has gone since the start, and how one's own run stands beside the best one.
 */
import type { RaceView } from "../net/protocol.ts";
import { t } from "../i18n.ts";
import { clock, useNow } from "../panels/now.ts";
import type { Session } from "../state/session.ts";
import { difference, lastSplit, splitName, timeInFigures } from "../state/times.ts";
import { bestTime, runsAt } from "./own-run.ts";
import { Icon } from "../ui/icon.tsx";
import { itemAt } from "../values.ts";

export function RaceTime({ session }: { session: Session<RaceView> }) {
  return (
    <span class="row race-clock">
      <RaceClock session={session} />
      <OwnSplit session={session} />
    </span>
  );
}

function RaceClock({ session }: { session: Session<RaceView> }) {
  const now = useNow(500) + session.store.clockLead.value;
  const { deadline, begins } = session.requireTable();
  if (begins === null) return null;
  if (deadline !== null) {
    const left = Math.min(deadline - now, deadline - begins);
    return <Clock text={clock(left)} title={t("time_left")} short={left < 30_000} />;
  }
  const ended = session.store.log.value.find(({ events }) => events.some(({ event }) => event === "ended"))?.at;
  // Without tenths while it runs: they would be restless.
  const gone = Math.max(0, (ended ?? now) - begins);
  return (
    <Clock text={ended === undefined ? timeInFigures(gone).slice(0, -2) : timeInFigures(gone)} title={t("time_gone")} />
  );
}

function Clock({ text, title, short }: { text: string; title: string; short?: boolean }) {
  return (
    <time class={short ? "clock short" : "clock"} role="timer" title={title} aria-label={title}>
      <Icon name="clock" /> {text}
    </time>
  );
}

/** One's last split beside that of the best run; before the first one, the time to beat. */
function OwnSplit({ session }: { session: Session<RaceView> }) {
  const yours = session.yours.value;
  const run = yours.length === 1 ? runsAt(session)[itemAt(yours, 0)] : undefined;
  if (!run) return null;
  const [best, split] = [bestTime(session), lastSplit(run)];
  if (!split) return best && <small class="own-split">{t("best_time", { time: timeInFigures(best.time) })}</small>;
  const number = run.splits.indexOf(split);
  const beside = best?.splits[number];
  return (
    <small class="own-split">
      {splitName(number)} {timeInFigures(split.time)}
      {beside != null && <b class={split.time <= beside ? "ahead" : "notice"}> {difference(split.time - beside)}</b>}
    </small>
  );
}

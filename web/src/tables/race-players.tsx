/** Who races, how far everybody is, and everybody's frame in small, as it is just now. */
import { memo } from "../board/memo.ts";
import { useMemo } from "preact/hooks";
import { Domino, wholeDiscs, WholeSymbols } from "../board/domino.tsx";
import { FrameBack } from "../board/frame-back.tsx";
import type { TileSet } from "../data.ts";
import type { RaceView } from "../net/protocol.ts";
import { parseLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { AbsentActions, GreetingBubble, PresenceWord } from "../panels/presence.tsx";
import { Level } from "../panels/level.tsx";
import { withBoundary } from "../shell/boundary.tsx";
import type { Session } from "../state/session.ts";
import { withSymbols } from "../state/settings.ts";
import type { Frame } from "../state/placement.ts";
import { frameFor, countNeeded } from "../state/races.ts";
import { lastSplit, splitName, timeInFigures } from "../state/times.ts";
import { runsAt } from "./own-run.ts";
import { Icon } from "../ui/icon.tsx";
import { itemAt } from "../values.ts";

export interface RacePlayersProps {
  session: Session<RaceView>;
  /** Whose frame is shown large. */
  shown: number;
  onLook(seat: number): void;
}

export const RacePlayers = withBoundary(Racers);

function Racers({ session, shown, onLook }: RacePlayersProps) {
  const [table, view] = [session.requireTable(), session.requireView()];
  const winners = view.outcome?.winners ?? [];
  const runs = runsAt(session);
  // Who leads is first, and so in sight; of those who are equally far, oneself.
  const order = table.seats
    .map((_, number) => number)
    .sort(
      (a, b) =>
        itemAt(view.frames, b).length - itemAt(view.frames, a).length
        || Number(b === session.seat.value) - Number(a === session.seat.value)
        || a - b,
    );
  return (
    <ol class="players racers" aria-label={t("players")}>
      {order.map((number) => {
        const seat = itemAt(table.seats, number);
        const texts = itemAt(view.frames, number);
        const layings = texts.map(parseLaying);
        const frame = frameFor(session.requireRace().frames(view.options, layings), layings, session.lying.value);
        const [count, total] = [layings.length, countNeeded(frame)];
        const gaveUp = view.given_up.includes(number);
        const run = runs[number];
        const split = run ? lastSplit(run) : null;
        return (
          <li
            key={number}
            class={`player racer seat-${number}${number === shown ? " shown" : ""}${winners.includes(number) ? " winner" : ""}${gaveUp ? " gave-up" : ""}`}
          >
            <button
              type="button"
              class="look"
              aria-pressed={number === shown}
              aria-label={t("look_at_frame", { name: seat.name })}
              title={t("look_at_frame", { name: seat.name })}
              onClick={() => onLook(number)}
            >
              <Thumb layings={texts.join(" ")} frame={frame} set={session.set.value} symbols={withSymbols()} />
            </button>
            <span class="who">
              <span class="name">
                <span class="token small" aria-hidden="true">
                  {number + 1}
                </span>{" "}
                {seat.name}
                {winners.includes(number) && (
                  <>
                    {" "}
                    <Icon name="star" />
                  </>
                )}
              </span>
              <small>
                {session.yours.value.includes(number) && <em>{t("you")}</em>}
                {seat.program && <Level program={seat.program} />}
                <PresenceWord session={session} seat={number} />
                {gaveUp && <span>{t("has_given_up")}</span>}
                {run && split && (
                  <span class="split">
                    {splitName(run.splits.indexOf(split))} {timeInFigures(split.time)}
                  </span>
                )}
                {seat.hints > 0 && <span>{t("problem_with_hints", { count: seat.hints })}</span>}
              </small>
              <AbsentActions session={session} seat={number} />
              <progress max={total} value={count} aria-hidden="true" />
            </span>
            <b class="count" role="img" aria-label={t("frame_count", { count, total })}>
              {count}
              <small>/{total}</small>
            </b>
            <GreetingBubble session={session} seat={number} />
          </li>
        );
      })}
    </ol>
  );
}

interface ThumbProps {
  layings: string;
  frame: Frame;
  set: TileSet;
  symbols: boolean;
}

/** A frame in small; drawn again only when something in it has changed. */
const Thumb = memo(function Thumb({ layings, frame, set, symbols }: ThumbProps) {
  const all = useMemo(() => layings.split(" ").filter(Boolean).map(parseLaying), [layings]);
  const whole = useMemo(() => wholeDiscs(all, set), [all, set]);
  const { left = 0, top = 0, width, height } = frame;
  return (
    <svg
      class="thumb"
      viewBox={`${100 * left - 20} ${100 * top - 20} ${100 * width + 40} ${100 * height + 40}`}
      aria-hidden="true"
    >
      <FrameBack frame={frame} edge={14} />
      {all.map((laying) => (
        <Domino key={laying.tile} laying={laying} set={set} whole={whole} />
      ))}
      {symbols && <WholeSymbols whole={whole} />}
    </svg>
  );
});

/** What Alex adds to the tray: the dominoes drawn, the sandglass, announcing, and who announced what. */
import { Faces } from "../../board/domino.tsx";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { parseLaying } from "../../geometry.ts";
import { t, withColon } from "../../i18n.ts";
import { isMeantElsewhere } from "../../shell/elsewhere.ts";
import { Commit, isSteadyKey } from "../../shell/commit.tsx";
import { useAnnouncement } from "../../shell/announced-text.tsx";
import { useKeydown } from "../../shell/hooks.ts";
import type { TableProps } from "../../state/session.ts";
import { type AlexView, leader, plays } from "./game.ts";
import { Sandglass } from "./sandglass.tsx";
import { Icon } from "../../ui/icon.tsx";

type Props = TableProps<AlexView>;

/** Seconds to show a turn in tables from before it was an option. */
const OLD_SHOW_SECONDS = 60;
const MOST_POINTS = 1000;
/** Milliseconds between digits of one number. */
const SAME_NUMBER = 2000;

export const highest = ({ announcements }: AlexView): number => announcements.at(-1)?.points ?? 0;

/** The points that a player has to show: their highest announcement. */
export function findAnnounced({ announcements }: AlexView, seat: number): number {
  return Math.max(0, ...announcements.filter(({ player }) => player === seat).map(({ points }) => points));
}

export function AlexPanel({ session }: Props) {
  const view = session.requireView();
  const over = view.phase === "over";
  const total = over
    ? null
    : view.phase === "show"
      ? (view.options.show ?? OLD_SHOW_SECONDS)
      : view.phase === "sandglass"
        ? view.options.sandglass
        : view.options.look || null;
  const announcing =
    !over
    && view.phase !== "show"
    && session.seat.value !== null
    && plays(view, session.seat.value)
    && !session.away.value;
  const [first] = useRound(view);
  const second = view.drawn.length === 1 && view.drawn[0] !== first;
  return (
    <div class={second ? "game-panel alex-panel second-left" : "game-panel alex-panel"}>
      {!session.placer.hand.value.length && (
        <Faces tiles={view.drawn} set={session.set.value} kind="drawn" label={t("alex_drawn")} />
      )}
      <Sandglass session={session} total={total} />
      <div class="alex-points">
        <Announcements session={session} />
        {announcing
          && (leader(view) === session.seat.value ? <Leading session={session} /> : <Announcing session={session} />)}
      </div>
    </div>
  );
}

/** The dominoes of the round, though some be laid: what is left stays where it was. */
function useRound({ drawn, turn }: AlexView): readonly string[] {
  const round = useRef<readonly string[]>([]);
  if (drawn.some((tile) => !round.current.includes(tile)))
    round.current = [...(turn ?? []).map(({ laying }) => parseLaying(laying).tile), ...drawn];
  return round.current;
}

function Announcements({ session }: Props) {
  const view = session.requireView();
  const all = [...view.announcements].reverse();
  if (!all.length) return <p class="announcements none">{view.phase === "look" && t("no_announcements")}</p>;
  return (
    <ol class="announcements" aria-label={t("announcements")}>
      {all.map(({ player, points }, i) => {
        const [isFailed, isShown] = [
          view.failed.includes(player),
          view.shower === player && points === findAnnounced(view, player),
        ];
        const state = `${i === 0 ? " top" : ""}${isFailed ? " failed" : ""}${isShown ? " showing" : ""}`;
        return (
          <li key={points} class={`seat-${player}${state}`}>
            <b>{points}</b> {session.nameOf(player)}
          </li>
        );
      })}
    </ol>
  );
}

/** Of the leader, instead of announcing: what comes next. */
function Leading({ session }: Props) {
  const view = session.requireView();
  const others = view.scores.filter((_, seat) => seat !== session.seat.value && plays(view, seat)).length;
  return <p class="leading">{t("alex_leads", { count: others })}</p>;
}

/**
 * A stepper with a large number; digits may be typed anywhere. The number that was chosen stays until it is announced.
 */
function Announcing({ session }: Props) {
  const view = session.requireView();
  const seat = session.requireSeat();
  const least = highest(view) + 1;
  const typed = useSignal("");
  const value = typed.value === "" ? least : Number(typed.value);
  const valid = Number.isInteger(value) && value >= least && value <= MOST_POINTS;
  const passed = view.passed.includes(seat);

  // It was meant for the dominoes of one round.
  useEffect(() => void (typed.value = ""), [view.round]);

  const top = view.announcements.at(-1);
  const refusal = withColon(
    typed.value,
    top ? t("alex_top", { name: session.nameOf(top.player), points: top.points }) : t("refused_bad_announcement"),
  );

  const step = (by: number) =>
    (typed.value = String(Math.min(MOST_POINTS, Math.max(least, (valid ? value : least) + by))));
  const announce = () => {
    if (!valid) {
      session.notice.value = { text: refusal };
      typed.value = "";
      return;
    }
    const sent = typed.value;
    void session.move({ move: "announce", announced: value, round: view.round }).then((done) => {
      if (done && typed.value === sent) typed.value = "";
    });
  };
  const noMore = () => {
    if (!passed) void session.move({ move: "no_more", announced: least - 1, round: view.round });
  };
  const byKey = (does: string, act: () => void) => () => {
    if (isSteadyKey(does)) act();
  };
  useDigits(typed, { announce: byKey("announce", announce), noMore: byKey("no_more", noMore), step });
  useAnnouncement(typed.value === "" ? null : valid ? t("announce", { points: value }) : refusal, "chosen");

  return (
    <form
      class="row announcing"
      onSubmit={(event) => {
        event.preventDefault();
        announce();
      }}
    >
      <Announcer session={session} />
      <div class="row steps">
        <button
          type="button"
          class="round"
          aria-label={t("announce_less")}
          title={t("announce_less")}
          disabled={value <= least}
          onClick={() => step(-1)}
        >
          <Icon name="minus" />
        </button>
        <input
          type="text"
          class="stepped"
          inputMode="numeric"
          pattern="[0-9]*"
          autocomplete="off"
          maxLength={4}
          aria-label={t("announce_points")}
          aria-invalid={!valid}
          value={typed.value === "" ? String(least) : typed.value}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => (typed.value = event.currentTarget.value.replace(/\D/g, ""))}
        />
        <button
          type="button"
          class="round"
          aria-label={t("announce_more")}
          title={t("announce_more")}
          onClick={() => step(1)}
        >
          <Icon name="plus" />
        </button>
        <button type="button" class="round" title={t("announce_five")} onClick={() => step(5)}>
          +5
        </button>
      </div>
      <Commit does="announce" means={`${seat} ${view.round} ${value}`} isChosen={typed.value !== ""} class="primary">
        {t("announce", { points: value })}
      </Commit>
      <Commit does="no_more" means={`${seat} ${view.round} ${least}`} disabled={passed} onCommit={noMore}>
        {least > 1 ? t("no_more") : t("nothing_found")} <kbd>N</kbd>
      </Commit>
    </form>
  );
}

/** Where several share a screen: whose announcement it is. */
function Announcer({ session }: Props) {
  if (!session.shared.value) return null;
  const mine = session.acting.value.filter((seat) => session.yours.value.includes(seat));
  return (
    <div class="row announcer" role="group" aria-label={t("announce_who")}>
      {mine.map((seat) => (
        <button
          key={seat}
          type="button"
          class={`seat-${seat}`}
          aria-pressed={seat === session.seat.value}
          onClick={() => (session.chosen.value = seat)}
        >
          {session.nameOf(seat)}
        </button>
      ))}
    </div>
  );
}

/** Digits make a number, Enter announces it, arrows step, N passes: wherever the focus is. */
function useDigits(
  typed: { value: string },
  { announce, noMore, step }: { announce(): void; noMore(): void; step(by: number): void },
): void {
  const last = useRef(0);
  // Before the keys of the table, where 0 has another meaning.
  useKeydown((event) => {
    const target = event.target as Element;
    if (isMeantElsewhere(event)) return;
    const { key } = event;
    if (event.repeat && /^(\d|n|Enter)$/i.test(key)) event.preventDefault();
    else if (/^\d$/.test(key)) {
      const goesOn = event.timeStamp - last.current < SAME_NUMBER && typed.value.length < 4;
      last.current = event.timeStamp;
      typed.value = (goesOn ? typed.value : "") + key;
    } else if (key === "Backspace") typed.value = typed.value.slice(0, -1);
    else if (key === "Enter" && !target.closest("button, a")) announce();
    else if (key === "ArrowUp") step(1);
    else if (key === "ArrowDown") step(-1);
    else if (/^n$/i.test(key)) noMore();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}

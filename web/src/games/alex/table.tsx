/** The table of Alex: two dominoes for all, announcements, a sandglass, and showing one's turn. */
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Camera } from "../../board/camera.ts";
import { Badge, Outlined } from "../../board/lines.tsx";
import { Domino } from "../../board/domino.tsx";
import { rectangle } from "../../board/outline.ts";
import { bounds, type Laying, parseLaying, printLaying } from "../../geometry.ts";
import { t } from "../../i18n.ts";
import type { GameEvent } from "../../net/open.ts";
import type { Session, TableProps } from "../../state/session.ts";
import { useEntries } from "../../tables/entries.ts";
import TurnTable, { once, type TurnParts } from "../../tables/turn-table.tsx";
import { eventInWords } from "../../words.ts";
import type { Game } from "../game.ts";
import { type AlexView, leader, plays, SPLASH_MISTAKE, type Revealed } from "./game.ts";
import { AlexPanel, findAnnounced, highest } from "./panel.tsx";
import { Commit } from "../../shell/commit.tsx";
import { loadLazily } from "../../shell/lazy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { itemAt } from "../../values.ts";

/** The third mistake is rare. */
const Splash = loadLazily(() => import("./splash.tsx").then(({ Splash }) => Splash));

/** Milliseconds that news stay on the table; the lake, and a best turn. */
const NEWS = 9_000;
const SWIM = 6_500;
const BEST = 20_000;
const MINUTE = 60_000;
/** Until the page is laid out again. */
const SETTLED = 120;

interface News {
  kind: "proved" | "punished" | "nothing";
  text: string;
}

/** What has just happened, for a while: it must be seen, though the next round has begun. */
class Moments {
  readonly news = signal<News[]>([]);
  /** Who is thrown into the lake. */
  readonly swimmer = signal<number | null>(null);
  /** The best turn, which no player has shown. */
  readonly best = signal<{ layings: Laying[]; points: number } | null>(null);
  #timers: Record<string, ReturnType<typeof setTimeout>> = {};

  take(events: readonly GameEvent[], names: readonly string[], game: Game): void {
    const news: News[] = [];
    for (const event of events) {
      if (event.event === "proved" || event.event === "punished") {
        news.push({ kind: event.event, text: eventInWords(event, names, game) ?? "" });
        if (event.mistake === SPLASH_MISTAKE)
          this.#show(
            "swimmer",
            SWIM,
            () => (this.swimmer.value = event.player!),
            () => (this.swimmer.value = null),
          );
      } else if (event.event === "revealed") {
        const { best } = event as GameEvent & Revealed;
        if (!best) news.push({ kind: "nothing", text: t("log_nothing_fits") });
        else {
          const found = { layings: best.layings.map(parseLaying), points: best.points };
          this.#show(
            "best",
            BEST,
            () => (this.best.value = found),
            () => (this.best.value = null),
          );
        }
      } else if (event.event === "announced" || event.event === "laid") {
        this.best.value = null;
        if (event.event === "laid") this.news.value = [];
      }
    }
    if (news.length)
      this.#show(
        "news",
        NEWS,
        () => (this.news.value = news),
        () => (this.news.value = []),
      );
  }

  #show(name: string, milliseconds: number, begin: () => void, end: () => void): void {
    clearTimeout(this.#timers[name]);
    begin();
    this.#timers[name] = setTimeout(end, milliseconds);
  }
}

export default function AlexTable({ session }: TableProps<AlexView>) {
  const moments = useMemo(() => new Moments(), [session]);
  const parts = useMemo(() => partsWith(moments), [moments]);
  useEntries(session, ({ entry, live }) => {
    const names = session.table.peek()?.seats.map(({ name }) => name) ?? [];
    if (live) moments.take(entry.events, names, session.game.peek());
  });
  return <TurnTable session={session} parts={parts} />;
}

function partsWith(moments: Moments): TurnParts<AlexView> {
  return {
    status,
    Panel: ({ session, camera }) => {
      useEffect(() => {
        // The tray is higher or lower in another phase; what may be laid round the table is to be seen.
        const wait = setTimeout(() => {
          const { left, top, right, bottom } = bounds([
            ...session.layings.value,
            ...(moments.best.value?.layings ?? []),
          ]);
          const around = { left: left - 2, top: top - 2, right: right + 2, bottom: bottom + 2 };
          if (!camera.sees(around)) camera.fly(camera.fitted(around, 0));
        }, SETTLED);
        return () => clearTimeout(wait);
      }, [session.requireView().phase, session.placer.hand.value.length]);
      return <AlexPanel session={session} />;
    },
    Buttons: ShowingButtons,
    extra(view, seat) {
      const mistakes = itemAt(view.mistakes, seat);
      return (
        <>
          {mistakes > 0 && (
            <span
              class="mistakes"
              title={t("mistakes", { count: mistakes })}
              aria-label={t("mistakes", { count: mistakes })}
              role="img"
            >
              {Array.from({ length: mistakes }, (_, i) => (
                <Icon key={i} name="close" />
              ))}
            </span>
          )}
          {view.out.includes(seat) ? (
            <span>{t("in_the_lake")}</span>
          ) : view.sitting_out.includes(seat) ? (
            <span>{t("sits_out")}</span>
          ) : view.phase === "sandglass" && leader(view) === seat ? (
            <span>{t("leads")}</span>
          ) : view.phase !== "show" && view.passed.includes(seat) ? (
            <span>{t("has_passed")}</span>
          ) : null}
        </>
      );
    },
    Overlay: ({ session }) => <BestTurn session={session} moments={moments} />,
    Front: ({ session, camera }) => <News session={session} camera={camera} moments={moments} />,
  };
}

function status(session: Session<AlexView>): string {
  const [view, seat] = [session.requireView(), session.seat.value];
  return `${nameRound()} · ${expected()}`;

  function nameRound(): string {
    const { round, options, last_round } = view;
    if (options.end === "rounds") return t("alex_round_of", { round, rounds: options.rounds });
    const { ends } = session.requireTable();
    if (ends === undefined || last_round) return t("alex_round", { round });
    const left = ends - Date.now() - session.store.clockLead.value;
    return t("alex_round_time", { round, count: Math.max(1, Math.ceil(left / MINUTE)) });
  }

  function expected(): string {
    const { shower } = view;
    if (view.phase === "show" && shower !== null) {
      const count = findAnnounced(view, shower);
      return shower === seat ? t("alex_show_mine", { count }) : t("alex_show", { name: session.nameOf(shower), count });
    }
    if (seat !== null && view.out.includes(seat)) return t("alex_out");
    if (seat !== null && !plays(view, seat)) return t("alex_sit_out");
    const top = view.announcements.at(-1);
    if (seat !== null && leader(view) === seat) return t("alex_lead", { points: highest(view) });
    if (seat !== null && view.passed.includes(seat)) return t("alex_waits");
    return top ? t("alex_top", { name: session.nameOf(top.player), points: highest(view) }) : t("alex_look");
  }
}

/** Of the shower: take back, and be judged. */
function ShowingButtons({ session }: TableProps<AlexView>) {
  const view = session.requireView();
  if (view.phase !== "show" || view.shower !== session.seat.value || session.away.value)
    return session.seat.value === null ? null : <div class="turn-buttons" />;
  const press = (move: string) => once(() => void session.move({ move }));
  return (
    <div class="turn-buttons">
      {view.can_undo && (
        <Commit does="undo" onCommit={press("undo")}>
          {t("undo")} <kbd>U</kbd>
        </Commit>
      )}
      <Commit does="end" class="primary" onCommit={press("end")}>
        {t("end_showing")} <kbd>E</kbd>
      </Commit>
    </div>
  );
}

/** Where the best turn would have lain. */
function BestTurn({ session, moments }: TableProps<AlexView> & { moments: Moments }) {
  const best = moments.best.value;
  if (!best) return null;
  const { x, y, width } = rectangle(itemAt(best.layings, 0), 20);
  return (
    <g class="best-turn">
      {best.layings.map((laying) => (
        <g key={printLaying(laying)}>
          <g opacity={0.8}>
            <Domino laying={laying} set={session.set.value} />
          </g>
          <Outlined laying={laying} kind="best" />
        </g>
      ))}
      <Badge text={String(best.points)} at={[x + width, y]} />
    </g>
  );
}

/** What has happened, at the top of the table; the table below it makes room, so that the turn in question is seen. */
function News({ session, camera, moments }: TableProps<AlexView> & { camera: Camera; moments: Moments }) {
  const [news, best, swimmer] = [moments.news.value, moments.best.value, moments.swimmer.value];
  const slips = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    camera.coveredTop = slips.current ? slips.current.offsetTop + slips.current.offsetHeight : 0;
    const last = bounds(session.last.value);
    if (best) camera.fly(camera.fitted(bounds([...session.layings.value, ...best.layings]), 1));
    else if (news.length && session.last.value.length && !camera.sees(last)) camera.fly(camera.moved(last, 0.3));
  }, [news, best]);
  return (
    <>
      {(news.length > 0 || best) && (
        <div class="alex-news" ref={slips}>
          {news.map(({ kind, text }) => (
            <p key={text} class={`slip feedback ${kind}`}>
              {text}
            </p>
          ))}
          {best && (
            <p class="row slip feedback best">
              <span>{t("best_of_round", { points: best.points })}</span>
              <button type="button" class="link" onClick={() => (moments.best.value = null)}>
                {t("hide_best")}
              </button>
            </p>
          )}
        </div>
      )}
      {swimmer !== null && (
        <Splash
          seat={swimmer}
          name={session.nameOf(swimmer)}
          you={swimmer === session.seat.value}
          onClose={() => (moments.swimmer.value = null)}
        />
      )}
    </>
  );
}

/** How a game ended: winners, scores, and where to go from here. It can be put aside. */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t, tt } from "../i18n.ts";
import { isOnDevice } from "../net/device-backend.ts";
import { api } from "../net/api.ts";
import { study } from "../net/study.ts";
import { announce } from "../state/voice.ts";
import { guarded } from "../shell/boundary.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { go } from "../shell/router.ts";
import { Told } from "../shell/told.tsx";
import type { Best } from "../state/bests.ts";
import { Replay } from "../state/replay.ts";
import { Reviewing } from "../state/review.ts";
import type { Session, TableProps } from "../state/session.ts";
import { keepToken, tokenOf } from "../state/storage.ts";
import { timeInFigures } from "../state/times.ts";
import { aside } from "./aside.ts";
import { GoodGame } from "./good-game.tsx";
import { Bubble } from "./presence.tsx";
import { ChallengeFriends } from "./challenge-friends.tsx";
import { Course } from "./course.tsx";
import { Icon } from "../ui/icon.tsx";
import { Level } from "./level.tsx";
import { celebrates, headline, reasonInWords, scoreInWords, scoreNumber } from "./outcome.ts";
import { bestInWords, ownBest, RaceTimes } from "./race-times.tsx";
import { ReviewPanel } from "./review.tsx";
import { ShareButton } from "./share.tsx";
import { useAsking } from "./refusal.ts";
import { about, sentences } from "../words.ts";

export const Result = guarded(Ending);

function Ending({ session }: TableProps) {
  const open = useSignal(false);
  const replay = useSignal<Replay | null>(null);
  const outcome = session.view.value!.outcome!;
  const names = session.table.value!.seats.map(({ name }) => name);

  useEffect(() => {
    const news = session.store.latest.peek();
    const events = news?.live ? news.entry.events : [];
    const isLive = events.some(({ event }) => event === "ended");
    const timer = setTimeout(() => (open.value = true), isLive ? session.game.value.pause(events) : 0);
    study.replay(session.id, tokenOf(session.id)).then(
      (told) => (replay.value = new Replay(told)),
      () => undefined, // Without it there is no curve; the result stands.
    );
    return () => clearTimeout(timer);
  }, [session]);

  // The dialog's title says who has won.
  useEffect(() => {
    if (open.value)
      announce(
        sentences([
          reasonInWords(outcome),
          ...outcome.scores.map((score, seat) => about(names[seat]!, scoreInWords(score, session.game.value.measure))),
        ]),
      );
  }, [open.value]);

  // Who is at the table goes to the rematch with the same token, whoever asked for it.
  const rematch = useComputed(() => session.table.value?.rematch ?? null);
  const met = useRef(rematch.peek());
  useSignalEffect(() => {
    const [id, token] = [rematch.value, tokenOf(session.id)];
    if (!id) return;
    if (token && session.yours.peek().length) keepToken(id, token, session.table.peek()!.game);
    announce(t("result_rematch_waits"));
    // A race begins in a moment for all who take part: whoever is still here comes along.
    if (session.game.peek().race && session.yours.peek().length && met.current === null) go(`/t/${id}`);
  });

  useSignalEffect(() => {
    const next = rematch.value;
    aside.value = open.value ? null : (
      <div class="turn-buttons result-aside">
        {next && (
          <a class="button primary" href={`/t/${next}`}>
            {t("result_rematch_join")}
          </a>
        )}
        <button type="button" class={next ? "" : "primary"} onClick={() => (open.value = true)}>
          <Icon name="star" /> {t("result_show")}
        </button>
      </div>
    );
  });
  useEffect(() => () => void (aside.value = null), []);

  if (!open.value) return null;
  return (
    <Dialog
      title={headline(outcome, names, session.yours.value)}
      kind="result"
      unasked
      onClose={() => (open.value = false)}
    >
      {celebrates(outcome, session.yours.value) && <Celebration />}
      <p class="note">{reasonInWords(outcome)}</p>
      {!session.can("verify") && !isOnDevice(session.id) && <p class="note">{t("here_note")}</p>}
      <Ranking session={session} />
      {replay.value && <BestTime session={session} replay={replay.value} />}
      {replay.value && <Praise session={session} replay={replay.value} />}
      <Actions session={session} onAside={() => (open.value = false)} />
      {replay.value?.runs() && <Times session={session} replay={replay.value} />}
      {replay.value?.eventful && session.can("review") && <AskCoach id={session.id} names={names} />}
      {replay.value?.eventful && (
        <Course replay={replay.value} titled link={(position) => `/replay/${session.id}#${position}`} />
      )}
    </Dialog>
  );
}

/** The review of the game, for whoever wants it: it takes the server some seconds. */
function AskCoach({ id, names }: { id: string; names: readonly string[] }) {
  const reviewing = useSignal<Reviewing | null>(null);
  const ask = () =>
    (reviewing.value = new Reviewing((language, signal) => study.review(id, tokenOf(id), language, signal)));
  if (!reviewing.value)
    return (
      <p>
        <button type="button" onClick={ask}>
          {t("review_ask")}
        </button>
      </p>
    );
  return (
    <>
      <h3>{t("review_title")}</h3>
      <ReviewPanel
        reviewing={reviewing.value}
        names={names}
        link={(turn) => `/replay/${id}#${reviewing.value!.review.value!.place(turn)}b`}
      />
    </>
  );
}

/** The best first; equal ones share a place. */
function Ranking({ session }: { session: Session }) {
  const table = session.table.value!;
  const { scores, winners } = session.view.value!.outcome!;
  const { measure } = session.game.value;
  const order = scores
    .map((score, seat) => ({ score, seat }))
    .sort((a, b) => +winners.includes(b.seat) - +winners.includes(a.seat) || b.score - a.score);
  return (
    <ol class="people ranking">
      {order.map(({ score, seat }) => (
        <li key={seat} class={`seat-${seat}${winners.includes(seat) ? " winner" : ""}`}>
          <span class="token" aria-hidden="true">
            {seat + 1}
          </span>
          <span class="name grow">
            {table.seats[seat]!.name}
            {session.yours.value.includes(seat) && <small> {t("you")}</small>}
            {table.seats[seat]!.program && (
              <small>
                {" "}
                <Level program={table.seats[seat]!.program!} />
              </small>
            )}
            {table.seats[seat]!.hints > 0 && (
              <small> · {t("problem_with_hints", { count: table.seats[seat]!.hints })}</small>
            )}
          </span>
          {winners.includes(seat) && (
            <span class="large good" role="img" aria-label={t("result_winner")}>
              <Icon name="star" />
            </span>
          )}
          <b class="score" role="img" aria-label={scoreInWords(score, measure)}>
            {scoreNumber(score, measure)}
          </b>
          <small class="score-unit" aria-hidden="true">
            {tt(`unit_${measure}`, { count: Math.abs(score) })}
          </small>
          <Bubble session={session} seat={seat} />
        </li>
      ))}
    </ol>
  );
}

/** In a race, one's own best run on this course; kept once, however often it is asked for. */
function useOwnBest(session: Session, replay: Replay): { seat: number; best: Best; isNew: boolean } | null {
  const [seat, ...others] = session.yours.value;
  const best = useMemo(
    () => (seat === undefined || others.length ? null : ownBest(replay, seat, session.id)),
    [replay],
  );
  return best && { seat: seat!, best, isNew: best.table === session.id };
}

function BestTime({ session, replay }: { session: Session; replay: Replay }) {
  const own = useOwnBest(session, replay);
  const text = own && bestInWords(own.best, own.isNew, !!replay.document.hints?.[own.seat]);
  useEffect(() => {
    if (own?.isNew) announce(text!);
  }, [text]);
  if (!own) return null;
  const {
    isNew,
    best: { before },
  } = own;
  return (
    <p class={isNew ? "own-best new" : "own-best"}>
      {isNew ? <strong>{text}</strong> : text}
      {isNew && before && <span> {t("best_before", { time: timeInFigures(before.time) })}</span>}
    </p>
  );
}

/** Everybody's times, and one's own beside the best run before. */
function Times({ session, replay }: { session: Session; replay: Replay }) {
  const own = useOwnBest(session, replay);
  return (
    <>
      <h3>{t("race_times")}</h3>
      <RaceTimes
        replay={replay}
        own={own?.seat}
        beside={(own?.isNew ? own.best.before : own?.best)?.splits}
        link={(position) => `/replay/${session.id}#${position}`}
      />
    </>
  );
}

/** The best turn of whoever played here; praise for whoever has won. */
function Praise({ session, replay }: { session: Session; replay: Replay }) {
  const yours = session.yours.value;
  const seat = yours.length === 1 ? yours[0]! : null;
  if (seat === null) return null;
  const { turns, perfect, finest } = replay.player(seat);
  const won = replay.document.outcome?.winners.includes(seat);
  const played = replay.moments.some(({ move }) => move?.player === seat && move.move === "lay");
  if (!played) return null;
  return (
    <p class="praise">
      {won && <span>{t("praise_played")} </span>}
      {finest && <a href={`/replay/${session.id}#${finest.last}`}>{t("praise_finest", { count: finest.points })}</a>}
      {won && perfect > 0 && <span> {t("praise_perfect", { count: perfect, turns })}</span>}
    </p>
  );
}

function Actions({ session, onAside }: { session: Session; onAside(): void }) {
  const { busy, trouble, ask } = useAsking();
  const table = session.table.value!;
  const token = tokenOf(session.id);
  const plays = session.yours.value.length > 0 && token !== null;
  const again = () =>
    ask(async () => {
      const { id } = await api.rematch(session.id, token!);
      keepToken(id, token!, table.game);
      go(`/t/${id}`);
    });
  const names = table.seats.map(({ name }) => name);
  return (
    <div class="buttons result-actions">
      {table.rematch ? (
        <a class="button primary big full" href={`/t/${table.rematch}`}>
          {t("result_rematch_join")}
        </a>
      ) : (
        plays && (
          <button type="button" class="primary big full" disabled={busy.value} onClick={() => void again()}>
            {t("result_rematch")}
          </button>
        )
      )}
      <a class="button" href={`/replay/${session.id}`}>
        <Icon name="play" /> {t("result_replay")}
      </a>
      <GoodGame session={session} />
      <ChallengeFriends session={session} />
      {session.can("share") && (
        <ShareButton
          url={() => `${location.origin}/replay/${session.id}`}
          label={t("share")}
          title={`Dalapapa: ${headline(session.view.value!.outcome!, names)}`}
        />
      )}
      <button type="button" onClick={onAside}>
        {t("result_aside")}
      </button>
      <a class="button" href="/">
        {t("home")}
      </a>
      {trouble.value && (
        <Told class="notice full" manner="urgent">
          {trouble.value}
        </Told>
      )}
    </div>
  );
}

/** Discs that rain down; still where people want no motion. */
function Celebration() {
  return (
    <svg class="celebration" aria-hidden="true">
      {Array.from({ length: 24 }, (_, i) => (
        <circle
          key={i}
          class={"RYGB"[i % 4]}
          cx={`${2 + i * 4.15}%`}
          cy={8 + ((i * 17) % 26)}
          r={3 + (i % 4)}
          style={{ animationDelay: `${((i * 7) % 11) * 60}ms` }}
        />
      ))}
    </svg>
  );
}

/** How a game ended: winners, scores, and where to go from here. It can be closed. */
import { linkTo } from "../base.ts";
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatSigned, t, tt, withColon } from "../i18n.ts";
import { api } from "../net/api.ts";
import type { Outcome } from "../net/protocol.ts";
import { study } from "../net/study.ts";
import { announce } from "../state/voice.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { go } from "../shell/router.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { Best } from "../state/bests.ts";
import { Replay } from "../state/replay.ts";
import { Reviewing } from "../state/review.ts";
import { splitScore } from "../state/score-parts.ts";
import type { Session, TableProps } from "../state/session.ts";
import { keepToken, tokenOf } from "../state/storage.ts";
import { timeInFigures } from "../state/times.ts";
import { GoodGame } from "./good-game.tsx";
import { GreetingBubble } from "./presence.tsx";
import { useClearTable } from "./clear-table.ts";
import { ChallengeFriends } from "./challenge-friends.tsx";
import { CourseCharts } from "./course.tsx";
import { Icon } from "../ui/icon.tsx";
import { Fill } from "../ui/slot.tsx";
import { useTableParts } from "../ui/table-parts.ts";
import { Level } from "./level.tsx";
import { celebrates, headline, reasonInWords, scoreInWords, scoreNumber, staying } from "./outcome.ts";
import { bestInWords, ownBest, RaceTimes } from "./race-times.tsx";
import { ReviewPanel } from "./review.tsx";
import { ShareButton } from "./share.tsx";
import { useAsking } from "./refusal.ts";
import { attribute, sentences } from "../words.ts";
import { outcomeOfTable, seatOf, tableOf } from "./known-table.ts";
import { requireValue } from "../values.ts";
import { Commit } from "../shell/commit.tsx";

export const GameResult = withBoundary(Ending);

function Ending({ session }: TableProps) {
  const open = useSignal(false);
  const replay = useSignal<Replay | null>(null);
  const outcome = outcomeOfTable(session);
  const { seats } = tableOf(session);
  const names = seats.map(({ name }) => name);
  const own = staying(session.yours.value, seats);

  useEffect(() => {
    const news = session.store.latest.peek();
    const events = news?.live ? news.entry.events : [];
    const isLive = events.some(({ event }) => event === "ended");
    const timer = setTimeout(() => (open.value = true), isLive ? session.game.value.pause(events) : 0);
    study.replay(session.id, tokenOf(session.id)).then(
      (document) => (replay.value = new Replay(document)),
      () => undefined, // The result is shown without a curve.
    );
    return () => clearTimeout(timer);
  }, [session]);

  // The dialog's title says who has won.
  useEffect(() => {
    if (open.value)
      announce(
        sentences([
          reasonInWords(outcome),
          ...outcome.scores.map((score, seat) =>
            attribute(names[seat] ?? "", scoreInWords(score, session.game.value.measure)),
          ),
        ]),
      );
  }, [open.value]);

  // All who sit at the table go to the rematch with the same token.
  const rematch = useComputed(() => session.table.value?.rematch ?? null);
  const met = useRef(rematch.peek());
  useSignalEffect(() => {
    const [id, token] = [rematch.value, tokenOf(session.id)];
    if (!id) return;
    if (token && session.yours.peek().length)
      keepToken(id, token, requireValue(session.table.peek(), "the table").game);
    announce(t("result_rematch_waits"));
    // A race begins in a moment for all who take part: players who are still here come along.
    if (session.game.peek().race && session.yours.peek().length && met.current === null) go(`/t/${id}`);
  });

  const { resultButtons } = useTableParts();
  const next = rematch.value;
  if (!open.value)
    return (
      <Fill slot={resultButtons}>
        {next && (
          <a class="button primary" href={`/t/${next}`}>
            {t("result_rematch_join")}
          </a>
        )}
        <button type="button" class={next ? "" : "primary"} onClick={() => (open.value = true)}>
          <Icon name="star" /> {t("result_show")}
        </button>
      </Fill>
    );
  return (
    <Dialog title={headline(outcome, names, own)} kind="result" unasked onClose={() => (open.value = false)}>
      {own.length === session.yours.value.length && celebrates(outcome, own) && <Celebration />}
      <Reason outcome={outcome} />
      {session.can("share") && !session.can("verify") && <p class="note">{t("moved_note")}</p>}
      <Ranking session={session} replay={replay.value} />
      {replay.value && <BestTime session={session} replay={replay.value} />}
      {replay.value && <Praise session={session} replay={replay.value} />}
      <Actions session={session} replay={replay.value} onClose={() => (open.value = false)} />
      {replay.value?.runs() && <Times session={session} replay={replay.value} />}
      {replay.value?.eventful && session.can("review") && <AskCoach id={session.id} names={names} />}
      {replay.value?.eventful && (
        <CourseCharts replay={replay.value} titled link={(position) => `/replay/${session.id}#${position}`} />
      )}
    </Dialog>
  );
}

/** Why it is over; from here, the dialog is found that the table has to keep clear of. */
function Reason({ outcome }: { outcome: Outcome }) {
  const reason = useRef<HTMLParagraphElement>(null);
  useClearTable(reason);
  return (
    <p class="note" ref={reason}>
      {reasonInWords(outcome)}
    </p>
  );
}

/** The review of the game, on request: it takes the server some seconds. */
function AskCoach({ id, names }: { id: string; names: readonly string[] }) {
  const reviewing = useSignal<Reviewing | null>(null);
  const ask = () =>
    (reviewing.value = new Reviewing((language, signal) => study.review(id, tokenOf(id), language, signal)));
  const review = reviewing.value?.review;
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
        link={(turn) => `/replay/${id}#${review?.value?.place(turn)}b`}
      />
    </>
  );
}

/** The best first; equal ones share a place. */
function Ranking({ session, replay }: { session: Session; replay: Replay | null }) {
  const { scores, winners } = outcomeOfTable(session);
  const { measure } = session.game.value;
  const order = scores
    .map((score, seat) => ({ ...seatOf(session, seat), score, seat }))
    .sort((a, b) => +winners.includes(b.seat) - +winners.includes(a.seat) || b.score - a.score);
  return (
    <ol class="people ranking">
      {order.map(({ score, seat, name, program, hints }) => (
        <li key={seat} class={`seat-${seat}${winners.includes(seat) ? " winner" : ""}`}>
          <span class="token" aria-hidden="true">
            {seat + 1}
          </span>
          <span class="name grow">
            {name}
            {session.yours.value.includes(seat) && <small> {t("you")}</small>}
            {program && (
              <small>
                {" "}
                <Level program={program} />
              </small>
            )}
            {replay && <StandIn replay={replay} seat={seat} />}
            {hints > 0 && <small> · {t("problem_with_hints", { count: hints })}</small>}
            {measure === "points" && <ScoreParts session={session} seat={seat} score={score} />}
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
          <GreetingBubble session={session} seat={seat} />
        </li>
      ))}
    </ol>
  );
}

/** Where a player's points come from. */
function ScoreParts({ session, seat, score }: { session: Session; seat: number; score: number }) {
  const parts = splitScore(session.store.log.value, session.game.value, seat, score);
  if (!parts.length) return null;
  return (
    <small class="score-parts">
      {parts.map(({ kind, points }) => tt(`parts_${kind}`, { points: formatSigned(points) })).join(" · ")}
    </small>
  );
}

/** How many turns of a person a bot has played. */
function StandIn({ replay, seat }: { replay: Replay; seat: number }) {
  const found = replay.standIn(seat);
  if (!found) return null;
  return <small> · {found.all ? t("stand_in_turns", found) : t("stand_in_some")}</small>;
}

/** The player's best run on this course of a race. A run is stored once, even if several parts ask for it. */
function useOwnBest(session: Session, replay: Replay): { seat: number; best: Best; isNew: boolean } | null {
  const [seat, ...others] = session.yours.value;
  const best = useMemo(
    () => (seat === undefined || others.length || replay.standIn(seat) ? null : ownBest(replay, seat, session.id)),
    [replay],
  );
  return best && seat !== undefined ? { seat, best, isNew: best.table === session.id } : null;
}

function BestTime({ session, replay }: { session: Session; replay: Replay }) {
  const own = useOwnBest(session, replay);
  const text = own && bestInWords(own.best, own.isNew, !!replay.document.hints?.[own.seat]);
  useEffect(() => {
    if (own?.isNew && text) announce(text);
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

/** The times of all players, with the player's best run before for comparison. */
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

/** The best turn of the players at this screen, and praise for the winner. */
function Praise({ session, replay }: { session: Session; replay: Replay }) {
  const [seat, ...others] = session.yours.value;
  if (seat === undefined || others.length) return null;
  const { turns, perfect, finest } = replay.player(seat);
  const won = replay.document.outcome?.winners.includes(seat) && !replay.standIn(seat);
  const played = replay.moments.some(
    ({ move, cause = "player" }) => move?.player === seat && move.move === "lay" && cause === "player",
  );
  if (!played) return null;
  return (
    <p class="praise">
      {won && <span>{t("praise_played")} </span>}
      {finest && <a href={`/replay/${session.id}#${finest.last}`}>{t("praise_finest", { count: finest.points })}</a>}
      {won && perfect > 0 && <span> {t("praise_perfect", { count: perfect, turns })}</span>}
    </p>
  );
}

interface ActionsProps {
  session: Session;
  replay: Replay | null;
  onClose(): void;
}

function Actions({ session, replay, onClose }: ActionsProps) {
  const { busy, trouble, ask } = useAsking();
  const table = tableOf(session);
  const token = tokenOf(session.id);
  const plays = session.yours.value.length > 0;
  const again = (token: string) =>
    ask(async () => {
      const { id } = await api.rematch(session.id, token);
      keepToken(id, token, table.game);
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
        plays
        && token !== null && (
          <Commit does="rematch" class="primary big full" disabled={busy.value} onCommit={() => void again(token)}>
            {t("result_rematch")}
          </Commit>
        )
      )}
      <a class="button" href={`/replay/${session.id}`}>
        <Icon name="play" /> {t("result_replay")}
      </a>
      <GoodGame session={session} />
      {!session.yours.value.some((seat) => replay?.standIn(seat)) && <ChallengeFriends session={session} />}
      {session.can("share") && (
        <ShareButton
          url={() => linkTo(`/replay/${session.id}`)}
          label={t("share")}
          title={withColon("Dalapapa", headline(outcomeOfTable(session), names))}
        />
      )}
      <button type="button" onClick={onClose}>
        {t("result_aside")}
      </button>
      <a class="button" href="/">
        {t("home")}
      </a>
      {trouble.value && (
        <AnnouncedText class="notice full" manner="urgent">
          {trouble.value}
        </AnnouncedText>
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

/** A game that is over, step by step: `/replay/ID#17`; without an id an example, one's own games, or a record from disk. */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { bounds, parseLaying } from "../geometry.ts";
import { Camera } from "../board/camera.ts";
import { t, tt } from "../i18n.ts";
import type { Scored } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import { isOffline } from "../net/server-backend.ts";
import { type ReviewTurn, study } from "../net/study.ts";
import { partsOf } from "../panels/best-turn.tsx";
import { CourseCharts } from "../panels/course.tsx";
import { FinishedGames, useFinished } from "../panels/finished-games.tsx";
import { headline, reasonInWords } from "../panels/outcome.ts";
import { momentInWords, ReplayLog, ReplayPlayers } from "../panels/replay-side.tsx";
import { ReplayStage, type ShownTurn } from "../panels/replay-stage.tsx";
import { RaceTimes } from "../panels/race-times.tsx";
import { ReviewPanel } from "../panels/review.tsx";
import { ShareButton } from "../panels/share.tsx";
import { momentHash, solverHash } from "../panels/study-link.ts";
import type { PageProps } from "../shell/app.tsx";
import { isMeantElsewhere } from "../shell/elsewhere.ts";
import { address, go } from "../shell/router.ts";
import { useGame, useKeydown, useTitle } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { gameName } from "../state/catalogue.ts";
import EXAMPLE from "../state/example-game.json";
import type { Finished } from "../state/finished.ts";
import { positionLink } from "../state/prints.ts";
import { Replay, type TurnSummary } from "../state/replay.ts";
import { type Review, Reviewing } from "../state/review.ts";
import { timeInFigures } from "../state/times.ts";
import { recallHere, rememberHere, tokenOf } from "../state/storage.ts";
import { inARow, type TurnLine } from "../state/turn-lines.ts";
import { InWords, type Lying } from "../tables/in-words.tsx";
import { wordsOpen } from "../tables/keys.ts";
import { refusalText, useAsking } from "../panels/refusal.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Room } from "../ui/room.tsx";

/** The record that was opened last, so that a reload shows it again. */
const RECORD_KEY = "record";
/** Milliseconds between two moves while it plays. */
const STEP_INTERVAL_MS = 900;
/** Refusals that say nothing about a record. */
const GENERAL_REFUSALS = ["offline", "too_fast", "too_many", "too_long", "busy", "other_set", "damaged_table"];

/** What is looked at: a game of this server, a record from disk, or the example. */
interface Opened {
  replay: Replay;
  record: unknown;
  example: boolean;
}

export default function ReplayPage({ argument }: PageProps) {
  useTitle(t("replay_title"));
  const opened = useSignal<Opened | null>(null);
  const refusal = useSignal<Refused | null>(null);
  const games = useFinished();
  const over = useDropped(argument ? null : (file) => void read(file));

  const open = async (text: string) => {
    refusal.value = null;
    try {
      const record: unknown = JSON.parse(text);
      opened.value = { record, replay: new Replay(await study.verify(record)), example: false };
      rememberHere(RECORD_KEY, text);
    } catch (error) {
      refusal.value = error instanceof Refused ? error : new Refused("no_record", "");
    }
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    go("/replay", { replace: true }); // What is opened is seen from its beginning.
    await open(await file.text());
  };
  const showExample = () =>
    study.verify(EXAMPLE).then(
      (told) => (opened.value ??= { record: EXAMPLE, replay: new Replay(told), example: true }),
      (error: Refused) => (refusal.value ??= error),
    );
  const close = () => {
    rememberHere(RECORD_KEY, null);
    go("/replay", { replace: true });
    opened.value = null;
    void showExample();
  };
  useEffect(() => {
    if (argument) {
      study.replay(argument, tokenOf(argument)).then(
        (told) => (opened.value = { replay: new Replay(told), record: null, example: false }),
        (error: Refused) => (refusal.value = error),
      );
      return;
    }
    const kept = recallHere(RECORD_KEY);
    if (kept && address.value.hash) void open(kept);
    else void showExample();
  }, [argument, refusal.value?.code === "offline" && !isOffline.value]); // Again, when the server is back.

  const { value } = opened;
  const begin = (
    <>
      <h1 class="large">{t("replay_title")}</h1>
      {refusal.value && <Refusal refusal={refusal.value} id={argument} />}
      <OwnGames games={games.value} />
      {!argument && <OpenRecord over={over.value} onFile={(file) => void read(file)} />}
    </>
  );
  if (value) {
    return (
      <Viewer
        key={`${argument} ${value.example}`}
        {...value}
        id={argument || null}
        begin={value.example && begin}
        onClose={close}
      />
    );
  }
  if (argument)
    return refusal.value ? (
      <section class="page narrow">{begin}</section>
    ) : (
      <AnnouncedText manner="status" class="page narrow">
        {t("replay_loading")}
      </AnnouncedText>
    );
  return (
    <Room
      kind="study replay"
      of={{ board: { class: "cloth replay-stage" }, side: { class: "replay-side" } }}
      board={
        !refusal.value && (
          <AnnouncedText manner="status" class="toast">
            {t("replay_loading")}
          </AnnouncedText>
        )
      }
      side={begin}
    />
  );
}

/** A file that is dropped anywhere on the page; whether one is held over it. */
function useDropped(onFile: ((file: File | undefined) => void) | null): Signal<boolean> {
  const over = useSignal(false);
  useEffect(() => {
    if (!onFile) return undefined;
    const hold = (event: DragEvent) => {
      event.preventDefault();
      over.value = event.type === "dragover";
      if (event.type === "drop") onFile(event.dataTransfer?.files[0]);
    };
    const kinds = ["dragover", "dragleave", "drop"] as const;
    for (const kind of kinds) addEventListener(kind, hold);
    return () => {
      for (const kind of kinds) removeEventListener(kind, hold);
    };
  }, [!onFile]);
  return over;
}

/** Why there is nothing to see. */
function Refusal({ refusal, id }: { refusal: Refused; id: string }) {
  const known = GENERAL_REFUSALS.includes(refusal.code);
  return (
    <AnnouncedText class="trouble" manner="urgent">
      {refusal.code === "not_over"
        ? t("replay_not_over")
        : refusal.code === "unknown_table"
          ? t("no_table_title")
          : known
            ? refusalText(refusal.code, refusal.message)
            : t("replay_no_record")}
      {refusal.code === "not_over" && (
        <>
          {" "}
          <a href={`/t/${id}`}>{t("replay_to_table")}</a>
        </>
      )}
      {id && (
        <>
          {" "}
          <a href="/">{t("home")}</a>
        </>
      )}
      {/* What exactly is wrong with a record, its author wants to know in full. */}
      {!id && !known && refusal.message && (
        <>
          <br />
          <small lang="en">{refusal.message}</small>
        </>
      )}
    </AnnouncedText>
  );
}

/** One's own games, or where they will be. */
function OwnGames({ games }: { games: readonly Finished[] | null }) {
  if (!games) return null;
  if (!games.length) return <p class="soft">{t("finished_none")}</p>;
  return (
    <section class="stack" aria-labelledby="finished">
      <h2 id="finished">{t("finished_title")}</h2>
      <FinishedGames games={games} href={({ id }) => `/replay/${id}`} />
    </section>
  );
}

function OpenRecord({ over, onFile }: { over: boolean; onFile(file: File | undefined): void }) {
  return (
    <p class={over ? "row open-record over" : "row open-record"}>
      <label class="button">
        {t("replay_open")}
        <input
          class="hidden"
          type="file"
          accept=".json,application/json"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      </label>
      <small>{t("replay_open_text")}</small>
    </p>
  );
}

/** `#17` is a position; `#17b` is what would have been better there. */
const WANTS_BEST = /^#\d{1,6}b$/;

/** An example begins where the fullest turn is about to be played: there is something to see, and to guess. */
function exampleStart(replay: Replay): number {
  const late = replay.turns.filter(({ first }) => first > replay.last / 3);
  return late.reduce((best, turn) => (turn.points > best.points ? turn : best), late[0]!).first;
}

function positionFrom(hash: string, last: number): number {
  const wanted = /^#(\d{1,6})b?$/.exec(hash)?.[1];
  return wanted === undefined ? 0 : Math.min(last, Number(wanted));
}

interface ViewerProps extends Opened {
  id: string | null;
  /** What stands before the example. */
  begin: ComponentChildren;
  onClose(): void;
}

function Viewer({ replay, id, record, example, begin, onClose }: ViewerProps) {
  useGame(replay.document.game);
  const camera = useMemo(() => new Camera(), [replay]);
  const position = useSignal(
    example && !address.peek().hash ? exampleStart(replay) : positionFrom(address.peek().hash, replay.last),
  );
  const playing = useSignal(false);
  const shown = useSignal<ShownTurn | null>(null);
  /** The turn that the log points at. */
  const pointed = useSignal<TurnLine | null>(null);
  const { trouble: notice, ask } = useAsking();
  const stage = useRef<HTMLDivElement>(null);
  /** The coach takes seconds of the server's time: not for an example that nobody wants to know so well. */
  const asked = useSignal(!example);
  const base = id ? `/replay/${id}` : "/replay";
  const reviewing = useMemo(
    () =>
      new Reviewing((language, signal) =>
        id ? study.review(id, tokenOf(id), language, signal) : study.reviewRecord(record, language, signal),
      ),
    [replay],
  );

  const show = (wanted: number) => {
    position.value = Math.min(replay.last, Math.max(0, wanted));
    [shown.value, notice.value] = [null, ""];
  };
  const stop = (wanted: number) => {
    playing.value = false;
    show(wanted);
  };

  // The address follows, but not faster than browsers like.
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(null, "", `${base}#${position.value}`), 250);
    return () => clearTimeout(timer);
  }, [position.value]);
  const { hash } = address.value;
  const first = useRef(true);
  useEffect(() => {
    if (!first.current && hash) stop(positionFrom(hash, replay.last));
    first.current = false;
  }, [hash]);

  useEffect(() => {
    if (!playing.value) return undefined;
    const timer = setInterval(() => {
      if (position.value >= replay.last) playing.value = false;
      else show(position.value + 1);
    }, STEP_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [playing.value]);

  const play = () => {
    if (!playing.value && position.value >= replay.last) show(0);
    playing.value = !playing.value;
  };
  const best = () =>
    ask(async () => {
      playing.value = false;
      const found = await findBest(replay, reviewing.review.value, position.value);
      if (!found) {
        notice.value = t("replay_no_best");
        return;
      }
      if (found.position !== position.value) show(found.position);
      shown.value = found.shown;
      const { layings, played = [] } = found.shown;
      const box = bounds([...replay.layings(found.position), ...[...layings, ...played].map(parseLaying)]);
      if (!camera.sees(box)) camera.fly(camera.fitted(box, 1.6));
    });
  const better = (turn: ReviewTurn) => {
    stage.current?.scrollIntoView({ block: "start" }); // On a phone the cards lie below it.
    stop(reviewing.review.value!.place(turn));
    if (turn.better) void best();
    else shown.value = { layings: [], played: turn.layings, seat: turn.player ?? undefined, text: turn.why };
  };
  // Whoever comes by a link to a missed chance sees it as soon as the coach has told of it.
  const wanted = useRef(WANTS_BEST.test(address.peek().hash));
  const told = reviewing.review.value;
  useEffect(() => {
    const turn = wanted.current && told?.missed.find((one) => told.place(one) === position.value);
    if (told) wanted.current = false;
    if (turn) better(turn);
  }, [told]);
  const complete = (seat: number) =>
    ask(async () => {
      playing.value = false;
      notice.value = t("solver_searching");
      shown.value = await completed(replay, position.value, seat);
      notice.value = "";
    });
  useKeys({ stop, play, best: () => void best(), replay, position });

  const at = position.value;
  // The move that led here belongs to the turn of the position before.
  const turn = at ? replay.turnAt(at - 1) : null;
  const words = momentInWords(replay, at);
  const { outcome } = replay.at(at).view;
  const races = replay.game.race !== null;
  return (
    <Room
      kind="study replay"
      of={{
        board: { class: "cloth replay-stage", ref: stage },
        side: { class: "replay-side" },
        tray: { class: "replay-controls" },
      }}
      board={<ReplayStage replay={replay} position={at} shown={shown.value} pointed={pointed.value} camera={camera} />}
      side={
        <>
          {begin}
          {example ? (
            <h2>{t("study_example", { game: gameName(replay.document.game) })}</h2>
          ) : (
            <h1 class="large">{t("replay_of", { game: gameName(replay.document.game) })}</h1>
          )}
          <ReplayPlayers replay={replay} position={at} />
          {races && !outcome && (
            <div class="buttons small replay-tools">
              {replay.names.map((name, seat) => (
                <button key={seat} type="button" onClick={() => void complete(seat)}>
                  {t("replay_complete", { name })}
                </button>
              ))}
            </div>
          )}
          <ReplayLog replay={replay} position={at} onPick={stop} onPoint={(line) => (pointed.value = line)} />
          {replay.runs() && (
            <details open>
              <summary class="strong">{t("race_times")}</summary>
              <RaceTimes replay={replay} onPick={stop} />
            </details>
          )}
          <details open={asked.value} onToggle={(event) => (asked.value ||= event.currentTarget.open)}>
            <summary class="strong">{t("review_title")}</summary>
            {asked.value && (
              <ReviewPanel reviewing={reviewing} names={replay.names} at={at} onPick={stop} onShow={better} />
            )}
          </details>
          <details open>
            <summary class="strong">{tt(`measure_${replay.game.measure}`)}</summary>
            <CourseCharts replay={replay} review={told} at={at} onPick={stop} />
          </details>
          <Tools replay={replay} id={id} record={record} at={at} base={base} onClose={example ? null : onClose} />
        </>
      }
      tray={
        <>
          <AnnouncedText later manner="chosen" class="row apart replay-now">
            {shown.value ? (
              <strong>{shown.value.text}</strong>
            ) : notice.value ? (
              <span>{notice.value}</span>
            ) : outcome ? (
              <strong>
                {headline(outcome, replay.names)} <small>{reasonInWords(outcome)}</small>
              </strong>
            ) : (
              <span>{inARow(words) || (at === 0 ? t("replay_beginning") : "–")}</span>
            )}
            {replay.timeAt(at) !== null && <time class="clock">{timeInFigures(replay.timeAt(at)!)}</time>}
            {shown.value?.layings.length && shown.value.played?.length ? <small>{t("review_beside")}</small> : null}
            {turn && !shown.value && (
              <small>
                {t(replay.game.inRounds ? "replay_round" : "replay_turn", {
                  number: turn.number,
                  points: turn.points,
                  best: turn.best?.points ?? 0,
                })}
              </small>
            )}
          </AnnouncedText>
          <label class="row tied">
            <span class="hidden">{t("replay_position")}</span>
            <input
              class="grow"
              type="range"
              min={0}
              max={replay.last}
              value={at}
              aria-valuetext={t("replay_of_moves", { number: at, count: replay.last })}
              onInput={(event) => stop(Number(event.currentTarget.value))}
            />
            <span class="soft">
              {at}/{replay.last}
            </span>
          </label>
          <div class="buttons centred replay-buttons">
            <Control sign="first" label={t("replay_first")} keys="Home" disabled={at === 0} onClick={() => stop(0)} />
            <Control
              sign="turnBack"
              label={t("replay_turn_back")}
              keys="Page Up"
              disabled={at === 0}
              onClick={() => stop(replay.turnFrom(at, -1))}
            />
            <Control sign="back" label={t("replay_back")} keys="←" disabled={at === 0} onClick={() => stop(at - 1)} />
            <Control
              sign={playing.value ? "pause" : "play"}
              label={playing.value ? t("replay_pause") : t("replay_play")}
              keys="Space"
              kind="primary"
              onClick={play}
            />
            <Control
              sign="forward"
              label={t("replay_forward")}
              keys="→"
              disabled={at === replay.last}
              onClick={() => stop(at + 1)}
            />
            <Control
              sign="turnForward"
              label={t("replay_turn_forward")}
              keys="Page Down"
              disabled={at === replay.last}
              onClick={() => stop(replay.turnFrom(at, 1))}
            />
            <Control
              sign="last"
              label={t("replay_last")}
              keys="End"
              disabled={at === replay.last}
              onClick={() => stop(replay.last)}
            />
            {!races && (
              <button
                type="button"
                class="at-end replay-best"
                aria-pressed={shown.value !== null}
                onClick={() => (shown.value ? (shown.value = null) : void best())}
              >
                {t("replay_best")} <kbd>B</kbd>
              </button>
            )}
          </div>
        </>
      }
    >
      {!races && <InWords lying={lyingAt(replay, at)} />}
    </Room>
  );
}

function lyingAt(replay: Replay, at: number): Lying {
  const { game, names } = replay;
  const layings = replay.layings(at);
  return {
    set: replay.set(),
    layings,
    frame: null,
    words: game.words,
    fresh: layings.slice(-1),
    marks: game.marks(replay.view(at)),
    names,
  };
}

function Control({
  sign,
  label,
  keys,
  kind = "",
  disabled,
  onClick,
}: {
  sign: IconName;
  label: string;
  keys: string;
  kind?: string;
  disabled?: boolean;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      class={`tool ${kind}`}
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={sign} />
    </button>
  );
}

/** Links away from a position, and the record. */
function Tools({
  replay,
  id,
  record,
  at,
  base,
  onClose,
}: {
  replay: Replay;
  id: string | null;
  record: unknown;
  at: number;
  base: string;
  onClose: (() => void) | null;
}) {
  const view = replay.view(at);
  const race = replay.raceView(at);
  const download = async () => {
    const text = JSON.stringify(record ?? (await study.record(id!, tokenOf(id!))), null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `dalapapa-${replay.document.game}-${id ?? "record"}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return (
    <div class="buttons small replay-tools">
      {id && (
        <ShareButton url={() => `${location.origin}${base}#${at}`} label={t("replay_link")} title={t("replay_title")} />
      )}
      {view.table !== undefined && replay.setName && (
        <a class="button" href={`/analysis${momentHash(replay, at)}`}>
          {t("replay_analysis")}
        </a>
      )}
      {view.table && replay.setName && (
        <a class="button" href={positionLink(view.table)}>
          {t("solver_print")}
        </a>
      )}
      {race?.frames.map((frame, seat) => (
        <a
          key={seat}
          class="button"
          href={`/solver${solverHash({ ...replay.frame(at, seat), pile: replay.game.race!.pile?.(race, seat), position: frame.join(" ") })}`}
        >
          {t("replay_solver", { name: replay.names[seat]! })}
        </a>
      ))}
      {!race && (
        <button type="button" onClick={() => (wordsOpen.value = true)}>
          {t("key_words")} <kbd>W</kbd>
        </button>
      )}
      <button type="button" onClick={() => void download()}>
        {t("replay_download")}
      </button>
      {id ? (
        <a class="button" href="/replay">
          {t("replay_others")}
        </a>
      ) : (
        onClose && (
          <button type="button" onClick={onClose}>
            {t("replay_others")}
          </button>
        )
      )}
    </div>
  );
}

/** What would have been better at a position, or the best turn there; of a turn under way, where it began. */
async function findBest(
  replay: Replay,
  review: Review | null,
  position: number,
): Promise<{ position: number; shown: ShownTurn } | null> {
  const turn = replay.turnAt(position);
  if (!turn?.best) return null;
  const reviewed = review?.turnFrom(turn.first);
  const { layings } = reviewed?.better ?? turn.best;
  const table = replay.at(turn.first).view.table ?? "";
  const parts = replay.setName ? await partsOf(table, layings, replay.setName) : undefined;
  const text = (reviewed?.better && reviewed.why) || bestInWords(replay, turn, parts);
  const played = turn.layings.filter((laying) => !layings.includes(laying));
  return {
    position: turn.first,
    shown: { layings, text, parts: replay.game.unit === "points" ? parts : undefined, played },
  };
}

function bestInWords(replay: Replay, turn: TurnSummary, parts: Scored[] | undefined): string {
  const { points } = turn.best!;
  if (replay.game.unit === "discs") return t("replay_most_discs", { count: points });
  if (replay.game.unit === "cells") return t("replay_most_cells", { count: points, discs: parts?.[0]?.contacts ?? 0 });
  const told = { count: points, played: turn.points };
  // Rounds are for all; elsewhere a turn has its player, who may have bought it.
  return replay.game.inRounds || turn.player === null
    ? t("replay_best_is", told)
    : t("replay_best_of", { name: replay.names[turn.player]!, ...told });
}

/** How a frame could have been completed from here. */
async function completed(replay: Replay, position: number, seat: number): Promise<ShownTurn> {
  const view = replay.raceView(position)!;
  const found = await study.solve({
    ...replay.frame(position, seat),
    tiles: replay.game.race!.stock(view, seat, replay.set()),
    position: view.frames[seat]!.join(" "),
    faces: "both",
    count: 1,
    seed: "0",
    set: replay.setName ?? "120",
  });
  const [layings] = found.solutions;
  if (layings) return { layings, seat, text: t("replay_completed") };
  return { layings: [], seat, text: found.complete ? t("replay_not_completed") : t("solver_gave_up_short") };
}

function useKeys({
  stop,
  play,
  best,
  replay,
  position,
}: {
  stop(position: number): void;
  play(): void;
  best(): void;
  replay: Replay;
  position: { value: number };
}): void {
  useKeydown((event) => {
    if (isMeantElsewhere(event)) return;
    const [{ key }, at] = [event, position.value];
    if (key === "ArrowLeft") stop(event.shiftKey ? replay.turnFrom(at, -1) : at - 1);
    else if (key === "ArrowRight") stop(event.shiftKey ? replay.turnFrom(at, 1) : at + 1);
    else if (key === "PageUp") stop(replay.turnFrom(at, -1));
    else if (key === "PageDown") stop(replay.turnFrom(at, 1));
    else if (key === "Home") stop(0);
    else if (key === "End") stop(replay.last);
    else if (key === " " && !(event.target as Element).closest("button, a")) play();
    else if (/^b$/i.test(key)) best();
    else if (/^w$/i.test(key) && !replay.game.race) wordsOpen.value = true;
    else return;
    event.preventDefault();
  });
}

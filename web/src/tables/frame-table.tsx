/** The table of the races: one's own frame, what to fill it with, and how far the others are. */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Board } from "../board/board.tsx";
import { Camera } from "../board/camera.ts";
import type { TileSet } from "../data.ts";
import type { RaceView } from "../net/protocol.ts";
import { type Cell, cellsOf, key, type Laying, parseLaying, sameLaying, type Side } from "../geometry.ts";
import { joinList, t } from "../i18n.ts";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { Log } from "../panels/log.tsx";
import { Pointed } from "../panels/pointed.tsx";
import { TurnBar } from "../panels/turn-bar.tsx";
import { capital, faceInWords, placeInWords, sentences } from "../words.ts";
import { announce } from "../state/voice.ts";
import { Dialog } from "../shell/dialog.tsx";
import { useKeydown } from "../shell/hooks.ts";
import { loadLazily } from "../shell/lazy.tsx";
import { frameFor, countNeeded } from "../state/races.ts";
import type { Placer } from "../state/placer.ts";
import type { Session, TableProps } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import type { TurnLine } from "../state/turn-lines.ts";
import { Countdown, useCountdown } from "./countdown.tsx";
import { type AskedHole, HoleMark, type Holes, useHoles } from "./hole.tsx";
import { Listen } from "./listen.tsx";
import { KeyHelp } from "./key-help.tsx";
import { usePlacerKeys } from "./keys.ts";
import { fromPool, Pool } from "./pool.tsx";
import { useRaceAnnouncements } from "./race-announcements.ts";
import { RaceHelp } from "./race-help.tsx";
import { RacePlayers } from "./race-players.tsx";
import { RaceTime } from "./race-time.tsx";
import { InWords } from "./in-words.tsx";
import { standing } from "./standing.ts";
import { useSteadyHeight } from "./steady.ts";
import { isMeantElsewhere } from "../shell/elsewhere.ts";
import { focusFirst } from "../ui/focus.ts";
import { Icon } from "../ui/icon.tsx";
import { Room } from "../ui/room.tsx";
import { SlotPlace } from "../ui/slot.tsx";
import { useTableParts } from "../ui/table-parts.ts";
import { itemAt } from "../values.ts";
import { Commit } from "../shell/commit.tsx";

/** What distinguishes the races. */
export interface RaceParts<V extends RaceView = RaceView> {
  /** The dominoes that a player may choose from, and those of them that are not there just now. */
  pool(session: Session<V>, seat: number): { tiles: string[]; gone?: ReadonlySet<string> };
  /** What to call them. */
  poolName(): string;
  sortable?: boolean;
  /** Take a domino in hand, and say whether it is there: the server may have to be asked. */
  take(session: Session<V>, tile: string, side: Side): boolean | Promise<boolean>;
  /** Put the domino in hand back where it came from. */
  putBack(session: Session<V>): void;
  takeOut(session: Session<V>, laying: Laying): void;
  /** Beside the hints: what else can be done with this frame. */
  Tools?: ComponentType<TableProps<V>>;
  /** What is expected can be read aloud. */
  isRead?: boolean;
  /** What is expected, with and without a domino in hand. */
  status(holding: boolean): string;
}

export function RaceTable<V extends RaceView>({ session, parts }: TableProps<V> & { parts: RaceParts<V> }) {
  const camera = useMemo(() => new Camera(), []);
  const { placer } = session;
  const tableParts = useTableParts();
  const { resultButtons } = tableParts;
  const view = session.view.value;
  const looking = useSignal<number | null>(null);
  const count = useCountdown(session);
  const says = useSignal<string | null>(null);
  const place = usePlaceToShow(session);
  const tray = useSteadyHeight();
  const pointed = useSignal<TurnLine | null>(null);
  const commit = (laying: Laying) => void session.lay(laying);
  usePlacerKeys(session, commit, camera, () => standing(session));
  usePutBackKey(placer, () => parts.putBack(session));
  useFocusOfHand(placer);
  useRaceAnnouncements(session);
  const own = session.seat.value;
  const shown = looking.value ?? own ?? 0;
  const racing = own !== null && session.myTurn.value;
  const started = !count;
  const mine = racing && started && shown === own;
  const places = settings.places.value && session.aids.value !== "none";
  const pool = view ? parts.pool(session, own ?? shown) : { tiles: [] };
  const holes = useHoles({ placer, set: session.set.value, ...pool, enabled: places && mine });
  if (!view) return null;
  const sent = shown === own ? session.sent.value : [];
  const lying = itemAt(view.frames, shown).map(parseLaying);
  const layings = lying.filter((laying) => !sent.some((one) => sameLaying(one, laying)));
  const frame = frameFor(session.requireRace().frames(view.options, lying), lying, session.lying.value);
  const full = layings.length === countNeeded(frame);
  const look = (seat: number) => {
    const mine = session.yours.value.includes(seat);
    if (mine) session.chosen.value = seat;
    looking.value = mine ? null : seat;
  };
  const take = (tile: string, side: Side) => {
    looking.value = null;
    return parts.take(session, tile, side);
  };
  /** What was chosen for a hole comes there as it fits. */
  const choose = (tile: string, side: Side) => {
    const poses = holes.hole?.fitting.get(tile);
    const pose = poses?.find((one) => one.side === side) ?? poses?.[0];
    if (pose) place.value = pose;
    void take(tile, pose?.side ?? side);
  };
  const pick = (cell: Cell) => {
    const laying = layings.find((one) => cellsOf(one).some((at) => key(at) === key(cell)));
    if (!mine) return;
    if (laying) parts.takeOut(session, laying);
    else holes.ask(cell);
  };
  return (
    <Room
      kind={`race race-${view.game}`}
      of={{
        room: { style: { "--ratio": frame.width / frame.height } },
        board: { class: full ? "full" : "" },
        tray: { class: "race-tray", ref: tray },
      }}
      board={
        <>
          <Board
            key={`${shown} ${frame.needed ? "" : frame.width}`}
            set={session.set.value}
            layings={layings}
            sent={sent}
            frame={frame}
            camera={camera}
            placer={mine ? placer : undefined}
            places={places}
            oneTap
            onCommit={mine ? commit : undefined}
            onPick={pick}
            label={t("frame_label", {
              name: session.nameOf(shown),
              count: layings.length,
              total: countNeeded(frame),
            })}
          >
            {holes.hole && !placer.hand.value.length && <HoleMark hole={holes.hole} />}
            {pointed.value?.player === shown && <Pointed line={pointed.value} among={layings} />}
          </Board>
          <Countdown session={session} count={count} />
          {own !== null && shown !== own && (
            <p class="row floating looking strong">
              <span>{t("frame_of", { name: session.nameOf(shown) })}</span>
              <button type="button" class="chip" onClick={() => look(own)}>
                {t("own_frame")}
              </button>
            </p>
          )}
        </>
      }
      side={
        <>
          <RacePlayers session={session} shown={shown} onLook={look} />
          <Log session={session} onPoint={(line) => (pointed.value = line)} />
        </>
      }
      tray={
        <>
          <Status
            session={session}
            parts={parts}
            ready={!started}
            says={says}
            hole={holes.hole}
            asking={places && layings.length > 0}
          />
          {resultButtons.isFilled.value && <SlotPlace slot={resultButtons} class="turn-buttons result-closed" />}
          {racing && (
            <>
              <div class="row race-at-hand">
                <div class="row race-hand">
                  {placer.hand.value.length > 0 ? (
                    <Hand placer={placer} set={session.set.value} camera={camera} onCommit={commit} oneTap turning />
                  ) : (
                    <p class="empty-hand" aria-hidden="true" />
                  )}
                  {placer.hand.value.length > 0 && (
                    <button type="button" class="put-back" onClick={() => parts.putBack(session)}>
                      {t("put_back")} <kbd>⌫</kbd>
                    </button>
                  )}
                </div>
                <div class="buttons race-buttons">
                  <RaceHelp
                    session={session}
                    disabled={!started}
                    says={says}
                    place={place}
                    take={(tile, side) => void parts.take(session, tile, side)}
                  />
                  {parts.Tools && <parts.Tools session={session} />}
                </div>
              </div>
              <div class="row race-more">
                <LayingsList placer={placer} onCommit={commit} />
                <FrameInWords
                  placer={placer}
                  set={session.set.value}
                  layings={itemAt(view.frames, own).map(parseLaying)}
                  onTakeOut={(laying) => parts.takeOut(session, laying)}
                  holes={places && mine ? holes : undefined}
                />
                <button
                  type="button"
                  class="tool fit"
                  title={t("fit_all")}
                  aria-label={t("fit_all")}
                  onClick={() => camera.fit()}
                >
                  <Icon name="fit" />
                </button>
                <GiveUp session={session} />
              </div>
            </>
          )}
        </>
      }
      pool={
        <Pool
          set={session.set.value}
          tiles={pool.tiles}
          gone={pool.gone}
          held={placer.hand.value[0] ?? null}
          sortable={parts.sortable}
          label={parts.poolName()}
          holes={holes}
          onTake={racing && started ? choose : undefined}
          onCarry={
            racing && started ? fromPool({ placer, camera, parts: tableParts, onCommit: commit }, take) : undefined
          }
        />
      }
    >
      <KeyHelp keys={session.game.value.keys} />
      <InWords session={session} />
    </Room>
  );
}

interface StatusProps<V extends RaceView> extends TableProps<V> {
  parts: RaceParts<V>;
  ready: boolean;
  says: Signal<string | null>;
  hole: AskedHole | null;
  /** Holes can be asked about. */
  asking: boolean;
}

/** What is expected, the time, and what was refused. */
function Status<V extends RaceView>({ session, parts, ready, says, hole, asking }: StatusProps<V>) {
  const view = session.requireView();
  const { outcome } = view;
  const own = session.seat.value;
  const text = outcome
    ? ending(
        outcome.winners.map((seat) => session.nameOf(seat)),
        outcome.reason,
      )
    : ready
      ? t("race_ready")
      : own !== null && view.given_up.includes(own)
        ? t("race_given_up")
        : session.myTurn.value
          ? (says.value ?? expected())
          : leaders(session);
  function expected(): string {
    if (session.placer.hand.value.length) return parts.status(true);
    return hole ? t("hole_fits", { count: hole.count }) : asking ? t("hole_how") : parts.status(false);
  }
  const racing = !outcome && !ready && session.myTurn.value;
  const begun = own !== null && !!view.frames[own]?.length;
  const spoken = outcome
    ? null
    : !racing
      ? text
      : (says.value ?? (begun || session.placer.hand.value.length ? null : parts.status(false)));
  return (
    <TurnBar
      seat={outcome ? null : own}
      mine={session.myTurn.value}
      text={text}
      spoken={spoken}
      notice={session.notice.value}
    >
      {parts.isRead && <Listen say={() => text} />}
      <RaceTime session={session} />
    </TurnBar>
  );
}

/** Who is ahead, for those who only look on. */
function leaders(session: Session<RaceView>): string {
  const [table, view] = [session.requireTable(), session.requireView()];
  const counts = view.frames.map((frame) => frame.length);
  const most = Math.max(...counts);
  if (!most || counts.length === 1) return "";
  const names = table.seats.filter((_, seat) => counts[seat] === most).map(({ name }) => name);
  return t("race_leads", { name: joinList(names), count: names.length, number: most });
}

function ending(winners: string[], reason: string): string {
  if (!winners.length) return t("race_nobody");
  const names = joinList(winners);
  return reason === "full" ? t("race_full", { name: names }) : t("race_won", { count: winners.length, name: names });
}

function GiveUp({ session }: { session: Session }) {
  const asking = useSignal(false);
  const close = () => (asking.value = false);
  return (
    <>
      <button type="button" class="link note give-up" onClick={() => (asking.value = true)}>
        {t("give_up")}
      </button>
      {asking.value && (
        <Dialog title={t("give_up_really")} onClose={close}>
          <p>{t("give_up_text")}</p>
          <p class="buttons dialog-buttons">
            <button type="button" onClick={close}>
              {t("go_on")}
            </button>
            <Commit
              does="give_up"
              class="primary"
              onCommit={() => {
                close();
                void session.move({ move: "give_up" });
              }}
            >
              {t("give_up")}
            </Commit>
          </p>
        </Dialog>
      )}
    </>
  );
}

interface FrameInWordsProps {
  placer: Placer;
  set: TileSet;
  layings: readonly Laying[];
  onTakeOut(laying: Laying): void;
  holes?: Holes;
}

const FrameLists = loadLazily(() => import("./frame-lists.tsx").then(({ FrameLists }) => FrameLists));

/** One's own frame for those who do not see it, or have no pointer: what lies there, what is asked for. */
export function FrameInWords({ placer, ...props }: FrameInWordsProps) {
  const frame = placer.frame.value;
  const { frameInWords } = useTableParts();
  const open = useSignal(false);
  if (!frame || !props.layings.length) return null;
  return (
    <details
      ref={frameInWords}
      class="layings-list frame-words"
      onToggle={(event) => (open.value = event.currentTarget.open)}
    >
      <summary>{t("frame_in_words")}</summary>
      {open.value && <FrameLists frame={frame} {...props} />}
    </details>
  );
}

/** A laying that is shown as soon as its domino is in hand, unless another player was quicker. */
function usePlaceToShow(session: Session<RaceView>): Signal<Laying | null> {
  const { placer } = session;
  const place = useSignal<Laying | null>(null);
  // The place was meant for what lay there before.
  useEffect(() => {
    place.value = null;
  }, [session.view.value?.frames[session.seat.value ?? 0]?.join(" ")]);
  useSignalEffect(() => {
    if (session.notice.value) place.value = null;
    const [laying, held] = [place.value, placer.hand.value[0]];
    if (!laying || held !== laying.tile || !placer.candidates.value.get(held)) return;
    place.value = null;
    const turned = placer.side.peek() !== laying.side;
    placer.show(laying);
    announce(
      sentences([
        ...(turned ? [faceInWords(laying.tile, laying.side, session.set.peek())] : []),
        capital(placeInWords(laying)),
      ]),
    );
  });
  return place;
}

/** Backspace puts the domino in hand back. */
export function usePutBackKey(placer: Placer, putBack: () => void): void {
  useKeydown((event) => {
    if (isMeantElsewhere(event) || event.repeat) return;
    if ((event.key !== "Backspace" && event.key !== "Delete") || !placer.hand.value.length) return;
    event.preventDefault();
    putBack();
  });
}

/** The focus goes where the next key is wanted: to the hand, or back to the middle. */
export function useFocusOfHand(placer: Placer): void {
  const last = useRef("");
  useKeydown(() => (last.current = "key"), true);
  useEffect(() => {
    const pointer = (event: PointerEvent) => (last.current = event.pointerType);
    addEventListener("pointerdown", pointer, true);
    return () => removeEventListener("pointerdown", pointer, true);
  }, []);
  const held = placer.hand.value[0] ?? null;
  const before = useRef(held);
  // At once: the element that had the focus may be gone, and screen readers would begin at the title.
  useLayoutEffect(() => {
    if (before.current === held) return;
    before.current = held;
    // A mouse takes, and the keyboard may turn and lay; who lays by mouse has the focus nowhere.
    if (last.current !== "key" && (held === null || last.current !== "mouse")) return;
    if (held === null) focusFirst(['.pool-item[tabindex="0"]']);
    else focusFirst([".held-face.chosen", ".held-face"], { preventScroll: true });
  }, [held]);
}

/** The table of the games that are played in turns, on one table of all. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ComponentChildren, ComponentType } from "preact";
import { Board } from "../board/board.tsx";
import type { Marked } from "../board/lines.tsx";
import { Camera } from "../board/camera.ts";
import type { TableGroup } from "../board/groups.ts";
import type { Game } from "../games/game.ts";
import { gameOf } from "../games/general.ts";
import { formatSigned, t } from "../i18n.ts";
import { numberOr } from "../net/open.ts";
import type { Laid, View } from "../net/protocol.ts";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { Log } from "../panels/log.tsx";
import { type PlayerExtra, Players } from "../panels/players.tsx";
import { Pointed } from "../panels/pointed.tsx";
import { ScoreRibbon } from "../panels/ribbon.tsx";
import { TurnBar } from "../panels/turn-bar.tsx";
import { bounds, type Cell, type Disc, type Laying, parseLaying } from "../geometry.ts";
import type { Candidate } from "../state/placement.ts";
import type { Session, TableProps } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import type { TurnLine } from "../state/turn-lines.ts";
import { earnedPoints } from "../words.ts";
import { recallView, useClosedGroups, useRememberedCamera } from "./effects.ts";
import { KeyHelp } from "./key-help.tsx";
import { usePlacerKeys } from "./keys.ts";
import { InWords } from "./in-words.tsx";
import { standing } from "./standing.ts";
import { CoveredHand } from "./privacy.tsx";
import { useSteadyHeight } from "./steady.ts";
import { statusSeat, turnStatus } from "./turn-status.ts";
import { Icon } from "../ui/icon.tsx";
import { Room } from "../ui/room.tsx";
import { SlotPlace } from "../ui/slot.tsx";
import { useTableParts } from "../ui/table-parts.ts";
import { Commit } from "../shell/commit.tsx";
import { loadLazily } from "../shell/lazy.tsx";

/** What a game adds to the table of the turn games. */
export interface TurnParts<V extends View = View> {
  /** Beside a player's name: tokens, marks, ... */
  extra?: PlayerExtra<V>;
  /** Above the hand: an auction, what may be marked, ... */
  Panel?: ComponentType<TableProps<V> & { camera: Camera }>;
  /** On the board, in its units (100 to a cell). */
  Overlay?: ComponentType<TableProps<V>>;
  /** Groups with a line round them. */
  groups?(session: Session<V>): Marked[];
  /** A click on the board with nothing in hand. */
  onPick?(session: Session<V>, cell: Cell, disc: Disc): void;
  /** Beside a ghost: what it brings, where that is not points. */
  sign?(session: Session<V>, ghost: Candidate): ComponentChildren;
  /** A group in the words of the game. */
  groupWords?(group: TableGroup): string;
  /** What is expected now, if the game knows better. */
  status?(session: Session<V>): string | null;
  /** Over the board, in pixels: a celebration. */
  Front?: ComponentType<TableProps<V> & { camera: Camera }>;
  /** Instead of the usual buttons. */
  Buttons?: ComponentType<TableProps<V>>;
  /** Large dominoes, few words. */
  large?: boolean;
}

/** The table of a game that adds `parts` to it. */
export const turnTable =
  <V extends View>(parts: TurnParts<V>) =>
  ({ session }: TableProps<V>) => <TurnTable session={session} parts={parts} />;

/** Without parts, it is the table of the classic game, and of games by others. */
export default function TurnTable<V extends View>({ session, parts = {} }: TableProps<V> & { parts?: TurnParts<V> }) {
  const camera = useMemo(() => new Camera(recallView(session.id)), []);
  const { placer } = session;
  const { resultButtons } = useTableParts();
  const [table, view] = [session.requireTable(), session.view.value];
  const commit = (laying: Laying) => {
    if (session.mayLay.value) void session.lay(laying);
  };
  usePlacerKeys(session, commit, camera, () => standing(session, turnStatus(session, parts.status, false)));
  useRememberedCamera(camera, session.id);
  const closed = useClosedGroups(session, camera);
  const tray = useSteadyHeight();
  const side = useSignal(false);
  const pointed = useSignal<TurnLine | null>(null);
  const point = (line: TurnLine | null) => {
    pointed.value = line;
    const box = line && bounds(line.layings.map(parseLaying));
    if (box && !camera.sees(box)) camera.fly(camera.moved(box, 0.3));
  };
  if (!view) return null;
  const mine = session.mayLay.value;
  const game: Game<V> = gameOf(table.game);
  const playable = session.playable.value;
  return (
    <Room
      kind={`turn-room of-${view.game}`}
      of={{
        side: { class: side.value ? "open" : "", tabIndex: 0, "aria-label": t("show_side") },
        tray: { ref: tray, "aria-busy": session.queue.isBusy.value },
      }}
      board={
        <>
          <Board
            set={session.set.value}
            layings={session.layings.value}
            camera={camera}
            placer={placer}
            last={session.last.value}
            staged={session.staged.value}
            sent={session.sent.value}
            places={settings.places.value && session.aids.value !== "none"}
            oneTap={settings.oneTap.value && mine}
            onCommit={mine ? commit : undefined}
            groups={[...(parts.groups?.(session) ?? []), ...closed.value]}
            onPick={parts.onPick && ((cell, disc) => parts.onPick!(session, cell, disc))}
            sign={parts.sign && ((ghost) => parts.sign!(session, ghost))}
            groupWords={parts.groupWords}
            tools={(box) => session.layings.value.length >= MIN_TO_TURN && <QuarterTurn camera={camera} box={box} />}
            label={t("table_label", { count: session.layings.value.length })}
          >
            {parts.Overlay && <parts.Overlay session={session} />}
            <Pointed line={pointed.value} among={session.layings.value} />
          </Board>
          {!session.layings.value.length && placer.tile.value === null && (
            <p class="board-hint">{turnStatus(session, parts.status)}</p>
          )}
          {parts.Front && <parts.Front session={session} camera={camera} />}
        </>
      }
      side={
        <>
          <Players session={session} extra={parts.extra} />
          {view.scores && (
            <ScoreRibbon scores={view.scores} names={table.seats.map(({ name }) => name)} target={findTarget(view)} />
          )}
          <Log session={session} onPoint={point} />
          <button
            type="button"
            class="side-switch"
            aria-expanded={side.value}
            onClick={() => (side.value = !side.value)}
          >
            {side.value ? t("close") : <ShowSide target={findTarget(view)} />}
          </button>
        </>
      }
      tray={
        <>
          <Status session={session} parts={parts} />
          {session.covered.value ? (
            <CoveredHand session={session} />
          ) : (
            <>
              {parts.Panel && (
                <div class="panel-slot">
                  <parts.Panel session={session} camera={camera} />
                </div>
              )}
              <Hand
                placer={placer}
                set={session.set.value}
                camera={camera}
                onCommit={commit}
                large={parts.large}
                resting={(view.hand ?? []).filter((tile) => !playable.includes(tile))}
              />
              {resultButtons.isFilled.value ? (
                <SlotPlace slot={resultButtons} class="turn-buttons result-closed" />
              ) : parts.Buttons ? (
                <parts.Buttons session={session} />
              ) : (
                <TurnButtons session={session} />
              )}
              <LayingsList
                placer={placer}
                ranked={session.ranksPlaces.value}
                onCommit={commit}
                groupWords={parts.groupWords}
              />
            </>
          )}
        </>
      }
    >
      <KeyHelp keys={game.keys} />
      <InWords session={session} />
    </Room>
  );
}

const QuarterTurn = loadLazily(() => import("./quarter-turn.tsx").then(({ QuarterTurn }) => QuarterTurn));
/** Dominoes on the table from which on it may become too high. */
const MIN_TO_TURN = 8;

/** The points that end the game, where points do. */
const findTarget = ({ options }: View): number | undefined =>
  options.end === "rounds" || options.end === "time" ? undefined : numberOr(options.target);

/** On a phone, what opens scores and history says to how many points the game goes. */
function ShowSide({ target }: { target?: number }) {
  return (
    <>
      <Icon name="chevron" />
      <span class="hidden">{t("show_side")}</span>
      {target !== undefined && <span>{t("target", { points: target })}</span>}
    </>
  );
}

/** Whose turn it is, what to do, and what is left. */
function Status<V extends View>({ session, parts }: TableProps<V> & { parts: TurnParts<V> }) {
  const view = session.requireView();
  return (
    <TurnBar
      seat={view.outcome ? null : statusSeat(session)}
      mine={session.wanted.value}
      text={turnStatus(session, parts.status)}
      spoken={view.outcome ? null : turnStatus(session, parts.status, false)}
      notice={session.notice.value}
    >
      {!!view.turn?.length && <TurnSum turn={view.turn} />}
      {view.last_round && !view.outcome && <span class="last-round">{t("last_round")}</span>}
      {view.bag_count !== undefined && <BagCount count={view.bag_count} />}
    </TurnBar>
  );
}

function BagCount({ count }: { count: number }) {
  const { bag } = useTableParts();
  return (
    <span class="bag" ref={bag} title={t("bag_count", { count })}>
      <Icon name="bag" />
      <span aria-hidden="true">{count}</span>
      <span class="hidden">{t("bag_count", { count })}</span>
    </span>
  );
}

/** The points of the turn so far, domino by domino, with what the second one cost. */
function TurnSum({ turn }: { turn: readonly Laid[] }) {
  const points = turn.map(({ earned, scores }) => (scores ? earnedPoints(earned) : 0));
  const charges = turn.map(({ charge }) => charge);
  if (!turn.some(({ scores }) => scores)) return null;
  const parts = points.map((one, i) =>
    charges[i] ? `${formatSigned(-charges[i]!)} ${formatSigned(one)}` : formatSigned(one),
  );
  const sum = points.reduce((a, b) => a + b, 0) - charges.reduce((a, b) => a + b, 0);
  const inFull = parts.length > 1 ? `${parts.join(" ")} = ${formatSigned(sum)}` : formatSigned(sum);
  return (
    <span class="turn-sum">
      <span class="in-full">{t("turn_sum", { points: inFull })}</span>
      <b class="in-short" aria-hidden="true">
        {formatSigned(sum)}
      </b>
    </span>
  );
}

/** What a button does at the first click of a double click, and not at the second. */
export const once = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act();
};

export function TurnButtons({ session, children }: TableProps & { children?: ComponentChildren }) {
  const [view, mine] = [session.requireView(), session.myTurn.value];
  const whose = String(session.seat.value);
  const press = (move: string) => once(() => void session.move({ move }));
  // The place of the buttons is kept, so that the table stays where it is.
  if (!mine) return session.seat.value === null ? null : <div class="turn-buttons" />;
  return (
    <div class="turn-buttons">
      {view.can_undo && (
        <Commit does="undo" means={whose} onCommit={press("undo")}>
          {t("undo")} <kbd>U</kbd>
        </Commit>
      )}
      {children}
      {session.may("pass") && session.mayLay.value && (
        <Commit does="pass" means={whose} onCommit={press("pass")}>
          {t("pass")}
        </Commit>
      )}
      {session.may("end") && (
        <Commit does="end" means={whose} class="primary" onCommit={press("end")}>
          {t("end_turn")}
        </Commit>
      )}
    </div>
  );
}

/** The table of the games that are played in turns, on one table of all. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ComponentChildren, ComponentType } from "preact";
import { Board, type Marked } from "../board/board.tsx";
import { Camera } from "../board/camera.ts";
import type { Game } from "../games/game.ts";
import { gameOf } from "../games/general.ts";
import { signed, t } from "../i18n.ts";
import { type Laid, numberOr, type View } from "../net/types.ts";
import { Hand } from "../panels/hand.tsx";
import { LayingsList } from "../panels/layings-list.tsx";
import { Log } from "../panels/log.tsx";
import { type PlayerExtra, Players } from "../panels/players.tsx";
import { refusalText } from "../panels/refusal.ts";
import { ScoreTrack } from "../panels/track.tsx";
import type { Laying } from "../geometry.ts";
import type { Cell, Disc } from "../geometry.ts";
import type { Session, TableProps } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import { earnedPoints } from "../words.ts";
import { rememberedView, useFlashes, useRememberedCamera, useTurnSound } from "./effects.ts";
import { KeyHelp } from "./key-help.tsx";
import { usePlacerKeys } from "./keys.ts";

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
  /** What is expected now, if the game knows better. */
  status?(session: Session<V>): string | null;
  /** Over the board, in pixels: a celebration. */
  Front?: ComponentType<TableProps<V>>;
  /** Instead of the usual buttons. */
  Buttons?: ComponentType<TableProps<V>>;
  /** Large dominoes, few words. */
  large?: boolean;
}

/** The table of a game that adds `parts` to it. */
export const turnTable = <V extends View>(parts: TurnParts<V>) => ({ session }: TableProps<V>) => <TurnTable session={session} parts={parts} />;

/** Without parts, it is the table of the classic game, and of games by others. */
export default function TurnTable<V extends View>({ session, parts = {} }: TableProps<V> & { parts?: TurnParts<V> }) {
  const camera = useMemo(() => new Camera(rememberedView(session.id)), []);
  const { placer } = session;
  const [table, view] = [session.table.value!, session.view.value];
  const commit = (laying: Laying) => {
    if (session.mayLay.value) void session.lay(laying);
  };
  usePlacerKeys(session, commit, camera);
  useTurnSound(session);
  useRememberedCamera(camera, session.id);
  const flashes = useFlashes(session, camera);
  const side = useSignal(false);
  useEffect(() => {
    placer.frame.value = null;
    placer.words.value = session.game.value.words;
  }, []);
  if (!view) return null;
  const mine = session.mayLay.value;
  const game: Game<V> = gameOf(table.game);
  const playable = game.hand(view);
  return (
    <div class={`room of-${view.game}`}>
      <div class="room-board">
        <Board
          set={session.set.value}
          layings={session.layings.value}
          camera={camera}
          placer={placer}
          last={session.last.value}
          staged={session.staged.value}
          places={settings.places.value && session.aids.value !== "none"}
          oneTap={settings.oneTap.value && mine}
          onCommit={mine ? commit : undefined}
          groups={[...(parts.groups?.(session) ?? []), ...flashes.value]}
          onPick={parts.onPick && ((cell, disc) => parts.onPick!(session, cell, disc))}
          label={t("table_label", { count: session.layings.value.length })}
        >
          {parts.Overlay && <parts.Overlay session={session} />}
        </Board>
        {parts.Front && <parts.Front session={session} />}
      </div>
      <aside class={side.value ? "room-side open" : "room-side"} tabIndex={0} aria-label={t("show_side")}>
        <Players session={session} extra={parts.extra} />
        {view.scores && <ScoreTrack scores={view.scores} names={table.seats.map(({ name }) => name)} target={view.options.end === "rounds" ? undefined : numberOr(view.options.target)} />}
        <Log session={session} />
        <button type="button" class="side-switch" aria-expanded={side.value} onClick={() => (side.value = !side.value)}>
          {side.value ? t("close") : t("show_side")}
        </button>
      </aside>
      <div class="room-tray">
        <Status session={session} parts={parts} />
        {parts.Panel && <parts.Panel session={session} camera={camera} />}
        <Hand placer={placer} set={session.set.value} camera={camera} onCommit={commit} large={parts.large}
          resting={session.covered.value ? [] : (view.hand ?? []).filter((tile) => !playable.includes(tile))} />
        {parts.Buttons ? <parts.Buttons session={session} /> : <TurnButtons session={session} />}
        <LayingsList placer={placer} onCommit={commit} />
      </div>
      <KeyHelp keys={game.keys} />
    </div>
  );
}

/** What is expected of whom, in one line. */
function Status<V extends View>({ session, parts }: TableProps<V> & { parts: TurnParts<V> }) {
  const [table, view] = [session.table.value!, session.view.value!];
  const notice = session.notice.value;
  const acting = session.acting.value.map((seat) => table.seats[seat]!.name);
  const text = view.outcome ? t("over")
    : parts.status?.(session) ?? (session.myTurn.value ? (view.phase === "setup" ? t("your_setup") : t("your_turn")) : t("turn_of", { name: acting.join(", ") }));
  return (
    <p class="status" role="status">
      <span>{text}</span>
      {view.bag_count !== undefined && <span class="bag" title={t("bag")}>{t("bag_count", { count: view.bag_count })}</span>}
      {view.last_round && !view.outcome && <span class="last-round">{t("last_round")}</span>}
      {!!view.turn?.length && <TurnSum turn={view.turn} />}
      {notice && <span class="notice">{notice.code ? refusalText(notice.code, notice.text) : notice.text}</span>}
    </p>
  );
}

/** The points of the turn so far, domino by domino, with what the second one cost. */
function TurnSum({ turn }: { turn: readonly Laid[] }) {
  const points = turn.map(({ earned, scores }) => (scores ? earnedPoints(earned) : 0));
  const charges = turn.map(({ charge }) => charge);
  if (!turn.some(({ scores }) => scores)) return null;
  const parts = points.map((one, i) => (charges[i] ? `${signed(-charges[i]!)} ${signed(one)}` : signed(one)));
  const sum = points.reduce((a, b) => a + b, 0) - charges.reduce((a, b) => a + b, 0);
  const told = parts.length > 1 ? `${parts.join(" ")} = ${signed(sum)}` : signed(sum);
  return <span class="turn-sum">{t("turn_sum", { points: told })}</span>;
}

export function TurnButtons({ session, children }: TableProps & { children?: ComponentChildren }) {
  const [view, mine] = [session.view.value!, session.myTurn.value];
  if (!mine) return null;
  return (
    <div class="turn-buttons">
      {view.can_undo && <button type="button" onClick={() => void session.move({ move: "undo" })}>{t("undo")} <kbd>U</kbd></button>}
      {children}
      {session.may("pass") && session.mayLay.value && <button type="button" onClick={() => void session.move({ move: "pass" })}>{t("pass")}</button>}
      {session.may("end") && <button type="button" class="primary" onClick={() => void session.move({ move: "end" })}>{t("end_turn")}</button>}
    </div>
  );
}

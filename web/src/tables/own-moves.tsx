/**
 * The moves that only the game of a package has. A button makes the only move of a kind; where there is something to
 * choose, or to read before, it opens a list over the table, which is searched if it is long.
 */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { BothFaces } from "../board/domino.tsx";
import { t } from "../i18n.ts";
import type { Move } from "../net/open.ts";
import type { Session, TableProps } from "../state/session.ts";
import { textsOf } from "../state/game-texts.ts";
import { findMoves, isImmediate, listOwnKinds, moveForEars, type OwnKind, tilesOf } from "../state/own-moves.ts";
import { announce } from "../state/voice.ts";
import { Icon } from "../ui/icon.tsx";
import { ALL_ARROWS, focusFirst, focusIn, walkList } from "../ui/focus.ts";
import { once, TurnButtons } from "./turn-table.tsx";
import { Commit } from "../shell/commit.tsx";

/** Kinds that have a button each; more share one. */
const MAX_BUTTONS = 2;
/** Moves of a list that is not searched; and those that are shown of a longer one. */
const MAX_UNSEARCHED = 12;
const MAX_SHOWN = 60;

const ALL = "";
/** The kind of moves, or `ALL`, whose list is open. */
const opened = signal<string | null>(null);

function useOwnKinds(session: Session): OwnKind[] {
  const [moves, texts] = [session.moves.value, textsOf(session.table.value!.game)];
  return useMemo(() => listOwnKinds(moves, texts), [moves, texts]);
}

/** Without these moves, the focus would be nowhere, and screen readers begin at the title of the page. */
function focusTable(): void {
  focusFirst([".layings-list summary"], { preventScroll: true });
}

export function OwnMoveButtons({ session }: TableProps) {
  const kinds = useOwnKinds(session);
  const shared = kinds.length > MAX_BUTTONS;
  return (
    <TurnButtons session={session}>
      {shared ? (
        <ListButton kind={ALL} label={t("own_moves")} isFirst />
      ) : (
        kinds.map((own, i) =>
          isImmediate(own) ? (
            <Commit
              key={own.kind}
              does={`own ${own.kind}`}
              means={JSON.stringify(own.moves[0])}
              class="own-move"
              data-first={i === 0 ? "" : undefined}
              onCommit={once(() => makeMove(session, own.moves[0]!))}
            >
              {own.label}
            </Commit>
          ) : (
            <ListButton key={own.kind} kind={own.kind} label={own.label} help={own.help} isFirst={i === 0} />
          ),
        )
      )}
    </TurnButtons>
  );
}

interface ListButtonProps {
  kind: string;
  label: string;
  help?: string;
  isFirst: boolean;
}

function ListButton({ kind, label, help, isFirst }: ListButtonProps) {
  const isOpen = opened.value === kind;
  return (
    <button
      type="button"
      class="own-move"
      title={help || undefined}
      aria-expanded={isOpen}
      data-kind={kind}
      data-first={isFirst ? "" : undefined}
      onClick={once(() => (opened.value = isOpen ? null : kind))}
    >
      {label} <Icon name="chevron" />
    </button>
  );
}

function makeMove(session: Session, move: Move): void {
  opened.value = null;
  focusTable();
  void session.move(move);
}

/** The list that is open, as long as there is something to choose. */
export function OwnMovesPanel({ session }: TableProps) {
  const kinds = useOwnKinds(session);
  const kind = opened.value;
  const mine = session.myTurn.value;
  const listed = useMemo(
    () => (kind === null || !mine ? [] : kinds.filter((own) => kind === ALL || own.kind === kind)),
    [kinds, kind, mine],
  );
  const isGone = kind !== null && !listed.length;
  useEffect(() => () => void (opened.value = null), []);
  useEffect(() => {
    if (!isGone) return;
    opened.value = null;
    if (document.activeElement === document.body) focusTable();
  }, [isGone]);
  return listed.length ? <MoveList key={kind} session={session} kinds={listed} /> : null;
}

function MoveList({ session, kinds }: TableProps & { kinds: OwnKind[] }) {
  const table = session.table.value!;
  const texts = textsOf(table.game);
  const typed = useSignal("");
  const section = useRef<HTMLElement>(null);
  const names = table.seats.map(({ name }) => name);
  const found = useMemo(() => findMoves(kinds, typed.value, texts, names), [kinds, typed.value, texts, names.join()]);
  const total = kinds.reduce((sum, { moves }) => sum + moves.length, 0);
  const count = found.reduce((sum, own) => sum + own.found.length, 0);
  const title = kinds.length > 1 ? t("own_moves") : kinds[0]!.label;
  useEffect(() => {
    if (section.current) focusIn(section.current, ["[data-first]"]);
  }, []);
  useEffect(() => {
    if (typed.value) announce(t("own_moves_found", { count }), "chosen");
  }, [typed.value]);
  const close = () => {
    const kind = opened.value;
    opened.value = null;
    focusFirst([`.turn-buttons [data-kind="${kind}"]`]);
  };
  const isSearched = total > MAX_UNSEARCHED;
  let room = MAX_SHOWN;
  return (
    <section
      ref={section}
      class="game-panel floating own-moves"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          close();
        } else if (event.key === "ArrowDown" && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          event.stopPropagation();
          focusIn(event.currentTarget, [".own-moves-list button"]);
        } else walkList(event, { steps: ALL_ARROWS, isRing: true });
      }}
    >
      <b>{title}</b>
      {isSearched && (
        <input
          type="search"
          aria-label={t("own_moves_search")}
          placeholder={t("own_moves_search")}
          data-first=""
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && count === 1) makeMove(session, found[0]!.found[0]!.move);
            // The other arrows are for what was typed.
            if (event.key !== "ArrowDown" && event.key !== "Escape") event.stopPropagation();
          }}
        />
      )}
      <div class="own-moves-list">
        {found.map((own, i) => {
          const shown = own.found.slice(0, room);
          room -= shown.length;
          if (!shown.length) return null;
          return (
            <div key={own.kind}>
              {kinds.length > 1 && <h3>{own.label}</h3>}
              {own.help && <p class="note">{own.help}</p>}
              <ul aria-label={own.label}>
                {shown.map(({ move, text }, j) => (
                  <li key={JSON.stringify(move)}>
                    <MoveButton
                      session={session}
                      move={move}
                      text={text}
                      isFound={typed.value !== ""}
                      isFirst={!isSearched && i === 0 && j === 0}
                    />
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
        {count > MAX_SHOWN && <p class="note">{t("own_moves_left", { count: count - MAX_SHOWN })}</p>}
        {!count && <p class="note">{t("own_moves_found", { count })}</p>}
      </div>
      <button type="button" class="tool" aria-label={t("close")} onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  );
}

interface MoveButtonProps extends TableProps {
  move: Move;
  text: string;
  /** The player has searched: what stands where is no surprise. */
  isFound: boolean;
  isFirst: boolean;
}

function MoveButton({ session, move, text, isFound, isFirst }: MoveButtonProps) {
  const set = session.set.value;
  const tiles = tilesOf(move, set);
  return (
    <Commit
      does={`own ${JSON.stringify(move)}`}
      isChosen={isFound}
      class="chip"
      aria-label={moveForEars(move, text, set)}
      data-first={isFirst ? "" : undefined}
      onCommit={once(() => makeMove(session, move))}
    >
      {tiles.map((tile) => (
        <span key={tile} class="own-moves-domino" aria-hidden="true">
          <BothFaces tile={tile} set={set} />
        </span>
      ))}
      {text}
    </Commit>
  );
}

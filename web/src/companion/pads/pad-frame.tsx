/** What every open score pad shows: the outcome, the next turn, what was played, and what is given away. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { joinList, t } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { loadLazily } from "../../shell/lazy.tsx";
import { amendBook, deletePad, savePad } from "./pad-book.ts";
import type { PadExtrasProps } from "./pad-extras.tsx";
import type { Pad } from "./pad-kinds.ts";
import type { PadSheet } from "./pad-sheet.ts";

/** The chart and what is given away need the bundles of tables: the pad does not wait for them. */
const PadExtras = loadLazily<PadExtrasProps>(() => import("./pad-extras.tsx").then((module) => module.PadExtras));

export type HeadingRef = RefObject<HTMLHeadingElement | null>;

interface PadFrameProps {
  pad: Pad;
  sheet: PadSheet;
  /** Who stands where. */
  cards: ComponentChildren;
  /** Why it is over; null while it goes on. */
  reason: string | null;
  /** More about the end. */
  endNote?: string | null;
  /** Whether something was played. */
  isBegun: boolean;
  /** The number of the turn that is entered. */
  turn: number;
  /** What is entered now, with a heading; null if nothing is. */
  form(heading: HeadingRef): ComponentChildren;
  /** Below it: what was played. */
  children?: ComponentChildren;
  /** Beside the buttons that are always there. */
  actions?: ComponentChildren;
}

export function PadFrame(props: PadFrameProps) {
  const { pad, sheet, cards, reason, endNote, isBegun, turn, form, children, actions } = props;
  const [title, result, isFirst] = [useRef<HTMLHeadingElement>(null), useRef<HTMLHeadingElement>(null), useRef(true)];
  // The next turn, or the end: the button that was pressed is not there any more, or for another turn.
  useEffect(() => {
    if (!isFirst.current) (title.current ?? result.current)?.focus();
    isFirst.current = false;
  }, [turn, reason]);
  return (
    <div class="stack loose open-pad">
      {cards}
      {reason && (
        <AnnouncedText as="section" class="tinted" manner="urgent">
          <h2 ref={result} tabIndex={-1}>
            {sheet.outcome}
          </h2>
          <p>{reason}</p>
          {endNote && <p>{endNote}</p>}
        </AnnouncedText>
      )}
      {form(title)}
      {children}
      {isBegun && <PadExtras sheet={sheet} />}
      <div class="buttons">
        <button type="button" onClick={() => amendBook({ open: null })}>
          {t("pad_all")}
        </button>
        {actions}
        <button
          type="button"
          class="danger"
          aria-label={t("pad_delete_of", { names: joinList(pad.names) })}
          onClick={() => deletePad(pad.id)}
        >
          {t("pad_delete")}
        </button>
      </div>
    </div>
  );
}

/** A card for each player; that of the player whose turn it is stands out. */
export function PadCards({
  names,
  current,
  children,
}: {
  names: readonly string[];
  current: number | null;
  children(player: number): ComponentChildren;
}) {
  return (
    <section aria-label={t("companion_pad")}>
      <ol class="pad-scores">
        {names.map((name, i) => (
          <li key={i} class={`seat-${i} card`} aria-current={current === i ? "true" : undefined}>
            <PadName player={i} name={name} />
            {children(i)}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function PadName({ player, name }: { player: number; name: string }) {
  return (
    <span class="row tied pad-who">
      <span class="token small" aria-hidden="true">
        {player + 1}
      </span>
      <span class="pad-name">{name}</span>
    </span>
  );
}

/** The heading of what is entered, and what the game is played to. */
export function PadHeading({
  id,
  own,
  goal,
  children,
}: {
  id: string;
  own: HeadingRef;
  goal: string;
  children: string;
}) {
  return (
    <div class="row apart pad-head">
      <h2 id={id} ref={own} tabIndex={-1}>
        {children}
      </h2>
      <small>{goal}</small>
    </div>
  );
}

/** For pads that players may end before their end. */
export function StopButton({
  pad,
  isOver,
  label,
}: {
  pad: Extract<Pad, { isStopped: boolean }>;
  isOver: boolean;
  label: string;
}) {
  if (isOver && !pad.isStopped) return null;
  return (
    <button type="button" onClick={() => savePad({ ...pad, isStopped: !pad.isStopped })}>
      {pad.isStopped ? t("pad_go_on") : label}
    </button>
  );
}

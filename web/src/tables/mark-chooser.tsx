/**
 * The groups with pieces of players, and choosing one to put a piece on: by a click on the table, by
 * keys, or from a list. The first click shows the group, the second one marks it.
 */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Marked } from "../board/lines.tsx";
import type { Camera } from "../board/camera.ts";
import type { Mark } from "../games/game.ts";
import { type Disc, key } from "../geometry.ts";
import { formatNumber, t, withColon } from "../i18n.ts";
import { onPointing } from "../shell/hooks.ts";
import { announce } from "../state/voice.ts";
import type { Session, TableProps } from "../state/session.ts";
import { groupBox, groupInWords, groupsOf, groupWith, type TableGroup } from "../board/groups.ts";
import { DiscIcon, MarkIcon, markClass } from "./pieces.tsx";
import { ALL_ARROWS, walkList } from "../ui/focus.ts";
import { Icon } from "../ui/icon.tsx";
import { Commit } from "../shell/commit.tsx";

/** A piece, and the group that it stands on. */
interface Owned extends Mark {
  group: TableGroup | undefined;
}

export function findOwned(session: Session): Owned[] {
  const [groups, view] = [groupsOf(session.layings.value, session.set.value), session.view.value];
  return view ? session.game.value.marks(view).map((mark) => ({ ...mark, group: groupWith(groups, mark.disc) })) : [];
}

/** Lines round the groups that belong to players. */
export function outlineOwned(session: Session): Marked[] {
  return findOwned(session).flatMap(({ player, group }): Marked[] =>
    group
      ? [
          {
            discs: group.discs,
            kind: `owned ${markClass(player, session.game.value.markerOf(session.requireView(), player))}`,
          },
        ]
      : [],
  );
}

/** For ears: whose they are. */
export function OwnedInWords({ session, label }: TableProps & { label: string }) {
  return (
    <ul class="hidden" aria-label={label}>
      {findOwned(session).map(
        ({ player, disc, group }) =>
          group && (
            <li key={key(disc)}>{withColon(session.nameOf(player), groupInWords(group, session.game.value.words))}</li>
          ),
      )}
    </ul>
  );
}

interface Choice {
  /** The disc that the server names for the group. */
  disc: Disc;
  group: TableGroup;
}

/** The group that is chosen, and the one that is only pointed at: by the key of its disc. */
const chosen = signal<string | null>(null);
const pointed = signal<string | null>(null);

/** What may be marked now, the largest first. */
export function choices(session: Session): Choice[] {
  const groups = groupsOf(session.layings.value, session.set.value);
  return session.moves.value
    .filter(({ move }) => move === "mark")
    .flatMap(({ disc }) => {
      const group = groupWith(groups, disc as Disc);
      return group ? [{ disc: disc as Disc, group }] : [];
    })
    .sort((a, b) => b.group.discs.length - a.group.discs.length);
}

/** Lines round what is pointed at and, if they are few, round all that may be marked. */
export function choiceLines(session: Session, all: boolean): Marked[] {
  const found = choices(session);
  const preview = pointed.value ?? chosen.value;
  const lines: Marked[] = all
    ? found.filter(({ disc }) => key(disc) !== preview).map(({ group }) => ({ discs: group.discs, kind: "markable" }))
    : [];
  const shown = found.find(({ disc }) => key(disc) === preview);
  if (shown) lines.push({ discs: shown.group.discs, kind: "choosing", label: String(shown.group.discs.length) });
  return lines;
}

function mark(session: Session, { disc }: Choice): void {
  chosen.value = pointed.value = null;
  void session.move({ move: "mark", disc });
}

/** The first time it is shown, the second time it is marked. */
function choose(session: Session, choice: Choice): void {
  if (chosen.value === key(choice.disc)) mark(session, choice);
  else {
    chosen.value = key(choice.disc);
    announce(`${groupInWords(choice.group, session.game.value.words)}. ${t("mark_again")}`, "chosen");
  }
}

/** A click on the board with nothing in hand; `why` names the reason if a group cannot be marked. */
export function pickMark(session: Session, disc: Disc, why: (group: TableGroup) => string): void {
  const found = choices(session);
  if (!found.length) return;
  const group = groupWith(groupsOf(session.layings.value, session.set.value), disc);
  const choice = found.find((one) => one.group === group);
  session.notice.value = group && !choice ? { text: "", code: why(group) } : null;
  if (choice) choose(session, choice);
  else chosen.value = null;
}

/** While something may be marked; `confirm` says what is done. */
export function MarkChooser({ session, camera, confirm }: TableProps & { camera: Camera; confirm: string }) {
  useEffect(() => () => void (chosen.value = pointed.value = null), []);
  const [found, seat] = [choices(session), session.seat.value];
  if (!found.length || seat === null) return null;
  const look = ({ disc, group }: Choice) => {
    pointed.value = key(disc);
    if (!camera.sees(groupBox(group))) camera.fly(camera.fitted(groupBox(group), 3));
  };
  const { words } = session.game.value;
  const mixed = found.some(({ group }) => !group.closed);
  const selected = found.find(({ disc }) => key(disc) === chosen.value);
  return (
    <section class="game-panel floating choosing-marks" aria-label={t(words.markable)}>
      <p class="panel-title">
        <MarkIcon player={seat} marker={session.game.value.markerOf(session.requireView(), seat)} />
      </p>
      <ul class="chips" onKeyDown={(event) => walkList(event, { steps: ALL_ARROWS, isRing: true })}>
        {found.map((choice, i) => (
          <li key={key(choice.disc)}>
            <button
              type="button"
              class={key(choice.disc) === chosen.value ? "chip chosen" : "chip"}
              aria-pressed={key(choice.disc) === chosen.value}
              aria-label={groupInWords(choice.group, words)}
              title={groupInWords(choice.group, words)}
              data-first={i === 0 ? "" : undefined}
              {...onPointing((on) => (on ? look(choice) : (pointed.value = null)))}
              onClick={(event) => (event.detail ? choose(session, choice) : mark(session, choice))}
            >
              <DiscIcon colour={choice.group.colour} />
              <b>{formatNumber(choice.group.discs.length)}</b>
              {choice.group.closed && mixed && <Icon name="lock" />}
            </button>
          </li>
        ))}
      </ul>
      {selected && (
        <Commit
          does="mark"
          means={key(selected.disc)}
          isChosen
          class="primary"
          onCommit={() => mark(session, selected)}
        >
          <Icon name="done" /> <span>{confirm}</span>
        </Commit>
      )}
    </section>
  );
}

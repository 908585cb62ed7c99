/** The table of Conquest: three marks for each player, on groups that count at the end. */
import type { Marked } from "../board/board.tsx";
import type { Camera } from "../board/camera.ts";
import type { Disc } from "../geometry.ts";
import { key } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { View } from "../net/types.ts";
import type { TableProps } from "../pages/table.tsx";
import type { LogEntry, Session } from "../state/session.ts";
import { groupInWords, groupsOf, groupWith, type TableGroup } from "./groups.ts";
import { choiceLines, MarkChooser, pickMark } from "./mark-chooser.tsx";
import { MarkIcon, MarkOnBoard } from "./pieces.tsx";
import { type TurnParts, TurnTable } from "./turn-table.tsx";

const MARKS = 3;

export default function ConquestTable({ session }: TableProps) {
  return <TurnTable session={session} parts={PARTS} />;
}

interface Owned {
  player: number;
  disc: Disc;
  group: TableGroup | undefined;
}

function owned(session: Session): Owned[] {
  const groups = groupsOf(session.layings.value, session.set.value);
  return (session.view.value?.marks ?? []).map(({ player, disc }) => ({ player, disc, group: groupWith(groups, disc) }));
}

const PARTS: TurnParts = {
  extra: (view, seat) => <MarksLeft view={view} seat={seat} />,
  Panel: ConquestPanel,
  Overlay: Marks,
  groups: (session) => [
    ...owned(session).flatMap(({ player, group }): Marked[] => (group ? [{ discs: group.discs, kind: `owned seat-${player}` }] : [])),
    ...choiceLines(session, false),
  ],
  status: (session) => (session.may("mark") ? t("mark_title") : null),
  onPick: (session, _, disc) => pickMark(session, disc, (group) => (owned(session).some((one) => one.group === group) ? "group_marked" : "same_colour")),
};

function MarksLeft({ view, seat }: { view: View; seat: number }) {
  const left = view.marks_left?.[seat] ?? 0;
  return (
    <span class="marks-left" role="img" aria-label={t("marks_left", { count: left })} title={t("marks_left", { count: left })}>
      {Array.from({ length: MARKS }, (_, i) => <MarkIcon key={i} player={seat} used={i >= left} />)}
    </span>
  );
}

function ConquestPanel({ session, camera }: { session: Session; camera: Camera }) {
  const seat = session.seat.value;
  const names = session.table.value!.seats.map(({ name }) => name);
  const marks = owned(session).filter(({ group }) => group);
  return (
    <>
      {session.may("mark") && seat !== null && (
        <MarkChooser
          session={session}
          camera={camera}
          title={<MarkIcon player={seat} />}
          confirm={t("mark_confirm")}
        />
      )}
      {!!marks.length && (
        <ul class="hidden" aria-label={t("marks_on_table")}>
          {marks.map(({ player, disc, group }) => <li key={key(disc)}>{names[player]}: {groupInWords(group!)}</li>)}
        </ul>
      )}
    </>
  );
}

function Marks({ session }: { session: Session }) {
  return (
    <g class="marks" aria-hidden="true">
      {owned(session).map(({ player, disc, group }) => (
        <MarkOnBoard key={key(disc)} player={player} disc={disc} worth={group?.closed ? `+${group.discs.length}` : undefined} />
      ))}
      {lostMarks(session.log.value).map(({ player, disc }) => (
        <MarkOnBoard key={`lost ${key(disc)}`} player={player} disc={disc} kind="lost" />
      ))}
    </g>
  );
}

/** Marks that the last laying has cost: shown, crossed out, until the next one. */
export function lostMarks(log: readonly LogEntry[]): { player: number; disc: Disc }[] {
  let lost: { player: number; disc: Disc }[] = [];
  for (const event of log.slice(-12).flatMap(({ events }) => events)) {
    if (event.event === "laid" || event.event === "undone") lost = [];
    else if (event.event === "marks_lost") {
      lost = [...lost, ...(event.players as number[]).map((player, i) => ({ player, disc: event.discs[i] as Disc }))];
    }
  }
  return lost;
}

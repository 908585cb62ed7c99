/** The table of Conquest: three marks for each player, on groups that count at the end. */
import type { Camera } from "../../board/camera.ts";
import { key } from "../../geometry.ts";
import { formatSigned, t } from "../../i18n.ts";
import type { TableProps } from "../../state/session.ts";
import type { LogEntry } from "../../state/table-store.ts";
import {
  choiceLines,
  MarkChooser,
  findOwned,
  OwnedInWords,
  outlineOwned,
  pickMark,
} from "../../tables/mark-chooser.tsx";
import { MarkIcon, MarkOnBoard } from "../../tables/pieces.tsx";
import { turnTable } from "../../tables/turn-table.tsx";
import type { Mark } from "../game.ts";
import type { ConquestView, MarksLost } from "./game.ts";
import { itemAt } from "../../values.ts";

const MARKS = 3;

export default turnTable<ConquestView>({
  extra: (view, seat) => <MarksLeft left={itemAt(view.marks_left, seat)} seat={seat} />,
  Panel: ConquestPanel,
  Overlay: Marks,
  groups: (session) => [...outlineOwned(session), ...choiceLines(session, false)],
  status: (session) =>
    !session.may("mark")
      ? null
      : session.may("lay")
        ? t("mark_or_second", { points: formatSigned(-(session.charge.value ?? 0)) })
        : t("mark_title"),
  onPick: (session, _, disc) =>
    pickMark(session, disc, (group) =>
      findOwned(session).some((one) => one.group === group) ? "group_marked" : "same_colour",
    ),
});

function MarksLeft({ left, seat }: { left: number; seat: number }) {
  return (
    <span
      class="marks-left"
      role="img"
      aria-label={t("marks_left", { count: left })}
      title={t("marks_left", { count: left })}
    >
      {Array.from({ length: MARKS }, (_, i) => (
        <MarkIcon key={i} player={seat} used={i >= left} />
      ))}
    </span>
  );
}

function ConquestPanel({ session, camera }: TableProps<ConquestView> & { camera: Camera }) {
  return (
    <>
      <MarkChooser session={session} camera={camera} confirm={t("mark_confirm")} />
      {findOwned(session).length > 0 && <OwnedInWords session={session} label={t("marks_on_table")} />}
    </>
  );
}

function Marks({ session }: TableProps<ConquestView>) {
  return (
    <g class="marks" aria-hidden="true">
      {findOwned(session).map(({ player, disc, group }) => (
        <MarkOnBoard
          key={key(disc)}
          player={player}
          disc={disc}
          worth={group?.closed ? `+${group.discs.length}` : undefined}
        />
      ))}
      {lostMarks(session.store.log.value).map(({ player, disc }) => (
        <MarkOnBoard key={`lost ${key(disc)}`} player={player} disc={disc} lost />
      ))}
    </g>
  );
}

/** Marks that the last laying has cost: shown, crossed out, until the next one. */
export function lostMarks(log: readonly LogEntry[]): Mark[] {
  let lost: Mark[] = [];
  for (const event of log.slice(-12).flatMap(({ events }) => events)) {
    if (event.event === "laid" || event.event === "undone") lost = [];
    else if (event.event === "marks_lost") {
      const { players, discs } = event as unknown as MarksLost;
      lost = [...lost, ...players.map((player, i) => ({ player, disc: itemAt(discs, i) }))];
    }
  }
  return lost;
}

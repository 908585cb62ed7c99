/** The face of a bot at the table: it thinks, and minds what it and the others have just earned. */
import { useMemo } from "preact/hooks";
import { isLaid } from "../net/open.ts";
import { Boundary } from "../shell/boundary.tsx";
import type { Session } from "../state/session.ts";
import type { LogEntry } from "../state/table-store.ts";
import { type Mood, Portrait } from "../ui/portrait.tsx";
import { earnedPoints } from "../words.ts";
import { seatOf } from "./known-table.ts";

/** Points of a laying that a face minds. */
const NOTABLE_POINTS = 7;
/** So many entries of the log are news. */
const NEWS = 6;

interface SeatFaceProps {
  session: Session;
  seat: number;
}

export function SeatFace(props: SeatFaceProps) {
  return (
    <Boundary ornament>
      <Face {...props} />
    </Boundary>
  );
}

function Face({ session, seat }: SeatFaceProps) {
  const { program } = seatOf(session, seat);
  const log = session.store.log.value;
  const news = useMemo(() => findNews(log), [log]);
  if (!program) return null;
  const winners = session.view.value?.outcome?.winners;
  const isActing = session.acting.value.includes(seat);
  return (
    <span class="seat-face">
      <Portrait of={program} mood={findMood(seat, isActing, news, winners)} />
    </span>
  );
}

/** Who has laid last, if that was worth much. */
export function findNews(log: readonly LogEntry[]): number | null {
  const laid = log
    .slice(-NEWS)
    .flatMap(({ events }) => events)
    .filter(isLaid)
    .at(-1);
  return laid?.scores && earnedPoints(laid.earned) - laid.charge >= NOTABLE_POINTS ? laid.player : null;
}

export function findMood(
  seat: number,
  isActing: boolean,
  news: number | null,
  winners?: readonly number[],
): Mood | undefined {
  if (winners) return winners.includes(seat) ? "happy" : "annoyed";
  if (news !== null) return news === seat ? "happy" : "annoyed";
  return isActing ? "thinking" : undefined;
}

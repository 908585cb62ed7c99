/** Everybody's times at a table where a race is run, and one's own best ones. */
import type { RaceView, TableSummary } from "../net/protocol.ts";
import { bestOf, type Times } from "../state/bests.ts";
import { countNeeded } from "../state/races.ts";
import type { Session } from "../state/session.ts";
import { type Run, runsOf } from "../state/times.ts";
import { itemAt } from "../values.ts";

/** The runs of all players so far; none before the table has said when the race begins. */
export function runsAt(session: Session<RaceView>): Run[] {
  const [table, view] = [session.table.value, session.view.value];
  if (!view || table?.begins == null) return [];
  return runsOf(
    session.store.log.value,
    table.seats.length,
    countNeeded(itemAt(session.requireRace().frames(view.options, []), 0)),
    table.begins,
  );
}

/** Whether the solver helps at this table. */
export const helps = ({ hints, seats }: Pick<TableSummary, "hints" | "seats">): boolean =>
  hints === "yes" || (hints === "alone" && seats.length === 1);

/** The best times before this race on its course, of the player who sits here alone. */
export function bestTime(session: Session<RaceView>): Times | null {
  const [table, view, yours] = [session.table.value, session.view.value, session.yours.value];
  if (!table || !view || yours.length !== 1) return null;
  const helped = itemAt(table.seats, itemAt(yours, 0)).hints > 0;
  const best = bestOf({ game: view.game, course: session.requireRace().course(view.options), helped });
  return best?.table === session.id ? (best.before ?? null) : best;
}

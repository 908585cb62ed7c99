/** What the parts of an online table read of its session: they are shown only once the table is known. */
import type { Outcome, SeatSummary, TableSummary } from "../net/protocol.ts";
import type { Session } from "../state/session.ts";
import { itemAt, requireValue } from "../values.ts";

export const tableOf = (session: Pick<Session, "table">): TableSummary =>
  requireValue(session.table.value, "the table");

export const seatOf = (session: Pick<Session, "table">, seat: number): SeatSummary =>
  itemAt(tableOf(session).seats, seat);

/** The result, of a game that is over. */
export const outcomeOfTable = (session: Pick<Session, "view">): Outcome =>
  requireValue(session.view.value?.outcome, "the outcome");

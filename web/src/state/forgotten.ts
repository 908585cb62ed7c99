/**
 * Seats that the player has taken off the list. Only this browser forgets them: at the table nothing changes, so they
 * can be restored.
 */
import { type Known, knownTables, recall, remember } from "./storage.ts";

/** The seats that can be restored: the latest ones. */
const MAX_FORGOTTEN = 20;

export const forgottenSeats = (): Record<string, Known> => recall<Record<string, Known>>("forgotten", {});

export function forgetSeat(id: string): void {
  const { [id]: known, ...others } = knownTables();
  if (!known) return;
  const kept = Object.entries(forgottenSeats()).filter(([other]) => other !== id);
  remember("forgotten", Object.fromEntries([[id, known], ...kept].slice(0, MAX_FORGOTTEN)));
  remember("tables", others);
}

/** `seat`: for one that was forgotten a moment ago, though it may not be listed any more. */
export function restoreSeat(id: string, seat?: Known): void {
  const { [id]: known = seat, ...others } = forgottenSeats();
  if (!known) return;
  remember("tables", { [id]: known, ...knownTables() });
  remember("forgotten", others);
}

/** From now on, no one can restore these with this browser. */
export function eraseForgotten(ids: readonly string[]): void {
  remember("forgotten", Object.fromEntries(Object.entries(forgottenSeats()).filter(([id]) => !ids.includes(id))));
}

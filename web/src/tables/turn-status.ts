/** What is to be done now at the table of a game of turns, in a sentence. */
import { formatSigned, joinList, t, withColon } from "../i18n.ts";
import type { View } from "../net/protocol.ts";
import type { Session } from "../state/session.ts";

/** What the game knows better, if it does. */
type OwnStatus<V extends View> = (session: Session<V>) => string | null;

/** For ears `held` is false: the keys that hold a domino announce what to do with it. */
export function turnStatus<V extends View>(session: Session<V>, own?: OwnStatus<V>, held = true): string {
  const view = session.requireView();
  if (view.outcome) return t("over");
  const special = own?.(session);
  if (!session.myTurn.value) return special ?? waiting(session);
  const text = (held ? placing(session) : null) ?? special ?? onTurn(session);
  // Several at one screen: a sentence alone would not say who is meant.
  const seat = session.seat.value;
  return session.shared.value && seat !== null ? withColon(session.nameOf(seat), text) : text;
}

/** With a domino in hand. */
function placing({ placer, mayLay }: Session): string | null {
  if (!mayLay.value || placer.tile.value === null) return null;
  return placer.pinned.value && placer.ghost.value ? t("do_confirm") : t("do_place");
}

function onTurn(session: Session): string {
  const view = session.requireView();
  const laid = view.turn?.length ?? 0;
  const lays = session.may("lay");
  if (view.phase === "setup") return session.layings.value.length ? t("your_setup") : t("do_first");
  if (!lays && !session.moves.value.length) return t("your_turn");
  if (!laid) return lays ? t("do_lay") : session.may("pass") ? t("do_pass") : t("your_turn");
  const charge = session.charge.value;
  if (lays) return laid === 1 && charge !== null ? t("do_second", { points: formatSigned(-charge) }) : t("do_lay");
  return session.may("end") ? t("do_end") : t("your_turn");
}

function waiting(session: Session): string {
  const names = session.acting.value.map((seat) => session.nameOf(seat));
  return names.length ? t("is_playing", { name: joinList(names), count: names.length }) : "";
}

/** Whose colour the bar has. */
export function statusSeat(session: Session): number | null {
  if (session.wanted.value) return session.seat.value;
  const acting = session.acting.value;
  return acting.length === 1 ? (acting[0] ?? null) : null;
}

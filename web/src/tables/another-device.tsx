/**
 * A seat moves to another device by a link that carries its token. The token stands in the fragment,
 * which no browser sends: it reaches neither the server nor anybody's log.
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import { listed, t } from "../i18n.ts";
import { announce } from "../state/voice.ts";
import { Dialog } from "../shell/dialog.tsx";
import { address } from "../shell/router.ts";
import type { Session, TableProps } from "../state/session.ts";
import { forgetToken, keepToken, knownTables, offeredSeat, tokenOf } from "../state/storage.ts";
import { Icon } from "../ui/icon.tsx";

export const namesOf = (session: Session): string =>
  listed(session.yours.value.map((seat) => session.table.value!.seats[seat]!.name));

/** A token that came with the address and is not this browser's own: taken at once, unless it has another seat here. */
export function takeOffered(id: string): string | null {
  const token = offeredSeat(location.hash);
  if (!token) return null;
  // Nobody who looks at this screen, or at this browser's history, finds it there.
  history.replaceState(history.state, "", location.pathname + location.search);
  const known = tokenOf(id);
  if (known === null) keepToken(id, token, "");
  return token;
}

/** What became of a seat that the address offered. */
export function OfferedSeat({ session, offered }: TableProps & { offered: string | null }) {
  const token = useSignal(offered);
  const note = useSignal<string | null>(null);
  const asked = useSignal(offered !== null && offered !== tokenOf(session.id));
  // The page may be open already when its link is followed.
  useSignalEffect(() => {
    void address.value.hash;
    const found = takeOffered(session.id);
    if (!found) return;
    token.value = found;
    asked.value = found !== tokenOf(session.id);
    if (!asked.value) session.greet();
  });
  useSignalEffect(() => {
    const message = session.store.message.value;
    if (!message || token.value === null || token.value !== tokenOf(session.id)) return;
    if (knownTables()[session.id]!.game === message.table.game) return;
    if (message.yours.length) {
      keepToken(session.id, token.value, message.table.game, message.yours);
      note.value = t("seat_moved", { names: namesOf(session) });
    } else {
      forgetToken(session.id);
      note.value = t("seat_link_old");
    }
    announce(note.value);
    token.value = null;
  });
  return (
    <>
      {note.value && (
        <p class="row table-note moved">
          {note.value}{" "}
          <button type="button" class="tool" aria-label={t("close")} onClick={() => (note.value = null)}>
            <Icon name="close" />
          </button>
        </p>
      )}
      {asked.value && (
        <Dialog title={t("seat_other_title")} onClose={() => (asked.value = false)}>
          <p>{t("seat_other_text")}</p>
          <div class="buttons">
            <button type="button" autoFocus onClick={() => (asked.value = false)}>
              {t("seat_other_keep")}
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                keepToken(session.id, token.value!, "");
                asked.value = false;
                session.greet();
              }}
            >
              {t("seat_other_take")}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

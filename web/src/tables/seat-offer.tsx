/** What becomes of a seat that the address offers: it is taken, or a question about the seat that this browser has. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { t } from "../i18n.ts";
import { Dialog } from "../shell/dialog.tsx";
import type { TableProps } from "../state/session.ts";
import { forgetToken, keepToken, knownTables, tokenOf } from "../state/storage.ts";
import { announce } from "../state/voice.ts";
import { Icon } from "../ui/icon.tsx";
import { ownNames } from "./another-device.tsx";

export function SeatOffer({ session, token }: TableProps & { token: string }) {
  const isOpen = useSignal(true);
  const note = useSignal<string | null>(null);
  const asked = useSignal(token !== tokenOf(session.id));
  useSignalEffect(() => {
    const message = session.store.message.value;
    const known = knownTables()[session.id];
    if (!message || !isOpen.value || token !== known?.token || known.game === message.table.game) return;
    if (message.yours.length) {
      keepToken(session.id, token, message.table.game, message.yours);
      note.value = t("seat_moved", { names: ownNames(session) });
    } else {
      forgetToken(session.id);
      note.value = t("seat_link_old");
    }
    announce(note.value);
    isOpen.value = false;
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
                keepToken(session.id, token, "");
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

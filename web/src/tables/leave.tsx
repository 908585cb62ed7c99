/** In the menu of a table: the way out of a game that goes on. */
import { useSignal } from "@preact/signals";
import { t } from "../i18n.ts";
import { api } from "../net/api.ts";
import { useAsking } from "../panels/refusal.ts";
import { useWhileShown } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { TableProps } from "../state/session.ts";
import { tokenOf } from "../state/storage.ts";
import { Commit } from "../shell/commit.tsx";

/** Leaving is asked twice: once more with what it means. */
export function Leave({ session, onClose }: TableProps & { onClose(): void }) {
  const asked = useSignal(false);
  const { trouble, ask } = useAsking();
  const close = useWhileShown(onClose);
  const seats = session.yours.value.filter((seat) => !session.requireTable().seats[seat]?.away);
  const leave = (seat: number) => ask(() => api.leave(session.id, seat, tokenOf(session.id) ?? "").then(close));
  if (!seats.length) return null;
  return (
    <>
      <hr />
      {asked.value ? (
        <div class="buttons leave" role="group" aria-label={t("leave_table")}>
          <p>{t("leave_sure")}</p>
          {seats.map((seat) => (
            <Commit key={seat} does={`leave ${seat}`} class="danger" onCommit={() => void leave(seat)}>
              {session.shared.value ? t("leave_as", { name: session.nameOf(seat) }) : t("leave_table")}
            </Commit>
          ))}
          <button type="button" autoFocus onClick={() => (asked.value = false)}>
            {t("leave_stay")}
          </button>
        </div>
      ) : (
        <button type="button" onClick={() => (asked.value = true)}>
          {t("leave_table")} …
        </button>
      )}
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </>
  );
}

/**
 * Between players at one screen: a hand is hidden until its owner has taken the device. It is a
 * modal dialog, so that nothing behind it can be reached; and the session keeps the hand out of the
 * page until then.
 */
import { t } from "../i18n.ts";
import { Logo } from "../shell/app.tsx";
import { useModal } from "../shell/dialog.tsx";
import type { TableProps } from "../state/session.ts";

export function PrivacyScreen({ session }: TableProps) {
  const dialog = useModal();
  const seat = session.seat.value;
  if (seat === null) return null;
  const name = session.nameOf(seat);
  return (
    <dialog
      ref={dialog}
      class="cloth privacy"
      aria-labelledby="privacy-title"
      aria-describedby="privacy-text"
      onCancel={(event) => event.preventDefault()}
    >
      <div class={`card stack centred privacy-card seat-${seat}`} key={seat}>
        <Logo />
        <h2 id="privacy-title">{t("pass_device", { name })}</h2>
        <p id="privacy-text" class="soft">
          {t("pass_device_text")}
        </p>
        <button type="button" class="primary big" autoFocus onClick={() => (session.uncovered.value = seat)}>
          {t("i_am_here", { name })}
        </button>
        <a href="/">{t("home")}</a>
      </div>
    </dialog>
  );
}

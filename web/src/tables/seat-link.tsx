/** In the menu of a table: the link that moves a seat to another device, and a new one in its place. */
import { t } from "../i18n.ts";
import { useAsking } from "../panels/refusal.ts";
import { announce } from "../state/voice.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { renewSeat } from "../state/renewal.ts";
import type { TableProps } from "../state/session.ts";
import { seatLink, tokenOf } from "../state/storage.ts";
import { ownNames } from "./another-device.tsx";
import { LinkBox, linkToTable } from "./invite.tsx";

export function SeatLink({ session }: TableProps) {
  const { busy, trouble, ask } = useAsking();
  const token = tokenOf(session.id);
  if (!token || !session.yours.value.length) return null;
  const names = ownNames(session);
  const renew = () =>
    ask(async () => {
      await renewSeat(session.id, session.yours.value[0]!);
      announce(t("seat_renewed"));
      session.greet();
    });
  return (
    <div class="another-device">
      <LinkBox
        link={seatLink(linkToTable(session.id), token)}
        text={`${t("another_device_text")} ${t("another_device_secret", { names })}`}
        qr={t("another_device_qr", { names })}
      />
      <p>
        {t("seat_renew_text")}{" "}
        <button type="button" disabled={busy.value} onClick={() => void renew()}>
          {t("seat_renew")}
        </button>
      </p>
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </div>
  );
}

/** In the menu of a table: it moves from this device to the server, or back. */
import { useSignal } from "@preact/signals";
import { t } from "../i18n.ts";
import { invitesOf, moveToDevice, moveToServer } from "../state/moving.ts";
import { useAsking } from "../panels/refusal.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { go } from "../shell/router.ts";
import type { TableProps } from "../state/session.ts";
import { seatLink } from "../state/storage.ts";
import { LinkBox, linkToTable } from "./invite.tsx";

/** "Continue with friends": who else plays at this screen may get a link. */
export function MoveToServer({ session }: TableProps) {
  const [, ...others] = session.yours.value;
  const invited = useSignal<readonly number[]>(others);
  const toggle = (seat: number, isInvited: boolean) => {
    const rest = invited.value.filter((one) => one !== seat);
    invited.value = isInvited ? [...rest, seat] : rest;
  };
  return (
    <Moving
      text={t(others.length ? "move_to_server_text" : "move_alone_text")}
      label={t("move_to_server")}
      move={() => moveToServer(session.id, invited.value)}
    >
      {others.map((seat) => (
        <label key={seat} class="switch">
          <input
            type="checkbox"
            checked={invited.value.includes(seat)}
            onChange={(event) => toggle(seat, event.currentTarget.checked)}
          />
          <span>{t("move_seat", { name: session.nameOf(seat) })}</span>
        </label>
      ))}
    </Moving>
  );
}

export function MoveToDevice({ id, token }: { id: string; token: string }) {
  return (
    <Moving text={t("move_to_device_text")} label={t("move_to_device")} move={() => moveToDevice(id, token)}>
      {null}
    </Moving>
  );
}

interface MovingProps {
  text: string;
  label: string;
  /** Resolves to the id of the table where it goes on. */
  move(): Promise<string>;
  children: preact.ComponentChildren;
}

function Moving({ text, label, move, children }: MovingProps) {
  const { busy, trouble, ask } = useAsking();
  return (
    <div class="stack">
      <p>{text}</p>
      {children}
      <p>
        <button
          type="button"
          class="primary"
          disabled={busy.value}
          onClick={() => void ask(async () => go(`/t/${await move()}`, { replace: true }))}
        >
          {label}
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

/** The links to the seats that friends take over. */
export function SeatInvites({ session }: TableProps) {
  return (
    <div class="stack">
      {invitesOf(session.id).map(({ seat, token }) => {
        const name = session.nameOf(seat);
        return (
          <LinkBox
            key={seat}
            link={seatLink(linkToTable(session.id), token)}
            text={t("move_link_text", { name })}
            qr={t("move_link_qr", { name })}
          />
        );
      })}
    </div>
  );
}

/** What the menu of a table offers: pages, keys, moving to another device, leaving, inviting. */
import { isStatic } from "../base.ts";
import { useSignal } from "@preact/signals";
import { t } from "../i18n.ts";
import { hasEngine } from "../net/device-backend.ts";
import { invitesOf } from "../state/moving.ts";
import { PageLinks } from "../shell/app.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { loadLazily } from "../shell/lazy.tsx";
import { gameName, isOurs } from "../state/catalogue.ts";
import { challengeOf } from "../state/challenges.ts";
import type { Session, TableProps } from "../state/session.ts";
import { tokenOf } from "../state/storage.ts";
import { MuteSwitch } from "./mute-switch.tsx";
import { Invite } from "./invite.tsx";
import { helpOpen, wordsOpen } from "./keys.ts";
import { loadMoving } from "./load-moving.ts";
import { loadNotices } from "./load-notices.ts";

const SeatLink = loadLazily(() => import("./seat-link.tsx").then(({ SeatLink }) => SeatLink));
const Leave = loadLazily(() => import("./leave.tsx").then(({ Leave }) => Leave));
const MoveToServer = loadLazily(() => loadMoving().then(({ MoveToServer }) => MoveToServer));
const MoveToDevice = loadLazily(() => loadMoving().then(({ MoveToDevice }) => MoveToDevice));
const SeatInvites = loadLazily(() => loadMoving().then(({ SeatInvites }) => SeatInvites));
const Notices = loadLazily(loadNotices);

/** A table of the server where no one else plays can go on at this device. */
function canMoveHere(session: Session): boolean {
  const { seats, game, phase } = session.requireTable();
  const people = seats.filter(({ program }) => !program).length;
  return (
    phase !== "waiting"
    && people > 0
    && people === session.yours.value.length
    && hasEngine()
    && isOurs(game)
    && !challengeOf(session.id)
  );
}

export function MenuDialog({ session, onClose }: TableProps & { onClose(): void }) {
  const table = session.table.value;
  const moving = useSignal(false);
  const part = useSignal<"server" | "device" | "links" | null>(null);
  if (!table) return null;
  const token = tokenOf(session.id);
  // Another dialog takes the focus, which would be lost with the button that was pressed.
  if (part.value)
    return (
      <Dialog
        key={part.value}
        title={t(part.value === "links" ? "move_links" : part.value === "server" ? "move_to_server" : "move_to_device")}
        onClose={onClose}
      >
        {part.value === "links" && <SeatInvites session={session} />}
        {part.value === "server" && <MoveToServer session={session} />}
        {part.value === "device" && token && <MoveToDevice id={session.id} token={token} />}
      </Dialog>
    );
  // Nothing else that could be scanned, or pressed by mistake, stands beside the code of a seat.
  if (moving.value)
    return (
      <Dialog key="another_device" title={t("another_device")} onClose={onClose}>
        <SeatLink session={session} />
      </Dialog>
    );
  const playing = table.phase === "playing";
  const shared = table.capabilities.includes("share");
  return (
    <Dialog title={gameName(table.game)} onClose={onClose}>
      <div class="buttons">
        <a class="button" href="/" onClick={onClose}>
          {t("home")}
        </a>
        {isOurs(table.game) && (
          <a class="button" href={`/rules/${table.game}`} target="_blank" rel="noopener">
            {t("rules")}
          </a>
        )}
        <button
          type="button"
          onClick={() => {
            onClose();
            helpOpen.value = true;
          }}
        >
          {t("key_help_open")} <kbd>?</kbd>
        </button>
        {playing && (
          <button
            type="button"
            onClick={() => {
              onClose();
              wordsOpen.value = true;
            }}
          >
            {t("key_words")} <kbd>W</kbd>
          </button>
        )}
      </div>
      <nav class="row menu-pages" aria-label={t("pages")}>
        <PageLinks rules={!isOurs(table.game)} />
      </nav>
      <MuteSwitch session={session} />
      {shared && session.yours.value.length > 0 && (
        <p>
          <button type="button" onClick={() => (moving.value = true)}>
            {t("another_device")} …
          </button>
        </p>
      )}
      {shared && !session.can("verify") && <p class="note">{t("moved_note")}</p>}
      {playing && session.yours.value.length > 0 && session.can("move") && !isStatic && (
        <p>
          <button type="button" onClick={() => (part.value = "server")}>
            {t("move_to_server")} …
          </button>
        </p>
      )}
      {shared && canMoveHere(session) && (
        <p>
          <button type="button" onClick={() => (part.value = "device")}>
            {t("move_to_device")} …
          </button>
        </p>
      )}
      {shared && invitesOf(session.id).length > 0 && (
        <p>
          <button type="button" onClick={() => (part.value = "links")}>
            {t("move_links")} …
          </button>
        </p>
      )}
      {shared && table.phase !== "over" && session.yours.value.length > 0 && <Notices session={session} />}
      {shared && playing && session.yours.value.length > 0 && !challengeOf(table.id) && (
        <Leave session={session} onClose={onClose} />
      )}
      {shared && <hr />}
      {shared && (
        <Invite table={table} text={table.spectators === "none" && playing ? t("watch_none") : t("watch_text")} />
      )}
    </Dialog>
  );
}

/** The menu of a table, in the header: inviting, leaving, keys; and notes above the table. */
import { isStatic } from "../base.ts";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { speakAlso, t } from "../i18n.ts";
import { api } from "../net/api.ts";
import { hasEngine } from "../net/device-backend.ts";
import { useAsking } from "../panels/refusal.ts";
import { whereIs } from "../panels/where.ts";
import { headerTools } from "../shell/app.tsx";
import { Boundary } from "../shell/boundary.tsx";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { loadLazily } from "../shell/lazy.tsx";
import { gameName } from "../state/catalogue.ts";
import type { TableProps } from "../state/session.ts";
import { knownTables, tokenOf } from "../state/storage.ts";
import { loadNotices } from "./load-notices.ts";
import { PresenceTools } from "./presence.tsx";
import { SoundSwitch } from "./sound-switch.tsx";
import { Icon } from "../ui/icon.tsx";
import { Fill } from "../ui/slot.tsx";

/** Also loaded ahead, by the page, for times without a server. */
export const loadMenu = () =>
  Promise.all([import("./menu-dialog.tsx"), speakAlso("menu")]).then(([{ MenuDialog }]) => MenuDialog);
const MenuDialog = loadLazily(loadMenu);
const Notices = loadLazily(loadNotices);

/** With so much time for a turn, players do not wait at the table. */
const LONG_TURN_S = 3600;

/** Puts the menu's button into the header while a table is shown. */
export function TableMenu({ session }: TableProps) {
  useEffect(() => {
    if (!knownTables()[session.id]?.renewal) return;
    void import("../state/renewal.ts")
      .then(({ finishRenewal }) => finishRenewal(session.id))
      .then((done) => done && session.greet());
  }, [session]);
  return (
    <Fill slot={headerTools}>
      <Boundary part>
        {!isStatic && (hasEngine() || session.can("move")) && (
          <span class="where">{whereIs(session.requireTable().capabilities)}</span>
        )}
        <SoundSwitch />
        <NoticesButton session={session} />
        <PresenceTools session={session} />
        <MenuButton session={session} />
      </Boundary>
    </Fill>
  );
}

/** Where turns take days, notifications are offered first. */
function NoticesButton({ session }: TableProps) {
  const open = useSignal(false);
  const table = session.table.value;
  if (
    !table
    || !session.yours.value.length
    || table.phase === "over"
    || !table.capabilities.includes("share")
    || table.clock.kind !== "turn"
    || table.clock.seconds < LONG_TURN_S
  )
    return null;
  const label = t("notices_title");
  return (
    <>
      <button
        type="button"
        class="tool notices-button"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => (open.value = true)}
      >
        <Icon name="bell" />
      </button>
      {open.value && (
        <Dialog title={gameName(table.game)} onClose={() => (open.value = false)}>
          <Notices session={session} />
        </Dialog>
      )}
    </>
  );
}

function MenuButton({ session }: TableProps) {
  const open = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="menu-button"
        aria-label={t("table_menu_label")}
        aria-haspopup="dialog"
        onClick={() => (open.value = true)}
      >
        <Icon name="menu" /> <span class="menu-word">{t("table_menu")}</span>
      </button>
      {open.value && <MenuDialog session={session} onClose={() => (open.value = false)} />}
    </>
  );
}

/** Above the table: who is away can return, who has no seat watches. */
export function TableNotes({ session }: TableProps) {
  const { trouble, ask } = useAsking();
  const table = session.requireTable();
  const yours = session.yours.value;
  const playing = table.phase === "playing";
  // For whom the others let a program play returns without being asked (`useReturn`).
  const away = playing ? yours.filter((seat) => table.seats[seat]?.away) : [];
  const note = (seat: number) =>
    session.shared.value ? t("is_away", { name: session.nameOf(seat) }) : t("you_are_away");
  useAnnouncement(away.map(note).join(" "), "urgent");
  if (!playing) return null;
  if (!yours.length) {
    return (
      <p class="row table-note watching">{table.spectators === "none" ? t("you_watch_nothing") : t("you_watch")}</p>
    );
  }
  if (!away.length) return null;
  const comeBack = (seat: number) => ask(() => api.comeBack(session.id, seat, tokenOf(session.id) ?? ""));
  return (
    <div class="row table-note away">
      {away.map((seat) => (
        <span key={seat}>
          {note(seat)}{" "}
          <button type="button" class="primary" onClick={() => void comeBack(seat)}>
            {t("come_back")}
          </button>
        </span>
      ))}
      {trouble.value && <span class="notice">{trouble.value}</span>}
    </div>
  );
}

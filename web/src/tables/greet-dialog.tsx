/** One of a few greetings to everyone at the table, and whether greetings are shown. */
import { t, tt } from "../i18n.ts";
import { useAsking } from "../panels/refusal.ts";
import { Dialog } from "../shell/dialog.tsx";
import { useWhileShown } from "../shell/hooks.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { GREETINGS } from "../state/presence.ts";
import type { TableProps } from "../state/session.ts";
import { MuteSwitch } from "./mute-switch.tsx";

export function GreetDialog({ session, onClose }: TableProps & { onClose(): void }) {
  const { busy, trouble, ask } = useAsking();
  const seat = session.seat.value;
  const close = useWhileShown(onClose);
  if (seat === null) return null;
  // A button that is disabled loses the focus, and then Esc would not reach the dialog.
  const say = async (greeting: (typeof GREETINGS)[number]) =>
    busy.value || ask(() => session.presence.say(seat, greeting).then(close));
  const title = session.shared.value ? t("greet_as", { name: session.nameOf(seat) }) : t("greet");
  return (
    <Dialog title={title} kind="greeting" onClose={onClose}>
      <div class="cards greetings" style={{ "--card": "9rem" }}>
        {GREETINGS.map((greeting) => (
          <button key={greeting} type="button" aria-disabled={busy.value} onClick={() => void say(greeting)}>
            {tt(`greet_${greeting}`)}
          </button>
        ))}
      </div>
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
      <MuteSwitch session={session} />
    </Dialog>
  );
}

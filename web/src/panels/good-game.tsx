/** After a game: one thing to say, without looking for it. */
import { useSignal } from "@preact/signals";
import { t } from "../i18n.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import type { Session } from "../state/session.ts";
import { Icon } from "../ui/icon.tsx";
import { mayGreet } from "./presence.tsx";
import { useAsking } from "./refusal.ts";

export function GoodGame({ session }: { session: Session }) {
  const { busy, trouble, ask } = useAsking();
  const said = useSignal(false);
  const seat = session.seat.value;
  if (seat === null || !mayGreet(session)) return null;
  const say = () => ask(() => session.presence.say(seat, "good_game").then(() => (said.value = true)));
  return (
    <>
      <button type="button" disabled={busy.value || said.value} onClick={() => void say()}>
        <Icon name={said.value ? "done" : "speech"} /> {t("greet_good_game")}
      </button>
      {trouble.value && (
        <AnnouncedText class="notice" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </>
  );
}

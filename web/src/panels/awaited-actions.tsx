/** Actions of the others while the table waits for a player: a reminder, or a bot that plays instead. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../i18n.ts";
import { api } from "../net/api.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { Commit } from "../shell/commit.tsx";
import { tokenOf } from "../state/storage.ts";
import { announce } from "../state/voice.ts";
import { Icon } from "../ui/icon.tsx";
import { clock } from "./now.ts";
import type { SeatProps } from "./presence.tsx";
import { useAsking } from "./refusal.ts";

/** Milliseconds until the same player can be reminded once more. */
const REMINDER_PAUSE_MS = 30_000;

/** `replaceIn`: milliseconds until a bot may play; null: never. */
export function AwaitedActions({ replaceIn, ...props }: SeatProps & { name: string; replaceIn: number | null }) {
  return (
    <>
      <Remind {...props} />
      {replaceIn !== null
        && (replaceIn > 0 ? (
          <span class="note">{t("replace_in", { time: clock(replaceIn) })}</span>
        ) : (
          <Replace {...props} />
        ))}
    </>
  );
}

function Remind({ session, seat, name }: SeatProps & { name: string }) {
  const { busy, trouble, ask } = useAsking();
  const reminder = useSignal<"reached" | "missed" | null>(null);
  useEffect(() => {
    if (!reminder.value) return undefined;
    const timer = setTimeout(() => (reminder.value = null), REMINDER_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [reminder.value]);
  const remind = () =>
    ask(async () => {
      reminder.value = (await session.presence.remind(seat)) ? "reached" : "missed";
      announce(reminder.value === "reached" ? t("reminded_name", { name }) : t("remind_missed", { name }));
    });
  return (
    <>
      <button
        type="button"
        disabled={busy.value || reminder.value !== null}
        aria-label={t("remind_name", { name })}
        onClick={() => void remind()}
      >
        {reminder.value === "reached" && <Icon name="done" />}{" "}
        {reminder.value === "reached" ? t("reminded") : t("remind")}
      </button>
      {reminder.value === "missed" && <span class="note">{t("remind_missed", { name })}</span>}
      {trouble.value && (
        <AnnouncedText as="span" class="note" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </>
  );
}

function Replace({ session, seat, name }: SeatProps & { name: string }) {
  const { busy, trouble, ask } = useAsking();
  const replace = () => ask(() => api.replace(session.id, seat, tokenOf(session.id) ?? ""));
  return (
    <>
      <Commit
        does="replace"
        means={`${seat} ${name}`}
        disabled={busy.value}
        aria-label={t("replace_name", { name })}
        onCommit={() => void replace()}
      >
        {t("replace")}
      </Commit>
      {trouble.value && (
        <AnnouncedText as="span" class="note" manner="urgent">
          {trouble.value}
        </AnnouncedText>
      )}
    </>
  );
}

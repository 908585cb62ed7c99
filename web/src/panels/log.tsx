/** What has happened, in words; the newest at the top. */
import { t } from "../i18n.ts";
import { guarded } from "../shell/boundary.tsx";
import type { Session } from "../state/session.ts";
import { eventInWords } from "../words.ts";

const MOST_LINES = 200;

export const Log = guarded(Lines);

function Lines({ session }: { session: Session }) {
  const names = session.table.value!.seats.map(({ name }) => name);
  const game = session.game.value;
  const lines = session.log.value
    .flatMap(({ version, events }) => events.map((event, i) => ({ key: `${version}.${i}`, event, text: eventInWords(event, names, game, events) })))
    .filter(({ event, text }) => text && !game.quiet.includes(event.event))
    .slice(-MOST_LINES)
    .reverse();
  return (
    <section class="log" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <ol reversed>
        {lines.map(({ key, event, text }) => (
          <li key={key} class={event.player === undefined ? "" : `seat-${event.player}`}>{text}</li>
        ))}
      </ol>
    </section>
  );
}

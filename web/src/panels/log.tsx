/** The log as a score sheet: a row for each turn, the newest at the top; in words for ears, and on demand. */
import { useMemo } from "preact/hooks";
import type { Game } from "../games/game.ts";
import { language, t } from "../i18n.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { loadLazily } from "../shell/lazy.tsx";
import { onPointing } from "../shell/hooks.ts";
import type { Session } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import type { LogEntry } from "../state/table-store.ts";
import { UP_AND_DOWN, walkList } from "../ui/focus.ts";
import { capital } from "../words.ts";
import { lineInWords, type TurnLine, turnLines } from "../state/turn-lines.ts";
import { tableOf } from "./known-table.ts";

const MAX_LINES = 200;

const Sheet = loadLazily(() => import("./log-sheet.tsx").then(({ Sheet }) => Sheet));

export interface WordedLine extends TurnLine {
  text: string;
}

/** The lines that say something, the newest first. */
export function writeLines(log: readonly LogEntry[], names: readonly string[], game: Game): WordedLine[] {
  return turnLines(log, game)
    .flatMap((line) => {
      const text = lineInWords(line, names, game);
      return text ? [{ ...line, text }] : [];
    })
    .reverse();
}

interface LogProps {
  session: Session;
  /** A turn is pointed at, or none any more. */
  onPoint(line: TurnLine | null): void;
}

export const Log = withBoundary(Lines);

function Lines({ session, onPoint }: LogProps) {
  const table = tableOf(session);
  const game = session.game.value;
  const names = table.seats.map(({ name }) => name);
  const lines = useMemo(
    () => writeLines(session.store.log.value, names, game).slice(0, MAX_LINES),
    [session.store.log.value, names.join(), game, language.value],
  );
  const isInWords = settings.logInWords.value;
  const { value: yours } = session.yours;
  /** At a screen of one's own, one's own name is no news. */
  const called = (seat: number) => (yours.length === 1 && yours[0] === seat ? capital(t("you")) : (names[seat] ?? "?"));
  return (
    <section class="log" aria-label={t("log")}>
      <div class="row apart log-head">
        <h2>{t("log")}</h2>
        <button
          type="button"
          class="chip log-words"
          aria-pressed={isInWords}
          onClick={() => (settings.logInWords.value = !isInWords)}
        >
          {t("log_in_words")}
        </button>
      </div>
      <ol reversed onKeyDown={(event) => walkList(event, { steps: UP_AND_DOWN })}>
        {lines.map((line, i) => (
          <li key={line.first} class={seatClass(line)}>
            {line.layings.length ? (
              <button
                type="button"
                class="log-line"
                tabIndex={i ? -1 : 0}
                {...onPointing((on) => onPoint(on ? line : null))}
                onClick={() => onPoint(line)}
              >
                <span class={isInWords ? "" : "hidden"}>{line.text}</span>
                {!isInWords && <Sheet line={line} set={session.set.value} called={called} />}
              </button>
            ) : (
              <span class="log-line">{line.text}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

export const seatClass = ({ player }: TurnLine): string => (player === null ? "" : `seat-${player}`);

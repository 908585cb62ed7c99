/** The log as a score sheet: a row for each turn, the newest at the top; in words for ears, and on demand. */
import { useMemo } from "preact/hooks";
import { FacePicture } from "../board/domino.tsx";
import type { TileSet } from "../data.ts";
import type { Game } from "../games/game.ts";
import { parseLaying } from "../geometry.ts";
import { formatMinus, formatSigned, language, t } from "../i18n.ts";
import { type GameEvent, isLaid } from "../net/open.ts";
import type { Laid } from "../net/protocol.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { onPointing } from "../shell/hooks.ts";
import type { Session } from "../state/session.ts";
import { settings } from "../state/settings.ts";
import type { LogEntry } from "../state/table-store.ts";
import { UP_AND_DOWN, walkList } from "../ui/focus.ts";
import { Icon } from "../ui/icon.tsx";
import { capital, earnedPoints } from "../words.ts";
import { lineInWords, type TurnLine, turnLines } from "../state/turn-lines.ts";
import { tableOf } from "./known-table.ts";

const MAX_LINES = 200;

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

interface SheetProps {
  line: TurnLine;
  set: TileSet;
  called(seat: number): string;
}

/** A turn at a glance: who, what was laid, what it brought in parts, and the sum; before it, who paid whom. */
function Sheet({ line: { events, layings, player }, set, called }: SheetProps) {
  const laid = events.filter(isLaid);
  const scored = laid.filter(({ scores }) => scores);
  const sum = scored.reduce((points, { earned, charge }) => points + earnedPoints(earned) - charge, 0);
  return (
    <span class="sheet" aria-hidden="true">
      <Payment events={events} called={called} />
      <span class="sheet-name">{player === null ? "" : called(player)}</span>
      <span class="sheet-faces">
        {layings.map((text) => {
          const { tile, side } = parseLaying(text);
          return <FacePicture key={text} tile={tile} side={side} set={set} />;
        })}
      </span>
      <span class="sheet-parts">
        {scored.map((one, i) => (
          <Parts key={i} laid={one} />
        ))}
      </span>
      {scored.length > 0 && <b>{formatSigned(sum)}</b>}
    </span>
  );
}

/** Discs as a number by a disc, closed groups as their sizes in rings of their colours, and what the domino cost. */
function Parts({ laid: { earned, charge } }: { laid: Laid }) {
  return (
    <>
      {charge > 0 && <span class="sheet-charge">{formatMinus(-charge)}</span>}
      {earned.contacts > 0 && <span class="sheet-discs">{earned.contacts}</span>}
      {earned.groups.map(({ colour, size }, i) => (
        <span key={i} class={`sheet-group in-${colour}`}>
          {size}
        </span>
      ))}
    </>
  );
}

/** An auction in a line. */
function Payment({ events, called }: { events: readonly GameEvent[]; called(seat: number): string }) {
  const paid = events.flatMap(({ event, player, points }) =>
    event === "paid" && typeof player === "number" && typeof points === "number" ? [{ player, points }] : [],
  );
  const payer = paid.find(({ points }) => points < 0);
  if (!payer) return null;
  const getter = paid.find(({ points }) => points > 0);
  return (
    <span class="sheet-paid">
      {called(payer.player)} {formatSigned(payer.points)}
      {getter && (
        <>
          {" "}
          <Icon name="arrow" /> {called(getter.player)} {formatSigned(getter.points)}
        </>
      )}
    </span>
  );
}

export const seatClass = ({ player }: TurnLine): string => (player === null ? "" : `seat-${player}`);

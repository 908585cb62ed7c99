/** The log, turn by turn: what was taken back is left out, and what belongs to a turn stands together. */
import type { Game } from "../games/game.ts";
import { type GameEvent, isLaid } from "../net/open.ts";
import { formatSigned, t, withSemicolons } from "../i18n.ts";
import { earnedInWords, earnedPoints, eventInWords } from "../words.ts";
import type { LogEntry } from "./table-store.ts";

/** One turn, or what else is worth a line. */
export interface TurnLine {
  /** The versions of its first and of its last entry. */
  first: number;
  last: number;
  /** Whose turn it is; null if it is no player's. */
  player: number | null;
  events: GameEvent[];
  /** All events of the moves that these belong to. */
  among: GameEvent[];
  /** What was laid in it and still lies there. */
  layings: string[];
}

/** Players come and go; that is announced as their presence. */
export const COMING_AND_GOING: readonly string[] = ["left_table", "stood_in", "came_back"];

/** Lines of their own, in every turn. */
const APART = ["ended", "passed_over", ...COMING_AND_GOING];

/** The log without what was taken back, and without the undoing. */
export function withoutUndone(log: readonly LogEntry[], game: Game): LogEntry[] {
  const kept: LogEntry[] = [];
  for (const entry of log) {
    const undoing = entry.events.filter(({ event }) => event in game.undoes);
    for (const { event, laying } of undoing) {
      const at = kept.findLastIndex(({ events }) =>
        events.some((one) => one.event === game.undoes[event] && one.laying === laying),
      );
      // With a laying goes all that followed from it.
      if (at >= 0) kept.splice(at, 1);
    }
    // What goes with the undoing is its consequence; but a round is judged in the same move that clears it away.
    if (undoing.length && !game.inRounds) continue;
    kept.push({ ...entry, events: entry.events.filter((event) => !undoing.includes(event)) });
  }
  return kept;
}

/** The lines of a log, the oldest first. */
export function turnLines(log: readonly LogEntry[], game: Game): TurnLine[] {
  const lines: TurnLine[] = [];
  let over = true;
  for (const { version, events } of withoutUndone(log, game)) {
    for (const event of events) {
      let line = lines.at(-1);
      if (!line || !belongs(event, line, over, version, game)) {
        line = { first: version, last: version, player: null, events: [], among: [], layings: [] };
        lines.push(line);
        over = false;
      }
      if (!line.events.length || line.last !== version) line.among.push(...events);
      line.events.push(event);
      line.last = version;
      // An auction begins with its caller; the turn belongs to the player who lays.
      if (!game.inRounds && (line.player === null || isLaid(event))) line.player = event.player ?? null;
      if (isLaid(event) || event.event === "framed") line.layings.push(String(event.laying));
      over ||= game.turnEnds.includes(event.event) || APART.includes(event.event);
    }
  }
  return lines;
}

function belongs(event: GameEvent, line: TurnLine, over: boolean, version: number, game: Game): boolean {
  if (APART.includes(event.event) || game.turnBegins.includes(event.event)) return false;
  if (game.inRounds) return true;
  const others = event.player !== undefined && event.player !== null && event.player !== line.player;
  // After its end, what a turn has brought about still belongs to it: reaching the target, drawing.
  if (over) return !others && line.last === version && !isLaid(event);
  if (isLaid(event) && line.events.some((one) => isLaid(one) && one.scores !== event.scores)) return false;
  return !others || game.shared.includes(event.event) || line.events.every((one) => game.shared.includes(one.event));
}

/** What has happened since a seat's last turn, the newest first; for those who only look on, in the last round. */
export function sinceLastTurn(log: readonly LogEntry[], game: Game, seat: number | null, seats: number): TurnLine[] {
  const lines = turnLines(log, game)
    .filter(({ events }) => events.some(({ event }) => !game.quiet.includes(event)))
    .reverse();
  if (game.inRounds) return lines.slice(0, 2);
  const own = ({ player }: TurnLine) => player === seat;
  if (seat === null || !lines.some(own)) return lines.slice(0, 2 * seats);
  // The turn under way is not the last one.
  const others = lines.findIndex((line) => !own(line) && line.player !== null);
  const end = lines.findIndex((line, i) => i > others && own(line));
  return others < 0 ? [] : lines.slice(others, end < 0 ? undefined : end);
}

/** A line in words; null if there is nothing worth a line. */
export function lineInWords({ events, among, player }: TurnLine, names: readonly string[], game: Game): string | null {
  const laid = events.filter(isLaid).filter(({ scores }) => scores);
  const parts: string[] = [];
  for (const event of events) {
    if (game.quiet.includes(event.event)) continue;
    if (laid.length && isLaid(event) && event.scores) {
      if (event === laid[0]) parts.push(layingsInWords());
    } else if (event.event !== "turn_ended") {
      const words = eventInWords(event, names, game, among);
      if (words) parts.push(words);
    }
  }
  return parts.length ? inARow(parts) : null;

  /** All that was laid in the turn, with its sum. */
  function layingsInWords(): string {
    const points = laid.reduce((sum, { earned, charge }) => sum + earnedPoints(earned) - charge, 0);
    const parts = laid.map(
      ({ earned, charge }) => earnedInWords(earned) + (charge ? t("log_charge", { points: charge }) : ""),
    );
    return t("log_laid_points", {
      name: names[player ?? -1] ?? "?",
      points: formatSigned(points),
      earned: withSemicolons(parts),
    });
  }
}

/** Several sentences, or parts of one, in a row. */
export function inARow(words: readonly string[]): string {
  return words.reduce((row, word) => (row ? `${row}${/[.!?]$/.test(row) ? " " : " · "}${word}` : word), "");
}

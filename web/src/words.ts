/** The game in words: for the log, for screen readers, and for people who do not see colours. */
import type { Colour, TileSet } from "./data.ts";
import { type Game, type GameWords, type Say, type EventSentence, USUAL_WORDS } from "./games/game.ts";
import type { Laying, Side } from "./geometry.ts";
import { formatNumber, joinList, t, tt } from "./i18n.ts";
import type { Candidate } from "./state/placement.ts";
import { discPoints } from "./state/points.ts";
import { type GameEvent, isLaid } from "./net/open.ts";
import type { Earned } from "./net/protocol.ts";

export const colourName = (letter: string): string => tt(`colour_${letter}`);

/** "Centre yellow; from the left end clockwise: red, yellow, yellow, red, red, red". */
export function faceInWords(tile: string, side: Side, set: TileSet): string {
  const [middle = "", ...rest] = [...set.face(tile, side)] as Colour[];
  return t("face_words", { centre: colourName(middle), colours: rest.map(colourName).join(", ") });
}

/** What a laying earned, before any charge. */
export function earnedPoints({ contacts, groups }: Earned): number {
  return groups.reduce((sum, { size }) => sum + size, discPoints(contacts));
}

/** "2 discs and closes yellow (7 and 1)"; a game may have its own words for them. */
export function earnedInWords(earned: Earned, words: GameWords = USUAL_WORDS): string {
  const parts: string[] = [];
  if (earned.contacts) parts.push(t(words.discs, { count: earned.contacts }));
  for (const colour of new Set(earned.groups.map((group) => group.colour))) {
    const sizes = earned.groups.filter((group) => group.colour === colour).map(({ size }) => formatNumber(size));
    parts.push(t(words.closes, { colour: colourName(colour), count: sizes.length, sizes: joinList(sizes) }));
  }
  return joinList(parts);
}

/** "7 points", also below zero. */
export const pointsInWords = (count: number): string => t("said_points", { count }).replace("-", "−");

/** Capitalize the first letter, as at the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Lines as sentences, one after the other; each ends once. */
export const sentences = (lines: readonly string[]): string =>
  lines.map((line) => (/[.!?…]$/.test(line) ? line : `${line}.`)).join(" ");

/** Something, and what there is to say of it; not every language writes a colon alike. */
export const attribute = (name: string, text: string): string => t("said_by", { name, text });

/** Which side of a domino is up. */
export const sideName = (side: Side): string => capital(side === "+" ? t("recto") : t("verso"));

/** The place of a laying: "row 3, column -2, lying east". */
export function placeInWords(laying: Laying): string {
  return t("place_words", { row: laying.y, column: laying.x, direction: tt(`direction_${laying.rotation}`) });
}

/** A legal laying for screen readers: where, what it makes, what it earns. */
export function candidateInWords({ laying, scored, makes }: Candidate, words?: GameWords): string {
  const place = placeInWords(laying);
  if (makes) return attribute(place, earnedInWords(makes, words));
  if (!scored) return place;
  const earned = earnedInWords({ contacts: scored.contacts, groups: scored.groups });
  return attribute(place, t("said_points", { count: scored.points }) + (earned ? ` (${earned})` : ""));
}

/** The line of an event in the log, `among` the events of its move; null if it has none. */
export function eventInWords(
  event: GameEvent,
  names: readonly string[],
  game: Game,
  among: readonly GameEvent[] = [],
): string | null {
  const name = event.player === undefined || event.player === null ? "" : (names[event.player] ?? "?");
  const say: Say = (text, values = {}) => t(text, { name, ...values });
  if (isLaid(event)) {
    const earned = earnedInWords(game.preview === "discs" ? { ...event.earned, groups: [] } : event.earned, game.words);
    if (!event.scores) return earned ? say("log_laid_with", { earned }) : say("log_laid");
    const points = earnedPoints(event.earned) - event.charge;
    const charge = event.charge ? t("log_charge", { points: event.charge }) : "";
    return say("log_laid_points", { earned: earned + charge, points: pointsInWords(points) });
  }
  // The author of a sentence knows the fields of its kind of event.
  const known = Object.hasOwn(game.eventSentences, event.event)
    ? (game.eventSentences[event.event] as EventSentence)
    : null;
  const sentence = known ?? game.otherSentence;
  return sentence ? sentence(event, say, names, among) : null;
}

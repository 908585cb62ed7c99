/** Where the points of a finished game come from, player by player. */
import type { Game } from "../games/game.ts";
import { isLaid } from "../net/open.ts";
import { discPoints } from "./points.ts";
import type { LogEntry } from "./table-store.ts";
import { withoutUndone } from "./turn-lines.ts";

/** Events besides layings that change a score, by what their points are. */
const OTHER_EVENTS = ["mark_counted", "paid"] as const;
const KINDS = ["discs", "groups", "charge", ...OTHER_EVENTS, "other"] as const;
export type PartKind = (typeof KINDS)[number];

export interface ScorePart {
  kind: PartKind;
  points: number;
}

/** The parts of a score that are not 0; none where layings earn nothing by themselves, or there is only one. */
export function splitScore(log: readonly LogEntry[], game: Game, seat: number, score: number): ScorePart[] {
  const sums = new Map<PartKind, number>();
  const add = (kind: PartKind, points: number) => sums.set(kind, (sums.get(kind) ?? 0) + points);
  let hasLaid = false;
  for (const event of withoutUndone(log, game).flatMap(({ events }) => events)) {
    if (event.player !== seat) continue;
    if (isLaid(event) && event.scores) {
      hasLaid = true;
      add("discs", discPoints(event.earned.contacts));
      add(
        "groups",
        event.earned.groups.reduce((sum, { size }) => sum + size, 0),
      );
      add("charge", -event.charge);
    }
    const kind = OTHER_EVENTS.find((name) => name === event.event);
    if (kind && typeof event.points === "number") add(kind, event.points);
  }
  if (!hasLaid) return [];
  add("other", score - [...sums.values()].reduce((sum, points) => sum + points, 0));
  const parts = KINDS.flatMap((kind) => (sums.get(kind) ? [{ kind, points: sums.get(kind) ?? 0 }] : []));
  return parts.length > 1 ? parts : [];
}

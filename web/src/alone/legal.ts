/** What may be laid on a table and what it earns (rules 0), as `POST /api/legal` answers it. */
import { SET_120, tileSet, type TileSet } from "../data.ts";
import { bounds, type Disc, type Laying, parsePosition, printLaying } from "../geometry.ts";
import type { Scored } from "../net/api.ts";
import { findClosedGroups } from "../state/groups.ts";
import { EVERYWHERE, Layout } from "../state/layout.ts";
import { discPoints } from "../state/points.ts";
import { itemAt } from "../values.ts";

/** What a laying that fits earns, in parts. */
export function scoreLaying(laying: Laying, layings: readonly Laying[], set: TileSet = SET_120): Scored {
  const contacts = new Layout(set, EVERYWHERE, layings).contacts(laying);
  return scoreContacts(laying, contacts, layings, set);
}

const byPlace = ([a, b]: Disc, [c, d]: Disc): number => a - c || b - d;

function scoreContacts(laying: Laying, contacts: number, layings: readonly Laying[], set: TileSet): Scored {
  const groups = findClosedGroups(laying, [...layings, laying], set)
    .map(({ colour, size, discs }) => ({ colour, size, discs: [...discs].sort(byPlace) }))
    .sort(
      (one, other) =>
        other.size - one.size
        || one.colour.localeCompare(other.colour)
        || byPlace(itemAt(one.discs, 0), itemAt(other.discs, 0)),
    );
  const [disc_points, group_points] = [discPoints(contacts), groups.reduce((sum, { size }) => sum + size, 0)];
  return {
    laying: printLaying(laying),
    contacts,
    disc_points,
    groups,
    group_points,
    points: disc_points + group_points,
  };
}

/** Every legal laying of some dominoes, the best first. */
export function legal({
  position,
  tiles,
  set: name,
}: {
  position: string;
  tiles: readonly string[];
  set: string;
}): Record<string, Scored[]> {
  const [set, layings] = [tileSet(name), parsePosition(position)];
  const layout = new Layout(set, EVERYWHERE);
  for (const laying of layings) layout.lay(laying);
  return Object.fromEntries(
    tiles.map((tile) => [
      tile,
      places(tile, layings)
        .filter((laying) => !layout.refusal(laying) && (!layings.length || layout.contacts(laying) > 0))
        .map((laying) => scoreContacts(laying, layout.contacts(laying), layings, set))
        .sort((one, other) => other.points - one.points),
    ]),
  );
}

/** Wherever a domino could touch what lies there. */
function places(tile: string, layings: readonly Laying[]): Laying[] {
  if (!layings.length) return (["+", "-"] as const).map((side) => ({ tile, side, rotation: 0, x: 0, y: 0 }));
  const { left, top, right, bottom } = bounds(layings);
  const found: Laying[] = [];
  for (const side of ["+", "-"] as const) {
    for (let y = top - 2; y < bottom + 2; y++) {
      for (let x = left - 2; x < right + 2; x++)
        for (let rotation = 0; rotation < 4; rotation++) found.push({ tile, side, rotation, x, y });
    }
  }
  return found;
}

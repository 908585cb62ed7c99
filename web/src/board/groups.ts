/** The groups on the table (rules 0): for outlines, for lists of what may be marked, and for ears. */
import { discColours, groupAt, openings } from "../state/groups.ts";
import type { Colour, TileSet } from "../data.ts";
import { type GameWords, USUAL_WORDS } from "../games/game.ts";
import { type Box, type Disc, key, type Laying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { colourName } from "../words.ts";

export interface TableGroup {
  colour: Colour;
  discs: Disc[];
  /** The half-discs that keep it open. */
  openings: Disc[];
  closed: boolean;
}

const known = new WeakMap<readonly Laying[], TableGroup[]>();

/** Every group of complete discs; a disc that is only half there belongs to none. */
export function groupsOf(layings: readonly Laying[], set: TileSet): TableGroup[] {
  let found = known.get(layings);
  if (!found) {
    found = [];
    const colours = discColours(layings, set);
    const seen = new Set<string>();
    for (const { disc, colour, whole } of colours.values()) {
      if (!whole || seen.has(key(disc))) continue;
      const discs = groupAt(disc, colours);
      for (const one of discs) seen.add(key(one));
      const open = openings(discs, colours);
      found.push({ colour, discs, openings: open, closed: !open.length });
    }
    known.set(layings, found);
  }
  return found;
}

export function groupWith(groups: readonly TableGroup[], disc: Disc): TableGroup | undefined {
  const at = key(disc);
  return groups.find(({ discs }) => discs.some((one) => key(one) === at));
}

/** "yellow, 7 discs, open at 2 places". */
export function groupInWords(group: TableGroup, words: GameWords = USUAL_WORDS): string {
  return `${colourName(group.colour)}, ${t(words.size, { count: group.discs.length })}, ${openInWords(group)}`;
}

/** "closed", "open at 2 places". */
export function openInWords({ closed, openings }: TableGroup): string {
  return closed ? t("group_closed") : t("group_open_at", { count: openings.length });
}

/** The box of cells round a group. */
export function groupBox({ discs }: TableGroup): Box {
  const [xs, ys] = [discs.map(([x]) => x / 2), discs.map(([, y]) => y / 2)];
  return {
    left: Math.min(...xs) - 0.5,
    top: Math.min(...ys) - 0.5,
    right: Math.max(...xs) + 0.5,
    bottom: Math.max(...ys) + 0.5,
  };
}

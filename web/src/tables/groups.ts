/** The groups on the table (rules 0): for outlines, and for lists of what may be marked. */
import { discColours, groupAt, isClosed } from "../board/outline.ts";
import type { Colour, TileSet } from "../data.ts";
import type { GameWords } from "../games/game.ts";
import { type Box, type Disc, key, type Laying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { colourName } from "../words.ts";

export interface TableGroup {
  colour: Colour;
  discs: Disc[];
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
      found.push({ colour, discs, closed: isClosed(discs, colours) });
    }
    known.set(layings, found);
  }
  return found;
}

export function groupWith(groups: readonly TableGroup[], disc: Disc): TableGroup | undefined {
  const at = key(disc);
  return groups.find(({ discs }) => discs.some((one) => key(one) === at));
}

/** "yellow, 7 discs, closed". */
export function groupInWords({ colour, discs, closed }: TableGroup, words: GameWords): string {
  return `${colourName(colour)}, ${t(words.size, { count: discs.length })}, ${closed ? t("group_closed") : t("group_open")}`;
}

/** The box of cells round a group. */
export function groupBox({ discs }: TableGroup): Box {
  const [xs, ys] = [discs.map(([x]) => x / 2), discs.map(([, y]) => y / 2)];
  return { left: Math.min(...xs) - 0.5, top: Math.min(...ys) - 0.5, right: Math.max(...xs) + 0.5, bottom: Math.max(...ys) + 0.5 };
}

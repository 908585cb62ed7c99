/** One's own games that are over, the latest first, as far as the server still has them. */
import { tileSet, type TileSet } from "../data.ts";
import { gameOf } from "../games/general.ts";
import { type Laying, parseLaying, parsePosition } from "../geometry.ts";
import { api } from "../net/api.ts";
import { Refused } from "../net/backend.ts";
import type { RaceView, TableSummary, View } from "../net/protocol.ts";
import { nameSeat } from "./cast.ts";
import type { Frame } from "./placement.ts";
import { frameFor, framesFor } from "./races.ts";
import { type Known, knownTables } from "./storage.ts";

/** The latest tables, whose results are requested. */
const MOST = 30;

export interface Finished {
  id: string;
  known: Known;
  table: TableSummary;
  /** What a spectator sees; null where there are none. */
  view: View | null;
}

/** A game that is over stays as it is: its result is requested once. */
const seen = new Map<string, Finished>();

export async function finishedGames(): Promise<Finished[]> {
  const latest = Object.entries(knownTables())
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST);
  const found = await Promise.all(
    latest.map(async ([id, known]): Promise<Finished | null> => {
      const one = seen.get(id);
      if (one) return one;
      try {
        const { table, views } = await api.fetch(id);
        if (table.phase !== "over") return null;
        const over = { id, known, table, view: Object.values(views)[0] ?? null };
        seen.set(id, over);
        return over;
      } catch (error) {
        if (error instanceof Refused) return null; // Gone, or the server cannot be reached: then there are none.
        throw error;
      }
    }),
  );
  return found.filter((one) => one !== null);
}

export const namesOf = ({ table }: Finished): string[] => table.seats.map(nameSeat).map(({ name }) => name);

/** Whether its turns can be studied: all of a race happens in frames. */
export const hasTurns = ({ table }: Finished): boolean => !gameOf(table.game).race;

export interface Ending {
  set: TileSet;
  layings: Laying[];
  frame: Frame | null;
}

/** What lay there at the end: the table, or one's own frame; null where nothing is shown. */
export function endingOf({ known, table, view }: Finished): Ending | null {
  const { race, set } = gameOf(table.game);
  if (!view) return null;
  const dominoes = tileSet(table.options.set ?? set);
  if (!race) return view.table ? { set: dominoes, layings: parsePosition(view.table), frame: null } : null;
  const { frames, outcome } = view as RaceView;
  const layings = (frames[known.seats?.[0] ?? outcome?.winners[0] ?? 0] ?? []).map(parseLaying);
  return { set: dominoes, layings, frame: frameFor(framesFor(race.frames(table.options, layings), layings), layings) };
}

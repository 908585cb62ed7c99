/** What may be placed on a table that all share: a function of what the server sent. */
import type { TileSet } from "../data.ts";
import type { Game } from "../games/game.ts";
import { type Laying, parseLaying } from "../geometry.ts";
import type { Scored } from "../net/api.ts";
import type { OfferedLaying, TableSummary, View } from "../net/protocol.ts";
import { findClosedGroups } from "./groups.ts";
import type { SeatMay } from "./may-loader.ts";
import { type Candidate, NO_PLACEMENT, type Placement } from "./placement.ts";

export interface TurnPosition<V extends View> {
  table: Pick<TableSummary, "aids">;
  game: Game<V>;
  view: V;
  set: TileSet;
  /** What lies there, and what is under way to the server. */
  layings: readonly Laying[];
  sent: readonly Laying[];
  /** What the seat may do; null while it is not known. */
  may: SeatMay | null;
  /** The dominoes that it may lay or try. */
  playable: readonly string[];
  mayLay: boolean;
  showsPoints: boolean;
}

/** The dominoes in hand with all their layings: off turn, one may try before. */
export function placeOnTable<V extends View>(position: TurnPosition<V>): Placement {
  const { table, game, view, set, sent, may, playable, mayLay, showsPoints } = position;
  const hand = playable.filter((tile) => !sent.some((laying) => laying.tile === tile));
  const layings = sent.length ? [...position.layings, ...sent] : position.layings;
  const isHelped = table.aids === "all" && showsPoints && view.phase !== "setup";
  const charge = may?.charge ?? null;
  const preview = isHelped ? (game.preview ?? (charge === null ? null : "points")) : null;
  const listCandidates = (offered: readonly OfferedLaying[]) =>
    offered.map((one) => createCandidate(one, preview, layings, set));
  // Where the other dominoes fit beside a laying that is under way, the server will say.
  const isKnown = may !== null && !sent.length;
  // On turn, the game may allow less than the table does: what can be paid for.
  const isBarred = mayLay && !may?.lays;
  const candidates = isKnown
    ? hand.map((tile): [string, Candidate[]] => [tile, isBarred ? [] : listCandidates(may.layings[tile] ?? [])])
    : [];
  return {
    ...NO_PLACEMENT,
    set,
    words: game.words,
    hand,
    layings,
    candidates: new Map(candidates),
    charge: preview === "points" ? (charge ?? 0) : 0,
  };
}

/** A laying with as much of what it makes as the game shows beforehand. */
function createCandidate(
  offered: OfferedLaying,
  preview: Game["preview"],
  layings: readonly Laying[],
  set: TileSet,
): Candidate {
  const laying = parseLaying(offered.laying);
  if (!preview || !hasPoints(offered)) return { laying };
  // Which discs a group has is found when it is looked at: there may be hundreds of layings.
  const groups = offered.groups.map(({ colour, size }, i, all) => ({
    colour,
    size,
    get discs() {
      const alike = (one: { colour: string; size: number }) => one.colour === colour && one.size === size;
      const found = findClosedGroups(laying, [...layings, laying], set).filter(alike);
      return found[all.slice(0, i).filter(alike).length]?.discs ?? [];
    },
  }));
  if (preview === "points") return { laying, scored: { ...offered, groups } };
  return { laying, makes: { ...offered, groups: preview === "discs" ? [] : groups } };
}

const hasPoints = (offered: OfferedLaying): offered is Scored => offered.points !== undefined;

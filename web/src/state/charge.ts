/** What the dominoes of a turn cost after the first: in our games, and in variants of them by others. */
import { gameOf } from "../games/general.ts";
import type { View } from "../net/protocol.ts";
import { CHARGE } from "../words.ts";
import { infoOf } from "./catalogue.ts";

/** Null where turns earn no points, or nobody here knows what they cost. */
export function chargeOf(game: string, { options }: View): number | null {
  const usual = gameOf(game).preview === "points" ? CHARGE : infoOf(game)?.charge;
  if (usual === undefined) return null;
  return typeof options.charge === "number" ? options.charge : usual;
}

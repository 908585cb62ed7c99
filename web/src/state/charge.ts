/** What the next domino of a turn costs in a game of another package, whose messages do not say it. */
import type { View } from "../net/protocol.ts";
import { infoOf } from "./catalogue.ts";

/** Null where turns earn no points, or the package does not say what dominoes cost. */
export function chargeOf(game: string, { options, turn, active, viewer }: View): number | null {
  const charge = infoOf(game)?.charge;
  if (charge === undefined) return null;
  if (!turn?.length || active !== viewer) return 0;
  return typeof options.charge === "number" ? options.charge : charge;
}

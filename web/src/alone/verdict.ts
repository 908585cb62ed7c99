/** How good an attempt at a problem is, as `POST /api/problem/check` answers it. */
import { SET_120 } from "../data.ts";
import { type Laying, parseLaying } from "../geometry.ts";
import { Refused } from "../net/backend.ts";
import type { Solved, Verdict } from "../net/problems.ts";
import { EVERYWHERE, insideFrame, Layout } from "../state/layout.ts";
import { CHARGE } from "../state/points.ts";
import { scoreLaying } from "./legal.ts";

export function verdict(problem: Solved, texts: readonly string[]): Verdict {
  const layings = texts.map(parseLaying);
  return problem.kind === "turn" ? ofTurn(problem, layings, texts) : { solved: fills(problem, layings) };
}

function ofTurn(
  { position, tiles, solution, points: best }: Solved,
  layings: readonly Laying[],
  texts: readonly string[],
): Verdict {
  if (!layings.length || layings.length > tiles.length) throw new Refused("bad_turn", "");
  if (layings.some(({ tile }) => !tiles.includes(tile))) throw new Refused("not_in_hand", "");
  const table = position.map(parseLaying);
  const layout = new Layout(SET_120, EVERYWHERE, table);
  const parts = layings.map((laying) => {
    const part = scoreLaying(laying, table);
    if (!layout.lay(laying)) throw new Refused("no_contact", "");
    table.push(laying);
    return part;
  });
  const charge = layings.length > 1 ? CHARGE : 0;
  const points = parts.reduce((sum, part) => sum + part.points, 0) - charge;
  const more = best! - points;
  const same = [...texts].sort().join() === [...solution].sort().join();
  return { solved: more === 0, parts, charge, points, more, other_order: more > 0 && same };
}

function fills({ position, tiles, frame }: Solved, layings: readonly Laying[]): boolean {
  const [width, height] = frame!;
  const given = position.map(parseLaying);
  const layout = new Layout(SET_120, insideFrame({ width, height }), given);
  for (const laying of layings) {
    if (!tiles.includes(laying.tile) || layout.refusal(laying) === "outside_frame")
      throw new Refused("not_in_hand", "");
    layout.lay(laying);
  }
  return new Set([...given, ...layings].map(({ tile }) => tile)).size === tiles.length;
}

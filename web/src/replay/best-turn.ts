/** Turns to show at a position of a replay: the best one there, or how a frame could have been completed. */
import { t } from "../i18n.ts";
import type { Scored } from "../net/api.ts";
import { study } from "../net/study.ts";
import { partsOf } from "../panels/best-turn.tsx";
import type { ShownTurn } from "../panels/replay-stage.tsx";
import type { Replay, TurnSummary } from "../state/replay.ts";
import type { Review } from "../state/review.ts";
import { itemAt, requireValue } from "../values.ts";

/** Find the better turn of the review, or the best turn, at a position; a turn under way counts from its beginning. */
export async function findBest(
  replay: Replay,
  review: Review | null,
  position: number,
): Promise<{ position: number; shown: ShownTurn } | null> {
  const turn = replay.turnAt(position);
  if (!turn?.best) return null;
  const reviewed = review?.turnFrom(turn.first);
  const { layings } = reviewed?.better ?? turn.best;
  const table = replay.at(turn.first).view.table ?? "";
  const parts = replay.setName ? await partsOf(table, layings, replay.setName) : undefined;
  const text = (reviewed?.better && reviewed.why) || bestTurnInWords(replay, turn, turn.best.points, parts);
  const played = turn.layings.filter((laying) => !layings.includes(laying));
  return {
    position: turn.first,
    shown: { layings, text, parts: replay.game.unit === "points" ? parts : undefined, played },
  };
}

function bestTurnInWords(replay: Replay, turn: TurnSummary, points: number, parts: Scored[] | undefined): string {
  if (replay.game.unit === "discs") return t("replay_most_discs", { count: points });
  if (replay.game.unit === "cells") return t("replay_most_cells", { count: points, discs: parts?.[0]?.contacts ?? 0 });
  const values = { count: points, played: turn.points };
  // Rounds are for all; elsewhere a turn has its player, who may have bought it.
  return replay.game.inRounds || turn.player === null
    ? t("replay_best_is", values)
    : t("replay_best_of", { name: replay.names[turn.player] ?? "", ...values });
}

/** Ask how a frame can be completed from a position. */
export async function completeFrame(replay: Replay, position: number, seat: number): Promise<ShownTurn> {
  const race = requireValue(replay.game.race, "a race");
  const view = requireValue(replay.raceView(position), "a race");
  const found = await study.solve({
    ...replay.frame(position, seat),
    tiles: race.stock(view, seat, replay.set()),
    position: itemAt(view.frames, seat).join(" "),
    faces: "both",
    count: 1,
    seed: "0",
    set: replay.setName ?? "120",
  });
  const [layings] = found.solutions;
  if (layings) return { layings, seat, text: t("replay_completed") };
  return { layings: [], seat, text: found.complete ? t("replay_not_completed") : t("solver_gave_up_short") };
}

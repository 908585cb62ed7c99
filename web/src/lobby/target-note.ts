/** A note beside the target: whether it is realistic with these players and dominoes, as measured between bots. */
import type { GameInfo } from "../data.ts";
import { t, textOr, tt } from "../i18n.ts";
import measured from "./targets.json";

/** Which targets bots reach, as measured (scripts/write_targets.py). */
interface MeasuredTargets {
  /** How many games were played for each row. */
  games: number;
  /**
   * By game, set and number of players: the best score of all games, and then the targets that at least 1, 2, ... 10
   * of 10 games reach.
   */
  reached: Record<string, Record<string, Record<string, number[]>>>;
}

export const TARGETS: MeasuredTargets = measured;

export interface TargetReach {
  /** In how many of 10 games bots reach the target, rounded down. */
  tenths: number;
  /** The best score of all games. */
  best: number;
  /** The highest round target that 9 of 10 games reach. */
  realistic: number;
}

/** A target that this many of 10 games reach is realistic. */
const REALISTIC_TENTHS = 9;

/** How often a target is reached; null where that was not measured. */
export function reachOf(game: string, set: string, players: number, target: number): TargetReach | null {
  const row = TARGETS.reached[game]?.[set]?.[String(players)];
  if (!row) return null;
  const [best = 0, ...reached] = row;
  return {
    tenths: reached.filter((score) => score >= target).length,
    best,
    realistic: Math.floor((reached[REALISTIC_TENTHS - 1] ?? 0) / 10) * 10,
  };
}

export interface TargetNote {
  text: string;
  /** The game will most likely end without the target. */
  warns: boolean;
}

/** What to say about the target that the options of a new table ask for; null where there is nothing to say. */
export function targetNote(
  { name, options: known }: GameInfo,
  options: Readonly<Record<string, unknown>>,
  players: number,
): TargetNote | null {
  const value = (name: string) => options[name] ?? known.find((option) => option.name === name)?.default;
  const limits = known.find((option) => option.name === "target");
  const [target, set] = [Number(value("target")), String(value("set"))];
  const { least = Infinity, most = -Infinity } = limits ?? {};
  const isAllowed = target >= least && target <= most;
  // Alex may be played for a number of rounds instead.
  const reach = isAllowed && value("end") !== "rounds" ? reachOf(name, set, players, target) : null;
  if (!reach) return null;
  const { tenths, best, realistic } = reach;
  const verdict =
    tenths >= REALISTIC_TENTHS ? "realistic" : tenths > 1 ? "ambitious" : best >= target ? "rare" : "beyond";
  const said = [tt(`target_${verdict}`, { players, set, target, tenths, best, games: TARGETS.games })];
  const isAdvised = tenths < REALISTIC_TENTHS || realistic > target;
  if (isAdvised && realistic >= least) said.push(t("target_advice", { target: Math.min(realistic, most) }));
  if (verdict !== "realistic") said.push(textOr(`target_otherwise_${name}`, t("target_otherwise")));
  return { text: said.join(" "), warns: tenths <= 1 };
}

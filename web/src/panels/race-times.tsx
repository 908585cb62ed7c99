/** The times of a race that is over: for each player when each quarter of the frame was full, and the help. */
import { useMemo } from "preact/hooks";
import { t } from "../i18n.ts";
import { type Best, keepRun } from "../state/bests.ts";
import type { Replay } from "../state/replay.ts";
import { difference, type Split, splitName, timeInFigures } from "../state/times.ts";
import { PositionLink } from "./curve.tsx";
import { requireValue } from "../values.ts";

export interface RaceTimesProps {
  replay: Replay;
  /** The reader's seat, and the splits to compare with. */
  own?: number;
  beside?: readonly (number | null)[];
  onPick?(position: number): void;
  /** The address of a position, on pages without `onPick`. */
  link?(position: number): string;
}

export function RaceTimes({ replay, own, beside, ...where }: RaceTimesProps) {
  const runs = useMemo(() => replay.runs(), [replay]);
  if (!runs?.length) return null;
  const { hints } = replay.document;
  const cell = (split: Split) =>
    split.time === null || split.place === null ? (
      "–"
    ) : (
      <PositionLink position={split.place} number={timeInFigures(split.time)} {...where} />
    );
  return (
    <table class="race-times">
      <caption class="hidden">{t("race_times")}</caption>
      <thead>
        <tr>
          {runs[0]?.splits.map((split, i) => (
            <th key={i} scope="col">
              {splitName(i)}
              <small> {split.count}</small>
            </th>
          ))}
        </tr>
      </thead>
      {runs.map(({ splits, most }, seat) => (
        <tbody key={seat} class={`seat-${seat}`}>
          <tr>
            <th scope="rowgroup" colSpan={splits.length}>
              <span class="token small" aria-hidden="true">
                {seat + 1}
              </span>{" "}
              {replay.names[seat]}
              {!!hints?.[seat] && <small> {t("problem_with_hints", { count: hints[seat] })}</small>}
            </th>
          </tr>
          <tr>
            {splits.map((split, i) => (
              <td key={i}>
                {/* A player who did not fill the frame had so many dominoes at most. */}
                {i === splits.length - 1 && split.time === null && most.time !== null ? (
                  <small>
                    {t("pool_count", { count: most.count })} {cell(most)}
                  </small>
                ) : (
                  cell(split)
                )}
                {seat === own && split.time !== null && <Beside time={split.time} best={beside?.[i]} />}
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

function Beside({ time, best }: { time: number; best: number | null | undefined }) {
  if (best == null || best === time) return null;
  return <small class={time < best ? "ahead" : "notice"}>{difference(time - best)}</small>;
}

/** One's own best time, which may have been run just now. */
export function bestInWords(best: Best, isNew: boolean, helped: boolean): string {
  const time = timeInFigures(best.time);
  if (isNew) return t(helped ? "best_new_helped" : "best_new", { time });
  return t(helped ? "best_time_helped" : "best_time", { time });
}

/** The best time after this race; only races that the player alone filled count. */
export function ownBest(replay: Replay, seat: number, table: string): Best | null {
  const run = replay.runs()?.[seat];
  const alone = replay.moments.every(({ move, cause }) => move?.player !== seat || cause === "player");
  if (!run || !alone) return null;
  const { game, options, hints } = replay.document;
  return keepRun(
    { game, course: requireValue(replay.game.race, "a race").course(options), helped: !!hints?.[seat] },
    run,
    table,
  );
}

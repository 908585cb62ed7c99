/** "12 people have found it": for players who have answered. */
import { useEffect } from "preact/hooks";
import { t } from "../i18n.ts";
import type { Kind } from "../net/problems.ts";
import { gradeOf, recallResult } from "./days.ts";
import { fetchFoundCount, foundCounts, counterName } from "./found.ts";

/** Nothing before the answer: it would say how hard the problem is. */
export function FoundBy({ kind = "turn", date }: { kind?: Kind; date: string | null }) {
  const result = date ? recallResult(kind, gradeOf(date), date) : null;
  const answered = !!result && (result.solved || !!result.shown);
  const name = counterName(kind, date ?? "");
  useEffect(() => {
    if (answered && date) fetchFoundCount(kind, date);
  }, [name, answered]);
  const count = foundCounts.value[name];
  if (!answered || !count) return null;
  return (
    <span class="found-by">
      {count === 1 && result.solved ? t("problem_found_first") : t("problem_found_by", { count })}
    </span>
  );
}

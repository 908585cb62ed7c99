/**
 * The problem of a day as a card: how hard it is, whether it is solved, for how many days in a row, and how many others
 * have found it.
 */
import { FacePicture } from "../board/domino.tsx";
import { PROBLEMS, SET_120, TILES } from "../data.ts";
import { t } from "../i18n.ts";
import type { Kind } from "../net/problems.ts";
import { Icon } from "../ui/icon.tsx";
import { dayInWords, gradeOf, problemLink, isDaySolved, streak } from "./days.ts";
import { FoundBy } from "./found-by.tsx";
import { Grade } from "./grade.tsx";
import { itemAt } from "../values.ts";

export function TodayCard({ day, kind }: { day: string; kind: Kind }) {
  const grade = gradeOf(day);
  const days = kind === "turn" ? streak(day) : 0;
  const solved = isDaySolved(day, kind);
  const [width, height] = itemAt(PROBLEMS.sizes, grade - 1);
  return (
    <a class={solved ? "card problem-card solved" : "card problem-card"} href={problemLink({ kind, date: day })}>
      <span class="problem-hand" aria-hidden="true">
        {dominoesOf(day).map((tile) => (
          <FacePicture key={tile} tile={tile} side={kind === "turn" ? "+" : "-"} set={SET_120} />
        ))}
      </span>
      <b class="lead">{kind === "turn" ? t("problem_of_the_day") : t("problem_frame_of_the_day")}</b>
      <span>{kind === "turn" ? t("problem_card") : t("problem_frame_card", { width, height })}</span>
      <small class="row small">
        <Grade grade={grade} /> {dayInWords(day, "short")}
        {solved && (
          <span class="good">
            <Icon name="done" /> {t("problem_is_solved")}
          </span>
        )}
        {days > 0 && <span class="strong problem-streak">{t("problem_streak", { count: days })}</span>}
        <FoundBy kind={kind} date={day} />
      </small>
    </a>
  );
}

/** Two dominoes to look at, others every day; they are not those of the problem. */
const dominoesOf = (day: string): string[] =>
  [7, 11].map((step) => itemAt(TILES, (step * Number(day.replaceAll("-", ""))) % TILES.length).name);

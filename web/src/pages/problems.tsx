/** All problems: those of today and of earlier days, problems for practice by grade, and the player's results. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { PROBLEMS } from "../data.ts";
import { dateFormat, t, tt } from "../i18n.ts";
import type { Kind } from "../net/problems.ts";
import { Icon } from "../ui/icon.tsx";
import {
  dayInWords,
  midnightOf,
  gradeOf,
  addDays,
  problemLink,
  newSeed,
  isDaySolved,
  weekday,
} from "../problems/days.ts";
import { Grade } from "../problems/grade.tsx";
import { Results } from "../problems/results.tsx";
import { TodayCard } from "../problems/today-card.tsx";
import { useToday } from "../problems/use-today.ts";
import { useTitle } from "../shell/hooks.ts";
import { go } from "../shell/router.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

const WEEKS_PER_PAGE = 4;

export default function ProblemsPage() {
  useTitle(t("problems"));
  const day = useToday();
  return (
    <div class="page desk stack problems">
      <header class="row full">
        <h1>{t("problems")}</h1>
        <p>{t("problems_intro")}</p>
      </header>
      <div class="columns full">
        <TodayCard day={day} kind="turn" />
        <TodayCard day={day} kind="frame" />
      </div>
      <Calendar now={day} />
      <Results day={day} />
      <div class="practice">
        <Practice
          kind="turn"
          name="practice"
          word={(i) => <span class="capital">{tt(`problem_grade_${i + 1}`)}</span>}
        />
        <Practice kind="frame" name="frames" word={(i) => PROBLEMS.sizes[i]?.join(" × ")} />
      </div>
    </div>
  );
}

/** Problems for practice by grade; `word` names a grade beside its dots. */
function Practice({ kind, name, word }: { kind: Kind; name: string; word(i: number): ComponentChildren }) {
  return (
    <section aria-labelledby={name}>
      <h2 id={name}>{tt(`problem_${name}`)}</h2>
      <p class="note">{tt(`problem_${name}_text`)}</p>
      <div class="stack">
        {PROBLEMS.sizes.map((_, i) => (
          <button
            key={i}
            type="button"
            class="apart"
            onClick={() => go(problemLink({ kind, grade: i + 1, seed: newSeed() }))}
          >
            {word(i)}{" "}
            <span aria-hidden="true">
              <Grade grade={i + 1} />
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

/** Four weeks at a time, Monday first; what comes after today is not there yet. */
function Calendar({ now }: { now: string }) {
  const back = useSignal(0);
  const monday = addDays(now, -weekday(now) - 7 * (WEEKS_PER_PAGE - 1 + WEEKS_PER_PAGE * back.value));
  const weeks = Array.from({ length: WEEKS_PER_PAGE }, (_, week) =>
    Array.from({ length: 7 }, (_, i) => addDays(monday, 7 * week + i)),
  );
  const short = dateFormat({ weekday: "short", timeZone: "UTC" });
  const months = dateFormat({ month: "long", year: "numeric", timeZone: "UTC" });
  const sunday = addDays(monday, 7 * WEEKS_PER_PAGE - 1);
  const [first, last] = [midnightOf(monday), midnightOf(sunday < now ? sunday : now)];
  return (
    <section aria-labelledby="days">
      <h2 id="days">{t("problem_days")}</h2>
      <div class="row tied">
        <button
          type="button"
          class="tool"
          aria-label={t("problem_weeks_before")}
          title={t("problem_weeks_before")}
          onClick={() => back.value++}
        >
          <Icon name="back" />
        </button>
        <AnnouncedText as="span" later manner="chosen" class="grow strong centred">
          {months.formatRange(first, last)}
        </AnnouncedText>
        <button
          type="button"
          class="tool"
          aria-label={t("problem_weeks_after")}
          title={t("problem_weeks_after")}
          disabled={!back.value}
          onClick={() => back.value--}
        >
          <Icon name="forward" />
        </button>
      </div>
      <table class="problem-calendar">
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col">
                {short.format(midnightOf(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  {day <= now && (
                    <>
                      <Day date={day} now={now} kind="turn" />
                      <Day date={day} now={now} kind="frame" />
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="row note">
        <span class="row">
          <b class="problem-day turn" aria-hidden="true">
            {midnightOf(now).getUTCDate()}
          </b>{" "}
          {t("problem_of_the_day")}
        </span>
        <span class="row">
          <b class="problem-day frame" aria-hidden="true">
            <Icon name="frame" />
          </b>{" "}
          {t("problem_frame_of_the_day")}
        </span>
      </p>
    </section>
  );
}

/** The turn of a day under its number, the frame below it. */
function Day({ date, now, kind }: { date: string; now: string; kind: Kind }) {
  const solved = isDaySolved(date, kind);
  const frame = kind === "frame";
  const label = [
    ...(frame ? [t("problem_frame_of_the_day")] : []),
    dayInWords(date),
    tt(`problem_grade_${gradeOf(date)}`),
    ...(solved ? [t("problem_is_solved")] : []),
  ].join(", ");
  return (
    <a
      class={`problem-day ${kind}${solved ? " solved" : ""}`}
      href={problemLink({ kind, date })}
      aria-label={label}
      title={label}
      aria-current={date === now ? "date" : undefined}
    >
      {frame ? <Icon name="frame" /> : midnightOf(date).getUTCDate()}
      {solved && <Icon name="done" />}
    </a>
  );
}

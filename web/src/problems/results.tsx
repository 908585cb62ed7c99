/** The player's results: figures, and the number of solved problems of each grade. */
import { formatNumber, t, tt } from "../i18n.ts";
import { streak } from "./days.ts";
import { Grade } from "./grade.tsx";
import { statistics } from "./statistics.ts";

export function Results({ day }: { day: string }) {
  const { solved, atOnce, longest, byGrade } = statistics();
  const most = Math.max(1, ...byGrade);
  const figures = { solved, at_once: atOnce, row: streak(day), longest };
  return (
    <section class="results" aria-labelledby="results">
      <h2 id="results">{t("problem_results")}</h2>
      <dl class="columns figures" style={{ "--card": "7rem" }}>
        {Object.entries(figures).map(([name, count]) => (
          <div key={name}>
            <dt class="soft">{tt(`problem_figure_${name}`)}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <ol class="stack">
        {byGrade.map((count, i) => (
          <li key={i} class="row tied">
            <Grade grade={i + 1} />
            <i class="bar grow" style={{ "--share": count / most }} />
            <b>{formatNumber(count)}</b>
          </li>
        ))}
      </ol>
      <p class="note">{t("problem_results_note")}</p>
    </section>
  );
}

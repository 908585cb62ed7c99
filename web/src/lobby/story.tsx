/** Whose game it is, and what became of it. */
import { t, tt } from "../i18n.ts";

/** Years in which something began. */
const YEARS = [2003, 2006, 2020] as const;

export function Story() {
  return (
    <section class="story" aria-labelledby="story">
      <h2 id="story">{t("story")}</h2>
      <ol class="columns" style={{ "--card": "15rem" }}>
        {YEARS.map((year) => (
          <li key={year}>
            <b class="number">{year}</b> <p>{tt(`story_${year}`)}</p>
          </li>
        ))}
      </ol>
      <p>
        {t("story_now")} <a href="/dominoes">{t("dominoes_note_more")}</a>
      </p>
    </section>
  );
}

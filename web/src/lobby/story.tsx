/** Whose game it is, and what became of it. */
import { t, tt } from "../i18n.ts";

/** Years on the author's sheets. */
const YEARS = [2003, 2006, 2020] as const;
const AUTHOR_PAGE = "https://www.escaleajeux.fr/jeu/dalap.0.0";

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
        {t("story_now")} <a href="/dominoes">{t("dominoes_note_more")}</a> ·{" "}
        <a href={AUTHOR_PAGE} rel="noopener">
          {t("story_author")}
        </a>
      </p>
    </section>
  );
}

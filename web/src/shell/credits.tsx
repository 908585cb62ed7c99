/** Whose game it is: at the foot of the pages that are read. */
import { t } from "../i18n.ts";

interface CreditsProps {
  /** On the page of the dominoes, which needs no link to itself. */
  here?: boolean;
}

export function Credits({ here = false }: CreditsProps) {
  return (
    <footer class="note centred credits">
      {!here && (
        <p>
          <a href="/dominoes">{t("dominoes")}</a>
        </p>
      )}
      <p>{t("credits")}</p>
    </footer>
  );
}

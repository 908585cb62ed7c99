/** There is nothing at this address. */
import { t } from "../i18n.ts";

export default function Missing() {
  return (
    <section class="page narrow">
      <h1>{t("missing_title")}</h1>
      <p>{t("missing_text")}</p>
      <p>
        <a class="button" href="/">
          {t("home")}
        </a>
      </p>
    </section>
  );
}

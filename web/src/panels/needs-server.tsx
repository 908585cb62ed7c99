/** In the static edition: what a server is for, and how to get one. */
import { t } from "../i18n.ts";

export function NeedsServer() {
  return (
    <p class="note">
      {t("needs_server_tables")} <a href="/docs/hosting.html">{t("needs_server_how")}</a>
    </p>
  );
}

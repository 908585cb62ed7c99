/** A link may name dominoes of another set, such as those that this one replaced: it says so, and where to go. */
import { listed, t } from "../i18n.ts";

export function OtherDominoes({ names }: { names: readonly string[] }) {
  if (!names.length) return null;
  return <p class="trouble" role="alert">{t("link_other_set", { names: listed(names) })} <a href="/">{t("home")}</a></p>;
}

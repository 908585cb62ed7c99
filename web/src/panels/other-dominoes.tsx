/** A link may name dominoes of another set, such as those that this one replaced: it says so, and where to go. */
import { listed, t } from "../i18n.ts";
import { Told } from "../shell/told.tsx";

export function OtherDominoes({ names }: { names: readonly string[] }) {
  if (!names.length) return null;
  return (
    <Told class="trouble" manner="urgent">
      {t("link_other_set", { names: listed(names) })} <a href="/">{t("home")}</a>
    </Told>
  );
}

/** A link may name dominoes of another set, such as those that this one replaced: it says so, and where to go. */
import { joinList, t } from "../i18n.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

export function OtherDominoes({ names }: { names: readonly string[] }) {
  if (!names.length) return null;
  return (
    <AnnouncedText class="trouble" manner="urgent">
      {t("link_other_set", { names: joinList(names) })} <a href="/">{t("home")}</a>
    </AnnouncedText>
  );
}

/** The sign of a bot beside its name, with its level. */
import { t } from "../i18n.ts";
import { levelName } from "../state/cast.ts";
import { Icon } from "../ui/icon.tsx";

export function Level({ program }: { program: string }) {
  return (
    <span class="level">
      <span role="img" aria-label={t("program")} title={t("program")}>
        <Icon name="program" />
      </span>{" "}
      <span class="level-name">{levelName(program)}</span>
    </span>
  );
}

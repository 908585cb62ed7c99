/**
 * For people who play with the wooden box or printed sheets: `/companion`, `/companion/sand` and so on. It needs no
 * server.
 */
import type { ComponentType } from "preact";
import { Counting } from "../companion/count/counting.tsx";
import { WhoBegins } from "../companion/first/who-begins.tsx";
import { Fitting } from "../companion/fit/fitting.tsx";
import { GlassBell, RunningGlass } from "../companion/glass/running-glass.tsx";
import { openPad } from "../companion/pads/pad-book.ts";
import { Pads } from "../companion/pads/pads.tsx";
import { useWakeLock } from "../companion/use-wake-lock.ts";
import { t, tt } from "../i18n.ts";
import type { PageProps } from "../shell/app.tsx";
import { useTitle } from "../shell/hooks.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

interface Part {
  icon: IconName;
  component: ComponentType;
}

/** The parts of the page; their names are `companion_PART`. */
const PARTS = {
  pad: { icon: "domino", component: Pads },
  sand: { icon: "clock", component: RunningGlass },
  fit: { icon: "fit", component: Fitting },
  count: { icon: "latest", component: Counting },
  first: { icon: "star", component: WhoBegins },
} satisfies Record<string, Part>;

type PartName = keyof typeof PARTS;

export default function Companion({ argument }: PageProps) {
  const part: PartName = Object.hasOwn(PARTS, argument) ? (argument as PartName) : "pad";
  const { component: PartOfPage } = PARTS[part];
  const isAwake = useWakeLock();
  // A phone's room is for the turns of a game, and for the tools.
  const isTitled = part === "pad" && openPad() === undefined;
  useTitle(t("companion_title"));
  return (
    <div class="page companion stack">
      <h1 class={isTitled ? undefined : "hidden"}>{t("companion_title")}</h1>
      <nav class="companion-tools" aria-label={t("companion_tools")}>
        {(Object.keys(PARTS) as PartName[]).map((one) => (
          <a
            key={one}
            href={one === "pad" ? "/companion" : `/companion/${one}`}
            aria-current={one === part ? "page" : undefined}
          >
            <Icon name={PARTS[one].icon} />
            <span>{tt(`companion_${one}`)}</span>
          </a>
        ))}
      </nav>
      <GlassBell />
      <PartOfPage />
      <footer class="note">
        <p>
          {t("companion_intro")} {isAwake && t("companion_awake")}
        </p>
      </footer>
    </div>
  );
}

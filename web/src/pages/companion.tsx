/**
 * For people who play with the wooden box or printed sheets: `/companion`, `/companion/sand` and so on. It needs no
 * server.
 */
import type { ComponentType } from "preact";
import { Fitting } from "../companion/fit/fitting.tsx";
import { WhoBegins } from "../companion/first/who-begins.tsx";
import { Pads } from "../companion/pads/pads.tsx";
import { GlassBell, RunningGlass } from "../companion/glass/running-glass.tsx";
import { useWakeLock } from "../companion/use-wake-lock.ts";
import { t, tt } from "../i18n.ts";
import type { PageProps } from "../shell/app.tsx";
import { useTitle } from "../shell/hooks.ts";

/** The parts of the page; their names are `companion_PART`. */
const PARTS = { pad: Pads, sand: RunningGlass, first: WhoBegins, fit: Fitting } satisfies Record<string, ComponentType>;

type PartName = keyof typeof PARTS;

export default function Companion({ argument }: PageProps) {
  const part: PartName = Object.hasOwn(PARTS, argument) ? (argument as PartName) : "pad";
  const Part = PARTS[part];
  const isAwake = useWakeLock();
  useTitle(t("companion_title"));
  return (
    <div class="page companion stack">
      <h1>{t("companion_title")}</h1>
      <nav class="row companion-tools" aria-label={t("companion_tools")}>
        {(Object.keys(PARTS) as PartName[]).map((one) => (
          <a
            class="chip"
            key={one}
            href={one === "pad" ? "/companion" : `/companion/${one}`}
            aria-current={one === part ? "page" : undefined}
          >
            {tt(`companion_${one}`)}
          </a>
        ))}
      </nav>
      <GlassBell />
      <Part />
      <footer class="note">
        <p>
          {t("companion_intro")} {isAwake && t("companion_awake")}
        </p>
      </footer>
    </div>
  );
}

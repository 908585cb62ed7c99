/** A sandglass that shows how much of a time is left, by the server's clock. */
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../../i18n.ts";
import { useNow } from "../../panels/now.ts";
import { announce } from "../../state/voice.ts";
import type { TableProps } from "../../state/session.ts";

const UPPER = "M11 9H49C49 27 36 35 31.5 45H28.5C24 35 11 27 11 9Z";
const LOWER = "M11 81H49C49 63 36 55 31.5 45H28.5C24 55 11 63 11 81Z";
/** Heights of a bulb: from the neck to its end. */
const BULB = 36;
/** Seconds that are announced. */
const WARNING_S = 10;

/** `total`: seconds of the whole time; without one the glass rests. */
export function Sandglass({ session, total }: TableProps & { total: number | null }) {
  const now = useNow(200) + session.store.clockLead.value;
  const clip = useId();
  const { deadline, timer } = session.requireTable();
  const running = deadline !== null && total !== null;
  const left = running ? Math.max(0, deadline - now) / 1000 : 0;
  const seconds = Math.ceil(left);
  const part = running ? Math.min(1, left / total) : 0;
  const warned = useRef<number | null>(null);
  useEffect(() => {
    if (!running || seconds > WARNING_S || warned.current === timer) return;
    warned.current = timer;
    announce(t("sand_left", { count: seconds }));
  }, [running, seconds <= WARNING_S, timer]);
  // A bulb is a cone, more or less: its sand sinks slowly first and fast at the end.
  const above = BULB * Math.sqrt(part);
  const below = running ? BULB * (1 - Math.sqrt(part)) : BULB;
  return (
    <div class={`sandglass${running ? " running" : ""}${running && seconds <= WARNING_S ? " short" : ""}`}>
      <svg key={running ? timer : "rest"} viewBox="0 0 60 90" aria-hidden="true">
        <clipPath id={`${clip}u`}>
          <path d={UPPER} />
        </clipPath>
        <clipPath id={`${clip}l`}>
          <path d={LOWER} />
        </clipPath>
        <path
          d={`${UPPER}${LOWER}`}
          fill="color-mix(in srgb, var(--cloth) 60%, transparent)"
          stroke="var(--soft)"
          stroke-width={2}
        />
        <g fill="var(--sand)" opacity={running ? 1 : 0.6}>
          <rect clip-path={`url(#${clip}u)`} x={8} y={45 - above} width={44} height={above} />
          <rect clip-path={`url(#${clip}l)`} x={8} y={81 - below} width={44} height={below} />
        </g>
        {running && left > 0 && (
          <path
            class="stream"
            d="M30 44V80"
            stroke="var(--sand)"
            stroke-width={1.8}
            stroke-dasharray="3 2"
            stroke-linecap="butt"
          />
        )}
        <path d="M7 6H53M7 84H53" stroke="var(--frame)" stroke-width={6} />
      </svg>
      {running && (
        <time role="timer" aria-label={t("sand_left", { count: seconds })}>
          {seconds}
        </time>
      )}
    </div>
  );
}

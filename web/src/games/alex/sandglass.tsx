/** A sandglass that shows how much of a time is left, by the server's clock. */
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n.ts";
import { GlassPicture } from "../../panels/glass-picture.tsx";
import { useNow } from "../../panels/now.ts";
import { announce } from "../../state/voice.ts";
import type { TableProps } from "../../state/session.ts";

/** Seconds that are announced. */
const WARNING_S = 10;

/** `total`: seconds of the whole time; without one the glass rests. */
export function Sandglass({ session, total }: TableProps & { total: number | null }) {
  const now = useNow(200) + session.store.clockLead.value;
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
  return (
    <div class={`sandglass${running ? " running" : ""}${running && seconds <= WARNING_S ? " short" : ""}`}>
      <GlassPicture key={running ? timer : "rest"} part={running ? part : null}>
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
      </GlassPicture>
      {running && (
        <time role="timer" aria-label={t("sand_left", { count: seconds })}>
          {seconds}
        </time>
      )}
    </div>
  );
}

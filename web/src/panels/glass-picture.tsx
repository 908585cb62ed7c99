/** A sandglass as a picture: how much sand is still above. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

const UPPER = "M11 9H49C49 27 36 35 31.5 45H28.5C24 35 11 27 11 9Z";
const LOWER = "M11 81H49C49 63 36 55 31.5 45H28.5C24 55 11 63 11 81Z";
/** Heights of a bulb: from the neck to its end. */
const BULB = 36;

/** `part`: the share of the sand that is still above; null while it rests. `children`: the sand on its way. */
export function GlassPicture({ part, children }: { part: number | null; children?: ComponentChildren }) {
  const clip = useId();
  // A bulb is a cone, more or less: its sand sinks slowly first and fast at the end.
  const above = BULB * Math.sqrt(part ?? 0);
  const below = part === null ? BULB : BULB * (1 - Math.sqrt(part));
  return (
    <svg viewBox="0 0 60 90" aria-hidden="true">
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
      <g fill="var(--sand)" opacity={part === null ? 0.6 : 1}>
        <rect clip-path={`url(#${clip}u)`} x={8} y={45 - above} width={44} height={above} />
        <rect clip-path={`url(#${clip}l)`} x={8} y={81 - below} width={44} height={below} />
      </g>
      {children}
      <path d="M7 6H53M7 84H53" stroke="var(--frame)" stroke-width={6} />
    </svg>
  );
}

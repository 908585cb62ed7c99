/** The third mistake in Alex: a player is thrown into the lake (rules 7). Cheerful, and soon over. */
import { useId } from "preact/hooks";
import { t } from "../../i18n.ts";
import { Icon } from "../../ui/icon.tsx";

const DROPS = [-150, -128, -108, -90, -72, -52, -30].map((angle, i) => ({
  angle,
  far: 54 + 17 * ((i * 5) % 4),
  size: 5 + ((i * 3) % 4),
}));

export function Splash({ seat, name, you, onClose }: { seat: number; name: string; you: boolean; onClose(): void }) {
  const water = useId();
  return (
    <div class="covering splash">
      <svg viewBox="0 0 400 240" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
        <rect fill="var(--sky)" width={400} height={240} />
        <circle fill="var(--gold)" cx={328} cy={40} r={20} />
        <g transform="translate(0 -40)">
          <path fill="var(--hill)" d="M0 132Q70 82 150 130T310 118T400 130V160H0Z" />
          <rect fill="var(--lake)" y={140} width={400} height={140} />
          <path
            fill="none"
            stroke="var(--foam)"
            stroke-width={3}
            d="M20 168q10-7 20 0t20 0M300 160q10-7 20 0t20 0M330 206q10-7 20 0t20 0M60 218q10-7 20 0t20 0"
          />
          <path fill="var(--frame)" d="M0 120H96V129H0ZM70 129H78V176H70ZM20 129H28V176H20Z" />
          {[0, 1, 2].map((ring) => (
            <ellipse
              key={ring}
              class="splash-ring"
              opacity={1 - 0.3 * ring}
              fill="none"
              stroke="var(--foam)"
              stroke-width={3}
              cx={226}
              cy={178}
              rx={22 + 26 * ring}
              ry={6 + 7 * ring}
            />
          ))}
          <g fill="var(--foam)" stroke="var(--lake)">
            {DROPS.map(({ angle, far, size }) => {
              const [x, y] = [Math.cos((angle * Math.PI) / 180) * far, Math.sin((angle * Math.PI) / 180) * far];
              return (
                <circle
                  key={angle}
                  class="splash-drop"
                  cx={226 + x}
                  cy={170 + y}
                  r={size}
                  style={{ "--from": `translate(${-x}px, ${-y}px) scale(0.1)` }}
                />
              );
            })}
          </g>
          {/* What is below the water is not seen. */}
          <clipPath id={water}>
            <path d="M0-99H400V178H256q-7-6-15 0t-15 0t-15 0t-15 0H0Z" />
          </clipPath>
          <g clip-path={`url(#${water})`}>
            <g class={`splash-player seat-${seat}`}>
              <circle r={17} stroke-width={3} />
              <text y={6} font-size={18} text-anchor="middle">
                {seat + 1}
              </text>
            </g>
          </g>
        </g>
      </svg>
      <p class="slip">
        <strong>{t("splash")}</strong> {you ? t("splash_you") : t("splash_text", { name })}
      </p>
      <button type="button" class="tool" aria-label={t("close")} title={t("close")} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

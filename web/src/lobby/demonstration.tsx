/** The game in one moving picture: dominoes are laid, half-discs become discs, groups are closed and earn points. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Badge, GroupLine } from "../board/lines.tsx";
import { Domino, Shining, wholeDiscs, WholeSymbols } from "../board/domino.tsx";
import { group, Scene } from "../board/scene.tsx";
import { SET_120 } from "../data.ts";
import { bounds, centre, contacts, parsePosition } from "../geometry.ts";
import { formatSigned, t } from "../i18n.ts";
import { Icon } from "../ui/icon.tsx";
import { withSymbols } from "../state/settings.ts";
import hero from "./hero.json"; // Made by scripts/find_lesson.py.
import { itemAt } from "../values.ts";

const LAYINGS = parsePosition(hero.position);
/** The number of dominoes at the beginning. */
const FIRST = LAYINGS.length - hero.turns.length;
/** The end is looked at for so many steps more. */
const PAUSE_STEPS = 3;
/** Milliseconds for each domino. */
const STEP_INTERVAL_MS = 1200;

/** With reduced motion it shows its end, and runs on request. */
export function Demonstration() {
  const runs = useSignal(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  const count = useSignal(runs.value ? FIRST : LAYINGS.length);
  useEffect(() => {
    if (!runs.value) return;
    const timer = setInterval(() => {
      if (!document.hidden) count.value = count.value < LAYINGS.length + PAUSE_STEPS ? count.value + 1 : FIRST;
    }, STEP_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [runs.value]);
  const word = runs.value ? t("replay_pause") : t("replay_play");
  return (
    <div class="game-picture cloth demonstration">
      <div role="img" aria-label={t("demonstration", { points: hero.turns.at(-1)?.points ?? 0 })}>
        <Laid count={Math.min(count.value, LAYINGS.length)} />
      </div>
      <button type="button" class="round" aria-label={word} title={word} onClick={() => (runs.value = !runs.value)}>
        <Icon name={runs.value ? "pause" : "play"} />
      </button>
    </div>
  );
}

/** The first dominoes, and what the last of them has made. */
function Laid({ count }: { count: number }) {
  const layings = LAYINGS.slice(0, count);
  const last = itemAt(layings, count - 1);
  const whole = wholeDiscs(layings, SET_120);
  const turn = hero.turns[count - FIRST - 1];
  const [x, y] = centre(last);
  return (
    <Scene box={bounds(LAYINGS)}>
      {layings.map((laying) => (
        <g key={laying.tile} class="laid">
          <Domino laying={laying} set={SET_120} whole={whole} />
        </g>
      ))}
      {withSymbols() && <WholeSymbols whole={whole} />}
      {turn && (
        <g key={count} class="earned">
          <Shining discs={contacts(last, layings.slice(0, -1), SET_120)} />
          {turn.closes.map((disc, i) => (
            <GroupLine key={i} group={{ discs: group(disc, layings), kind: "closing" }} />
          ))}
          <g transform={`translate(${50 * x} ${50 * y}) scale(1.4)`}>
            <Badge text={formatSigned(turn.points)} at={[0, 0]} />
          </g>
        </g>
      )}
    </Scene>
  );
}

/** The scores in one line: pawns on the way to the target. The score track of the print set opens on request. */
import { useSignal } from "@preact/signals";
import { t, withColon } from "../i18n.ts";
import { withBoundary } from "../shell/boundary.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { loadLazily } from "../shell/lazy.tsx";
import { itemAt } from "../values.ts";
import { pointsInWords } from "../words.ts";

const ScoreTrack = loadLazily(() => import("./track.tsx").then(({ ScoreTrack }) => ScoreTrack));

interface RibbonProps {
  scores: readonly number[];
  names: readonly string[];
  target?: number;
}

export const ScoreRibbon = withBoundary(Ribbon);

/**
 * Points to the end of the line where there is no target; and the part of it below which pawns would hide each other.
 */
const [USUAL, NEAR] = [40, 0.08];

function Ribbon({ scores, names, target }: RibbonProps) {
  const open = useSignal(false);
  const points = scores.map((score, seat) => withColon(names[seat] ?? "", pointsInWords(score))).join(", ");
  const label = withColon(t("score_track"), points);
  const end = Math.max(target ?? USUAL, ...scores);
  const parts = scores.map((score) => Math.max(0, score) / end);
  return (
    <>
      <button type="button" class="track ribbon" title={t("score_track")} onClick={() => (open.value = true)}>
        <span class="ribbon-way" role="img" aria-label={label} style={{ backgroundSize: `${1000 / end}% 100%` }}>
          {parts.map((part, seat) => (
            <span
              key={seat}
              class={`token small seat-${seat}`}
              style={{ left: `${100 * part}%`, top: `${11 * lane(parts, seat)}px` }}
            >
              {seat + 1}
            </span>
          ))}
        </span>
        <span class="ribbon-end" aria-hidden="true">
          {target ?? ""}
        </span>
      </button>
      {open.value && (
        <Dialog title={t("score_track")} onClose={() => (open.value = false)}>
          <ScoreTrack scores={scores} target={target} label={label} />
        </Dialog>
      )}
    </>
  );
}

/** Pawns that are close stand above each other: find the distance from the middle. */
function lane(parts: readonly number[], seat: number): number {
  const near = parts.flatMap((part, other) => (Math.abs(part - itemAt(parts, seat)) < NEAR ? [other] : []));
  return near.indexOf(seat) - (near.length - 1) / 2;
}

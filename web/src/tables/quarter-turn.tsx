/** The button that turns the table; loaded when there is something to turn. */
import { untracked, useComputed } from "@preact/signals";
import type { Box } from "../geometry.ts";
import { t } from "../i18n.ts";
import { Icon } from "../ui/icon.tsx";
import type { Camera } from "../board/camera.ts";

/** How much larger everything must become for a button that turns the table. */
const MIN_GAIN = 1.1;

/** Cells round what lies. */
const MARGIN = 1.25;

/** How much larger a box of cells is when it lies on its side. */
export function findGain({ width, height }: { width: number; height: number }, box: Box): number {
  const [across, down] = [box.right - box.left + 2 * MARGIN, box.bottom - box.top + 2 * MARGIN];
  return Math.min(width / down, height / across) / Math.min(width / across, height / down);
}

/** Turn the table by a quarter, where that shows everything larger, and back. */
export function QuarterTurn({ camera, box }: { camera: Camera; box(): Box }) {
  const turned = camera.turned.value;
  const isUseful = useComputed(() => {
    return camera.turned.value || findGain(camera.size.value, untracked(box)) >= MIN_GAIN;
  });
  if (!isUseful.value) return null;
  return (
    <button
      type="button"
      class="tool"
      title={`${t("turn_table")} (T)`}
      aria-label={t("turn_table")}
      aria-pressed={turned}
      onClick={() => camera.turnTable()}
    >
      <Icon name={turned ? "upright" : "lying"} />
    </button>
  );
}

/** The button that turns the table; loaded when there is something to turn. */
import { untracked, useComputed } from "@preact/signals";
import type { Box } from "../geometry.ts";
import { t } from "../i18n.ts";
import { Icon } from "../ui/icon.tsx";
import type { Camera } from "../board/camera.ts";

/** How much larger everything must become for a button that turns the table. */
const MIN_GAIN = 1.1;

/** Turn the table by a quarter, where that shows everything larger, and back. */
export function QuarterTurn({ camera, box }: { camera: Camera; box(): Box }) {
  const turned = camera.turned.value;
  const isUseful = useComputed(() => {
    void camera.size.value;
    return camera.turned.value || camera.gain(untracked(box)) >= MIN_GAIN;
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
      <Icon name="turnTable" />
    </button>
  );
}

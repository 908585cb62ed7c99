/** A small table without a game: the lesson, and a turn to be found. */
import type { ComponentChildren } from "preact";
import { Board } from "../board/board.tsx";
import type { Marked } from "../board/lines.tsx";
import type { Camera } from "../board/camera.ts";
import { SET_120 } from "../data.ts";
import type { Laying } from "../geometry.ts";
import { t } from "../i18n.ts";
import type { Placer } from "../state/placer.ts";
import { settings } from "../state/settings.ts";
import { Hand } from "./hand.tsx";
import { LayingsList } from "./layings-list.tsx";

export interface PracticeProps {
  placer: Placer;
  camera: Camera;
  layings: readonly Laying[];
  /** Those of the turn under way. */
  staged: readonly Laying[];
  groups: readonly Marked[];
  /** Whether places are shown. */
  places?: boolean;
  onCommit(laying: Laying): void;
  /** Above the hand. */
  sum?: ComponentChildren;
  buttons: ComponentChildren;
}

export function Practice({ placer, camera, layings, staged, groups, places, onCommit, sum, buttons }: PracticeProps) {
  const oneTap = settings.oneTap.value;
  return (
    <>
      <div class="room-board">
        <Board set={SET_120} {...{ placer, camera, layings, staged, groups, places, oneTap, onCommit }}
          label={t("table_label", { count: layings.length })} />
      </div>
      <div class="room-tray lesson-tray">
        {sum}
        <Hand set={SET_120} {...{ placer, camera, oneTap, onCommit }} />
        {buttons}
        {placer.hand.value.length > 0 && <LayingsList placer={placer} onCommit={onCommit} />}
      </div>
    </>
  );
}

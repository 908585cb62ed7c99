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
import { Room } from "../ui/room.tsx";
import { Hand } from "./hand.tsx";
import { LayingsList } from "./layings-list.tsx";

export interface PracticeProps {
  /** The classes of the room, the id of its heading, and its words. */
  kind: string;
  title: string;
  side: ComponentChildren;
  placer: Placer;
  camera: Camera;
  layings: readonly Laying[];
  /** The layings of the current turn. */
  staged: readonly Laying[];
  groups: readonly Marked[];
  /** Whether places are shown. */
  places?: boolean;
  onCommit(laying: Laying): void;
  /** Above the hand. */
  sum?: ComponentChildren;
  buttons: ComponentChildren;
  children?: ComponentChildren;
}

export function Practice({
  kind,
  title,
  side,
  children,
  placer,
  camera,
  layings,
  staged,
  groups,
  places,
  onCommit,
  sum,
  buttons,
}: PracticeProps) {
  const oneTap = settings.oneTap.value;
  return (
    <Room
      kind={kind}
      title={title}
      side={side}
      of={{ tray: { class: "lesson-tray" } }}
      board={
        <Board
          set={SET_120}
          {...{ placer, camera, layings, staged, groups, places, oneTap, onCommit }}
          label={t("table_label", { count: layings.length })}
        />
      }
      tray={
        <>
          {sum}
          <Hand set={SET_120} {...{ placer, camera, oneTap, onCommit }} />
          {buttons}
          {placer.hand.value.length > 0 && <LayingsList placer={placer} onCommit={onCommit} />}
        </>
      }
    >
      {children}
    </Room>
  );
}

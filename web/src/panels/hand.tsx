/** The dominoes in hand, both faces of each side by side; touching a face takes it. */
import { useRef } from "preact/hooks";
import { dragOver } from "../board/board.tsx";
import type { Camera } from "../board/camera.ts";
import { BothFaces, FacePicture } from "../board/domino.tsx";
import type { TileSet } from "../data.ts";
import { t } from "../i18n.ts";
import type { Laying, Side } from "../geometry.ts";
import type { Placer } from "../state/placer.ts";
import { settings } from "../state/settings.ts";
import { faceInWords } from "../words.ts";

export interface HandProps {
  placer: Placer;
  set: TileSet;
  camera: Camera;
  /** Dominoes that are there but cannot be laid now. */
  resting?: readonly string[];
  oneTap?: boolean;
  onCommit?(laying: Laying): void;
  large?: boolean;
}

export function Hand({ placer, set, camera, resting = [], oneTap, onCommit, large }: HandProps) {
  const tiles = placer.hand.value;
  return (
    <div class={large ? "hand large" : "hand"} role="group" aria-label={t("your_hand")}>
      {tiles.map((tile, number) => {
        const known = placer.candidates.value.get(tile);
        return (
          <div key={tile} class={placer.tile.value === tile ? "held taken" : "held"}>
            {tiles.length > 1 && <kbd class="held-number" aria-hidden="true">{number + 1}</kbd>}
            {(["+", "-"] as const).map((side) => (
              <HeldFace key={side} {...{ tile, side, placer, set, camera, oneTap, onCommit }}
                fits={known?.filter(({ laying }) => laying.side === side).length} />
            ))}
          </div>
        );
      })}
      {resting.map((tile) => (
        <div key={tile} class="held resting">
          <BothFaces tile={tile} set={set} />
        </div>
      ))}
    </div>
  );
}

interface FaceProps extends Omit<HandProps, "resting" | "large"> {
  tile: string;
  side: Side;
  /** How many legal layings this face has; undefined while that is asked. */
  fits: number | undefined;
}

function HeldFace({ tile, side, placer, set, camera, oneTap, onCommit, fits }: FaceProps) {
  const taken = placer.tile.value === tile && placer.side.value === side;
  const drag = useRef<{ x: number; y: number; far: boolean; over: boolean } | null>(null);

  const move = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) return;
    if (!from.far && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 10) {
      from.far = true;
      if (!taken) placer.take(tile, side);
    }
    const board = document.querySelector(".board");
    if (from.far && board) from.over = dragOver(board, camera, placer, event);
  };
  const end = (event: PointerEvent) => {
    const from = drag.current;
    drag.current = null;
    if (!from?.far) return;
    event.preventDefault();
    const laying = from.over ? placer.confirmed() : null;
    if (!laying) placer.cancel();
    else if (oneTap ?? settings.oneTap.value) onCommit?.(laying);
    else placer.pinned.value = true;
  };
  return (
    <button
      type="button"
      class={`held-face${taken ? " chosen" : ""}${fits === 0 ? " stuck" : ""}`}
      aria-pressed={taken}
      aria-label={`${faceInWords(tile, side, set)}${fits === undefined ? "" : `, ${t("fits", { count: fits })}`}`}
      title={`${tile} ${side === "+" ? t("recto") : t("verso")}`}
      data-tile={tile}
      data-side={side}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, y: event.clientY, far: false, over: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={() => (drag.current = null)}
      onClick={(event) => {
        // A drag ends in a click, too; the ghost is where it was let go.
        if (placer.pinned.value && taken && event.detail > 0) return;
        placer.take(tile, side);
      }}
    >
      <FacePicture tile={tile} side={side} set={set} />
    </button>
  );
}

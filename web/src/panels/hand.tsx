/** The dominoes in hand, both faces of each side by side; touching a face takes it. */
import type { Camera } from "../board/camera.ts";
import { carry } from "../board/carry.ts";
import { BothFaces, FacePicture } from "../board/domino.tsx";
import type { TileSet } from "../data.ts";
import { t } from "../i18n.ts";
import type { Laying, Side } from "../geometry.ts";
import type { Placer } from "../state/placer.ts";
import { settings } from "../state/settings.ts";
import { faceInWords } from "../words.ts";
import { Icon } from "../ui/icon.tsx";

export interface HandProps {
  placer: Placer;
  set: TileSet;
  camera: Camera;
  /** Dominoes that are there but cannot be laid now. */
  resting?: readonly string[];
  oneTap?: boolean;
  onCommit?(laying: Laying): void;
  large?: boolean;
  /** The domino in hand is shown as it is held, with a button that turns it. */
  turning?: boolean;
}

export function Hand({ placer, set, camera, resting = [], oneTap, onCommit, large, turning }: HandProps) {
  const tiles = placer.hand.value;
  return (
    <div class={large ? "hand large" : "hand"} role="group" aria-label={t("your_hand")}>
      {tiles.map((tile, number) => {
        const known = placer.candidates.value.get(tile);
        return (
          <div key={tile} class={placer.tile.value === tile ? "held taken" : "held"}>
            {tiles.length > 1 && <kbd class="held-number" aria-hidden="true">{number + 1}</kbd>}
            {(["+", "-"] as const).map((side) => (
              <HeldFace key={side} {...{ tile, side, placer, set, camera, oneTap, onCommit, turning }}
                fits={known?.filter(({ laying }) => laying.side === side).length} />
            ))}
          </div>
        );
      })}
      {turning && (
        <button type="button" class="turn-held" aria-label={t("turn")} title={t("turn_how")} disabled={placer.tile.value === null} onClick={() => placer.turn(1)}>
          <Icon name="turn" /> <kbd aria-hidden="true">R</kbd>
        </button>
      )}
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

function HeldFace({ tile, side, placer, set, camera, oneTap, onCommit, turning, fits }: FaceProps) {
  const taken = placer.tile.value === tile && placer.side.value === side;
  return (
    <button
      type="button"
      class={`held-face${taken ? " chosen" : ""}${fits === 0 ? " stuck" : ""}`}
      aria-pressed={taken}
      aria-label={`${faceInWords(tile, side, set)}${fits === undefined ? "" : `, ${t("fits", { count: fits })}`}`}
      title={`${tile} ${side === "+" ? t("recto") : t("verso")}`}
      data-tile={tile}
      data-side={side}
      onPointerDown={(event) => carry(event, {
        tile, side, placer, camera, onCommit,
        take: () => {
          if (!taken) placer.take(tile, side);
        },
        oneTap: oneTap ?? settings.oneTap.value,
      })}
      onClick={() => placer.take(tile, side)}
    >
      <FacePicture tile={tile} side={side} set={set} rotation={turning && taken ? placer.hold.value.rotation : 0} />
    </button>
  );
}

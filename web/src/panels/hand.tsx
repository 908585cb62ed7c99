/** The dominoes in hand, both faces of each side by side; touching a face takes it. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Camera } from "../board/camera.ts";
import { carry } from "../board/carry.ts";
import { BothFaces, FacePicture } from "../board/domino.tsx";
import { move, findTurnBack } from "../board/motion.ts";
import type { TileSet } from "../data.ts";
import { t } from "../i18n.ts";
import type { Laying, Side } from "../geometry.ts";
import type { Placer } from "../state/placer.ts";
import { settings } from "../state/settings.ts";
import { faceInWords } from "../words.ts";
import { Icon } from "../ui/icon.tsx";
import { type TableParts, useEntry, useTableParts } from "../ui/table-parts.ts";

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
  const parts = useTableParts();
  useDrawing(parts, tiles);
  useTurningOver(parts, placer);
  return (
    <div class={large ? "hand large" : "hand"} role="group" aria-label={t("your_hand")}>
      {tiles.map((tile, number) => {
        const known = placer.candidates.value.get(tile);
        return (
          <div key={tile} class={placer.tile.value === tile ? "held taken" : "held"}>
            {tiles.length > 1 && (
              <kbd class="held-number" aria-hidden="true">
                {number + 1}
              </kbd>
            )}
            {(["+", "-"] as const).map((side) => (
              <HeldFace
                key={side}
                {...{ tile, side, placer, set, camera, oneTap, onCommit, turning }}
                fits={known?.filter(({ laying }) => laying.side === side).length}
              />
            ))}
          </div>
        );
      })}
      {turning && (
        <button
          type="button"
          class="round turn-held"
          aria-label={t("turn")}
          title={t("turn_how")}
          disabled={placer.tile.value === null}
          onClick={() => placer.turn(1)}
        >
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

/** Move new dominoes from the bag to the hand. */
function useDrawing({ faces, bag }: TableParts, tiles: readonly string[]): void {
  const before = useRef<readonly string[]>(tiles);
  const dealt = useRef(tiles.length > 0);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = tiles;
    const from = bag.current?.getBoundingClientRect();
    if (from && dealt.current)
      for (const tile of tiles) if (!known.includes(tile)) fromBag(faces.get(`${tile}+`)?.parentElement, from);
    dealt.current ||= tiles.length > 0;
  }, [tiles]);
}

function fromBag(held: Element | null | undefined, bag: DOMRect): void {
  if (!held) return;
  const place = held.getBoundingClientRect();
  const way = `translate(${bag.left + bag.width / 2 - place.left - place.width / 2}px, ${bag.top + bag.height / 2 - place.top - place.height / 2}px)`;
  move(
    held,
    [
      { transform: `${way} scale(0.15) rotate(-20deg)`, opacity: 0.2 },
      { transform: "none", opacity: 1 },
    ],
    "scene",
  );
}

/** The domino in hand is turned over: the face that goes down and the one that comes up stand on edge between. */
function useTurningOver({ faces }: TableParts, placer: Placer): void {
  const [tile, side] = [placer.tile.value, placer.side.value];
  const before = useRef({ tile, side });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { tile, side };
    if (tile === null || was.tile !== tile || was.side === side) return;
    const turned = (degrees: number) => ({ transform: `perspective(400px) rotateX(${degrees}deg)` });
    move(faces.get(`${tile}${side}`)?.firstElementChild, [turned(-90), turned(0)], "quick", "quick");
    move(faces.get(`${tile}${was.side}`)?.firstElementChild, [turned(0), turned(90), turned(0)], "move");
  }, [tile, side]);
}

interface FaceProps extends Omit<HandProps, "resting" | "large"> {
  tile: string;
  side: Side;
  /** The number of legal layings of this face; undefined until it is known. */
  fits: number | undefined;
}

function HeldFace({ tile, side, placer, set, camera, oneTap, onCommit, turning, fits }: FaceProps) {
  const taken = placer.tile.value === tile && placer.side.value === side;
  const rotation = turning && taken ? placer.hold.value.rotation : 0;
  const button = useRef<HTMLButtonElement>(null);
  const parts = useTableParts();
  useEntry(parts.faces, `${tile}${side}`, button);
  const before = useRef(rotation);
  useLayoutEffect(() => {
    const back = findTurnBack(before.current, rotation);
    before.current = rotation;
    if (back && taken)
      move(button.current?.firstElementChild, [{ transform: `rotate(${back}deg)` }, { transform: "none" }], "quick");
  }, [rotation]);
  return (
    <button
      ref={button}
      type="button"
      class={`held-face${taken ? " chosen" : ""}${fits === 0 ? " stuck" : ""}`}
      aria-pressed={taken}
      aria-label={`${faceInWords(tile, side, set)}${fits === undefined ? "" : `, ${t("fits", { count: fits })}`}`}
      title={`${tile} ${side === "+" ? t("recto") : t("verso")}`}
      data-tile={tile}
      data-side={side}
      onPointerDown={(event) =>
        carry(event, {
          tile,
          side,
          placer,
          camera,
          parts,
          onCommit,
          take: () => {
            if (!taken) placer.take(tile, side);
            return true;
          },
          oneTap: oneTap ?? settings.oneTap.value,
        })
      }
      onClick={() => placer.take(tile, side)}
    >
      <FacePicture tile={tile} side={side} set={set} rotation={rotation} />
    </button>
  );
}

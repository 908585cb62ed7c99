/** A domino on its way from the hand to the table: it follows the pointer, also where it cannot lie. */
import type { TileSet } from "../data.ts";
import { placeHeld, type Placer } from "../state/placer.ts";
import type { Camera } from "./camera.ts";
import { carriedAt } from "./carry.ts";
import { Ground } from "./ground.tsx";
import { TurningDomino } from "./turning.tsx";

export function CarriedDomino({ placer, camera, set }: { placer: Placer; camera: Camera; set: TileSet }) {
  const carried = placer.carried.value;
  if (!carried) return null;
  const { tile, isReturning } = carried;
  const { x, y, scale } = carriedAt.value;
  const held = placer.tile.value === tile;
  // At a place it is the ghost.
  if (held && placer.ghost.value && !isReturning) return null;
  const laying = { tile, side: held ? placer.side.value : carried.side, ...placeHeld(placer.hold.value, [0, 0]) };
  const size = camera.view.value.scale;
  const place = `translate(${x - size / 2}px,${y - size / 2}px)`;
  return (
    <div
      class={isReturning ? "carried back" : "carried"}
      style={{ transform: scale === null ? place : `${place} scale(${scale})`, width: size, height: size }}
      aria-hidden="true"
    >
      <svg class={camera.turned.value ? "turned" : ""} viewBox="0 0 100 100" width={size} height={size}>
        <Ground layings={[laying]} lifted />
        <TurningDomino laying={laying} set={set} pivot={[0, 0]} />
      </svg>
    </div>
  );
}

/** The group that a player looks at: its outline, its size, and what keeps it open. */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { TileSet } from "../data.ts";
import { type Disc, key, type Laying } from "../geometry.ts";
import { area, beside, laidAreas, NEVER } from "./beside.ts";
import { GroupLine } from "./lines.tsx";
import type { Camera } from "./camera.ts";
import { groupInWords, groupsOf, groupWith, type TableGroup } from "./groups.ts";

interface LookedProps {
  looked: ReadonlySignal<Disc | null>;
  layings: readonly Laying[];
  set: TileSet;
}

function groupOf({ looked, layings, set }: LookedProps): TableGroup | undefined {
  return looked.value ? groupWith(groupsOf(layings, set), looked.value) : undefined;
}

export function LookedGroup(props: LookedProps) {
  const group = groupOf(props);
  if (!group) return null;
  return (
    <g class="looked" aria-hidden="true">
      <GroupLine group={{ discs: group.discs, kind: group.closed ? "closed" : "open" }} />
      {group.openings.map((disc) => (
        <circle
          key={key(disc)}
          class="opening"
          fill="var(--white)"
          stroke="var(--ink)"
          stroke-width={5}
          stroke-dasharray="7 4.8"
          cx={50 * disc[0]}
          cy={50 * disc[1]}
          r={15}
        />
      ))}
    </g>
  );
}

/** The size of a line of text, in pixels. */
const LINE = { letter: 8, margin: 28, height: 34 };
/** A disc with the line round it, in cells; and how many of a large group are kept free. */
const [DISC, MOST] = [0.8, 24];

export function LookedWords({
  camera,
  words = groupInWords,
  ...props
}: LookedProps & { camera: Camera; words?(group: TableGroup): string }) {
  const group = groupOf(props);
  const text = group && words(group);
  const at = useComputed(() => {
    const disc = props.looked.value;
    if (!disc || !text) return null;
    const { scale } = camera.view.value;
    const near = camera.toScreen(disc[0] / 2, disc[1] / 2);
    const size = { width: Math.min(camera.width, LINE.margin + LINE.letter * text.length), height: LINE.height };
    const far = ([x, y]: Disc) => Math.hypot(x - disc[0], y - disc[1]);
    const kept = [...group!.openings, ...group!.discs]
      .sort((a, b) => far(a) - far(b))
      .slice(0, MOST)
      .map(([x, y]) => area(camera.toScreen(x / 2, y / 2), { width: DISC * scale, height: DISC * scale }, NEVER));
    return beside(size, near, camera, [...kept, ...laidAreas(props.layings, near, 200, camera, 12)]);
  }).value;
  if (!at || !text) return null;
  return (
    <p class="floating looked-words strong" style={{ left: `${at[0]}px`, top: `${at[1]}px` }} aria-hidden="true">
      {text}
    </p>
  );
}

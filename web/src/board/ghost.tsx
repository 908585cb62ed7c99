/** The laying that is only thought of: how it looks, what it earns, and the tick beside it. */
import { type Signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { TileSet } from "../data.ts";
import { bounds, type Cell, contacts, type Disc, key, type Laying } from "../geometry.ts";
import { formatSigned, t, tt } from "../i18n.ts";
import type { Candidate } from "../state/placement.ts";
import type { Placer } from "../state/placer.ts";
import { announce } from "../state/voice.ts";
import { aroundGhost, beside, ghostAreas, numbersBeside, onScreen, type Size, type Spot, toolsArea } from "./beside.ts";
import { Clashes, GroupLine, Outlined } from "./lines.tsx";
import type { Camera } from "./camera.ts";
import { Domino, Shining } from "./domino.tsx";
import { Ground } from "./ground.tsx";
import { TurningDomino } from "./turning.tsx";
import { Icon } from "../ui/icon.tsx";

/** What a game shows beside a ghost instead of points. */
export type GhostSign = (ghost: Candidate) => ComponentChildren;

export function GhostLayer({ placer, set }: { placer: Placer; set: TileSet }) {
  const [ghost, illegal, refused] = [placer.ghost.value, placer.illegal.value, placer.refused.value];
  if (illegal) return <WrongLaying laying={illegal.laying} clashes={illegal.discs} set={set} />;
  if (!ghost)
    return (
      refused && (
        <g class="ghost illegal" aria-hidden="true">
          <Clashes discs={refused.discs} />
        </g>
      )
    );
  const { laying, scored, makes } = ghost;
  const discs = contacts(laying, placer.layings.value, set);
  const held = placer.pinned.value || placer.carried.value;
  return (
    <g class={held ? "ghost pinned" : "ghost"} aria-hidden="true">
      <Ground layings={[laying]} lifted />
      <g class="ghost-domino" opacity={held ? 1 : 0.8}>
        <TurningDomino laying={laying} set={set} pivot={placer.cell.value!} />
      </g>
      <Outlined laying={laying} kind="ghostly" discs={discs.map(({ disc }) => disc)} />
      {(scored ?? makes)?.groups.map(
        (group, i) => group.discs && <GroupLine key={i} group={{ discs: group.discs, kind: "closing" }} />,
      )}
      <Shining discs={discs} />
    </g>
  );
}

/** A laying that cannot be, with a cross where its half-discs clash. */
export function WrongLaying({ laying, clashes, set }: { laying: Laying; clashes: readonly Disc[]; set: TileSet }) {
  return (
    <g class="ghost illegal" aria-hidden="true">
      <g class="ghost-domino" opacity={0.6}>
        <Domino laying={laying} set={set} />
      </g>
      <Outlined laying={laying} kind="wrong" />
      <Clashes discs={clashes} />
    </g>
  );
}

/** Where the player pointed, in cells. */
export interface Aim {
  cell: Cell;
  at: readonly [x: number, y: number];
}

/** The sizes of what stands by a ghost, in pixels: as the style sheet has them, with some room. */
const CONTROLS: Size = { width: 176, height: 54 };
const WITH_PARTS: Size = { width: 232, height: 86 };
const WHY: Size = { width: 232, height: 94 };
const numbersSize = (text: string): Size => ({ width: 24 + 9 * text.length, height: 30 });
const SIGN = 5;
const tickSize = (): Size => {
  const side = matchMedia("(pointer: coarse)").matches ? 48 : 36;
  return { width: side, height: side };
};

const pixels = ([left, top]: Spot) => ({ left: `${left}px`, top: `${top}px` });

interface ControlsProps {
  placer: Placer;
  camera: Camera;
  set: TileSet;
  aim: Signal<Aim | null>;
  sign?: GhostSign;
  onCommit?(laying: Laying): void;
}

/** The tick, what it earns, and how to turn it, by the ghost; and why a laying is illegal. */
export function GhostControls({ placer, camera, set, aim, sign, onCommit }: ControlsProps) {
  const tick = tickSize();
  const ghost = placer.ghost.value;
  const earns = ghost?.scored ? formatSigned(ghost.scored.points - placer.charge.value) : "";
  const count = placer.poses.value.length;
  const pose = `${placer.pose.value + 1}/${count}`;
  const pinned = placer.pinned.value;
  const turns = !pinned && count > 1;
  const parts = partsInWords(ghost, placer.charge.value);
  // While it is turned, the controls stay where they are.
  const parted = placer.poses.value.some((one) => partsInWords(one, placer.charge.value));
  const effect = ghost && sign?.(ghost);
  const numbers = numbersSize(`${earns}${turns ? ` m ${pose}` : ""}${effect ? "m".repeat(SIGN) : ""}`);
  const spots = useComputed(() => {
    const [now, layings, cell] = [placer.ghost.value?.laying, placer.layings.value, placer.cell.value];
    void camera.view.value;
    if (!now || !cell) return null;
    if (!placer.pinned.value)
      return { numbers: numbersBeside(now, layings, camera, numbers, ghostAreas(now, layings, set, camera)) };
    const aimed =
      aim.value && key(aim.value.cell) === key(cell) ? aim.value.at : ([cell[0] + 0.5, cell[1] + 0.5] as const);
    return aroundGhost(
      now,
      placer.poses.value.map(({ laying }) => laying),
      layings,
      set,
      camera,
      camera.toScreen(...aimed),
      { tick, controls: parted ? WITH_PARTS : CONTROLS, numbers },
      [...placer.places.value.values()],
    );
  }).value;
  if (placer.illegal.value || placer.refused.value) return <Why {...{ placer, camera, set }} />;
  if (!spots || !ghost) return null;
  const commit = () => {
    const laying = placer.confirmed();
    if (laying) onCommit?.(laying);
  };
  return (
    <>
      {(earns || effect || turns) && (
        <p class="floating ghost-numbers" style={pixels(spots.numbers)} aria-hidden="true">
          {earns && <b class="points strong">{earns}</b>}
          {effect}
          {turns && (
            <span class="pose note">
              <Icon name="turn" /> {pose}
            </span>
          )}
        </p>
      )}
      {"controls" in spots && (
        <>
          {onCommit && (
            <button
              type="button"
              class="primary round tick"
              style={{ ...pixels(spots.tick), width: `${tick.width}px`, height: `${tick.height}px` }}
              aria-label={t("lay_here")}
              title={`${t("lay_here")} (Enter)`}
              onClick={commit}
            >
              <Icon name="done" />
            </button>
          )}
          <div class="floating ghost-controls" style={pixels(spots.controls)}>
            <button
              type="button"
              class="round"
              aria-label={t("cancel")}
              title={`${t("cancel")} (Esc)`}
              onClick={() => placer.cancel()}
            >
              <Icon name="close" />
            </button>
            <button
              type="button"
              class="round"
              aria-label={t("flip")}
              title={`${t("flip")} (F)`}
              onClick={() => placer.flip()}
            >
              <Icon name="flip" />
            </button>
            <button
              type="button"
              class="round wide"
              aria-label={`${t("turn")} ${pose}`}
              title={t("turn_how")}
              disabled={count < 2}
              onClick={() => placer.turn(1)}
            >
              <Icon name="turn" /> <small>{pose}</small>
            </button>
            {parts && <span class="parts">{parts}</span>}
          </div>
        </>
      )}
    </>
  );
}

/** Why a domino cannot lie where it is wanted; and, while it stays, how to change it. */
function Why({ placer, camera, set }: { placer: Placer; camera: Camera; set: TileSet }) {
  const at = useComputed(() => {
    const illegal = placer.illegal.value ?? placer.refused.value;
    void camera.view.value;
    if (!illegal) return null;
    const { left, right, bottom } = onScreen(bounds([illegal.laying]), camera, 0);
    return beside(WHY, [(left + right) / 2, bottom], camera, [
      ...ghostAreas(illegal.laying, [], set, camera),
      toolsArea(camera),
    ]);
  }).value;
  const [illegal, refused] = [placer.illegal.value, placer.refused.value];
  const reason = (illegal ?? refused)?.reason;
  useEffect(() => {
    if (reason) announce(tt(`illegal_${reason}`), "urgent");
  }, [illegal ?? refused]);
  if (!at) return null;
  return (
    <div class={illegal ? "floating ghost-controls" : "floating ghost-controls refused"} style={pixels(at)}>
      <p class="why">{tt(`illegal_${reason}`)}</p>
      {illegal && (
        <>
          <button
            type="button"
            class="round"
            aria-label={t("turn")}
            title={t("turn_how")}
            onClick={() => placer.turn(1)}
          >
            <Icon name="turn" />
          </button>
          <button
            type="button"
            class="round"
            aria-label={t("cancel")}
            title={`${t("cancel")} (Esc)`}
            onClick={() => placer.cancel()}
          >
            <Icon name="close" />
          </button>
        </>
      )}
    </div>
  );
}

/** What the ghost earns, in parts, if there are several: "2 discs +2 · yellow +7 · extra domino −4". */
function partsInWords(ghost: Candidate | null, charge: number): string | null {
  if (!ghost?.scored) return null;
  const { scored } = ghost;
  const parts = [t("discs_earn", { count: scored.contacts, points: formatSigned(scored.disc_points) })];
  for (const { colour, size } of scored.groups)
    parts.push(t("group_earns", { colour: tt(`colour_${colour}`), points: formatSigned(size) }));
  if (charge) parts.push(t("second_domino", { points: formatSigned(-charge) }));
  return parts.length > 1 ? parts.join(" · ") : null;
}

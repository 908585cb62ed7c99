/** The laying that is only thought of: how it looks, what it earns, and the tick beside it. */
import { useComputed } from "@preact/signals";
import type { TileSet } from "../data.ts";
import { cellsOf, key, type Laying } from "../geometry.ts";
import { signed, t, tt } from "../i18n.ts";
import type { Scored } from "../net/api.ts";
import type { Placer } from "../state/placer.ts";
import { Badge, GroupLine, Outlined } from "./board.tsx";
import type { Camera } from "./camera.ts";
import { Domino } from "./domino.tsx";

/** Half of the width of the controls, in pixels: they stay on the screen. */
const ROOM = 132;
/** How high they are, with the line that tells the parts. */
const HIGH = 84;

export function GhostLayer({ placer, set }: { placer: Placer; set: TileSet }) {
  const ghost = placer.ghost.value;
  const wish = placer.wish.value;
  if (wish) {
    return (
      <g class="ghost wish" aria-hidden="true">
        <g class="ghost-domino"><Domino laying={wish.laying} set={set} /></g>
        <Outlined laying={wish.laying} kind="wrong" />
        {wish.discs.map((disc) => (
          <g key={key(disc)} class="clash" transform={`translate(${50 * disc[0]} ${50 * disc[1]})`}>
            <circle r={17} />
            <path d="M-7 -7L7 7M7 -7L-7 7" />
          </g>
        ))}
      </g>
    );
  }
  if (!ghost) return null;
  const { laying, scored } = ghost;
  return (
    <g class={placer.pinned.value ? "ghost pinned" : "ghost"} aria-hidden="true">
      <g class="ghost-domino"><Domino laying={laying} set={set} /></g>
      <Outlined laying={laying} kind="ghostly" />
      {scored?.groups.map((group, i) =>
        group.discs ? <GroupLine key={i} group={{ discs: group.discs, kind: "closing" }} /> : null,
      )}
      {scored && <Points laying={laying} points={scored.points - placer.charge.value} />}
    </g>
  );
}

function Points({ laying, points }: { laying: Laying; points: number }) {
  const [[x, y], [u, v]] = cellsOf(laying);
  return <Badge text={signed(points)} at={[50 * (x + u + 1), 50 * (y + v + 1)]} kind="points" />;
}

/** Turn, turn over, cancel and the tick, by the ghost; and why a wish cannot be. */
export function GhostControls({ placer, camera, onCommit }: { placer: Placer; camera: Camera; onCommit?(laying: Laying): void }) {
  const place = useComputed(() => {
    const laying = placer.wish.value?.laying ?? (placer.pinned.value ? placer.ghost.value?.laying : null);
    if (!laying) return null;
    const cells = cellsOf(laying);
    const bottom = Math.max(cells[0][1], cells[1][1]) + 1;
    const middle = (cells[0][0] + cells[1][0] + 1) / 2;
    const [x, y] = camera.toScreen(middle, bottom);
    // Where there is no room below the ghost, above it; the ghost itself is to be seen.
    const above = camera.toScreen(middle, Math.min(cells[0][1], cells[1][1]))[1] - 8 - HIGH;
    return {
      left: Math.min(Math.max(x, ROOM), Math.max(ROOM, camera.width - ROOM)),
      top: y + 8 + HIGH > camera.height && above >= 0 ? above : Math.min(Math.max(y + 8, 8), camera.height - HIGH),
    };
  });
  const at = place.value;
  if (!at) return null;
  const wish = placer.wish.value;
  if (wish) {
    return (
      <div class="ghost-controls" style={{ left: `${at.left}px`, top: `${at.top}px` }}>
        <p class="why" role="status">{tt(`wish_${wish.reason}`)}</p>
        <button type="button" class="round" aria-label={t("turn")} title={`${t("turn")} (R)`} onClick={() => placer.turn(1)}>↻</button>
        <button type="button" class="round" aria-label={t("cancel")} title={`${t("cancel")} (Esc)`} onClick={() => placer.cancel()}>✕</button>
      </div>
    );
  }
  const count = placer.poses.value.length;
  const number = (placer.pose.value % count) + 1;
  const commit = () => {
    const laying = placer.confirmed();
    if (laying) onCommit?.(laying);
  };
  return (
    <div class="ghost-controls" style={{ left: `${at.left}px`, top: `${at.top}px` }}>
      <button type="button" class="round" aria-label={t("cancel")} title={`${t("cancel")} (Esc)`} onClick={() => placer.cancel()}>✕</button>
      <button type="button" class="round" aria-label={t("flip")} title={`${t("flip")} (F)`} onClick={() => placer.flip()}>⇅</button>
      {count > 1 && (
        <button type="button" class="round wide" aria-label={`${t("turn")} ${number}/${count}`} title={`${t("turn")} (R)`} onClick={() => placer.turn(1)}>
          ↻ <small>{number}/{count}</small>
        </button>
      )}
      {onCommit && (
        <button type="button" class="round tick" aria-label={t("lay_here")} title={`${t("lay_here")} (Enter)`} onClick={commit}>✓</button>
      )}
      {placer.ghost.value?.scored && <Parts scored={placer.ghost.value.scored} charge={placer.charge.value} />}
    </div>
  );
}

/** What the ghost earns, in parts: "2 discs 2 · yellow 7". */
function Parts({ scored, charge }: { scored: Scored; charge: number }) {
  const parts = [t("discs_earn", { count: scored.contacts, points: scored.disc_points })];
  for (const { colour, size } of scored.groups) parts.push(t("group_earns", { colour: tt(`colour_${colour}`), points: size }));
  if (charge) parts.push(t("second_domino", { points: signed(-charge) }));
  return <span class="parts">{parts.join(" · ")}</span>;
}

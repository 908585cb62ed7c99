/** The laying that is only thought of: how it looks, what it earns, and the tick beside it. */
import { useComputed } from "@preact/signals";
import type { TileSet } from "../data.ts";
import { bounds, cellsOf, type Disc, key, type Laying } from "../geometry.ts";
import { signed, t, tt } from "../i18n.ts";
import type { Scored } from "../net/api.ts";
import type { Placer } from "../state/placer.ts";
import { beside } from "./beside.ts";
import { Badge, GroupLine, Outlined } from "./board.tsx";
import type { Camera } from "./camera.ts";
import { Domino } from "./domino.tsx";

export function GhostLayer({ placer, set }: { placer: Placer; set: TileSet }) {
  const ghost = placer.ghost.value;
  const wish = placer.wish.value;
  if (wish) return <WrongLaying laying={wish.laying} clashes={wish.discs} set={set} />;
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

/** A laying that cannot be, with a cross where its half-discs clash. */
export function WrongLaying({ laying, clashes, set }: { laying: Laying; clashes: readonly Disc[]; set: TileSet }) {
  return (
    <g class="ghost wish" aria-hidden="true">
      <g class="ghost-domino"><Domino laying={laying} set={set} /></g>
      <Outlined laying={laying} kind="wrong" />
      {clashes.map((disc) => (
        <g key={key(disc)} class="clash" transform={`translate(${50 * disc[0]} ${50 * disc[1]})`}>
          <circle r={17} />
          <path d="M-7 -7L7 7M7 -7L-7 7" />
        </g>
      ))}
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
    const wish = placer.wish.value;
    if (!wish && !(placer.pinned.value && placer.ghost.value)) return null;
    // Beside all poses at the cell: they stay under the finger while the ghost is turned.
    const [left, top] = beside(bounds(wish ? [wish.laying] : placer.poses.value.map(({ laying }) => laying)), placer.layings.value, camera);
    return { left: `${left}px`, top: `${top}px` };
  });
  const at = place.value;
  if (!at) return null;
  const wish = placer.wish.value;
  if (wish) {
    return (
      <div class="ghost-controls" style={at}>
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
    <div class="ghost-controls" style={at}>
      <button type="button" class="round" aria-label={t("cancel")} title={`${t("cancel")} (Esc)`} onClick={() => placer.cancel()}>✕</button>
      <button type="button" class="round" aria-label={t("flip")} title={`${t("flip")} (F)`} onClick={() => placer.flip()}>⇅</button>
      {count > 1 && (
        <button type="button" class="round wide" aria-label={`${t("turn")} ${number}/${count}`} title={`${t("turn")} (R)`} onClick={() => placer.turn(1)}>
          ↻ <small>{number}/{count}</small>
        </button>
      )}
      {onCommit && (
        <button type="button" class="primary round tick" aria-label={t("lay_here")} title={`${t("lay_here")} (Enter)`} onClick={commit}>✓</button>
      )}
      {placer.ghost.value?.scored && <Parts scored={placer.ghost.value.scored} charge={placer.charge.value} />}
    </div>
  );
}

/** What the ghost earns, in parts: "2 discs +2 · yellow +7 · second domino −4". */
function Parts({ scored, charge }: { scored: Scored; charge: number }) {
  const parts = [t("discs_earn", { count: scored.contacts, points: signed(scored.disc_points) })];
  for (const { colour, size } of scored.groups) parts.push(t("group_earns", { colour: tt(`colour_${colour}`), points: signed(size) }));
  if (charge) parts.push(t("second_domino", { points: signed(-charge) }));
  return <span class="parts">{parts.join(" · ")}</span>;
}

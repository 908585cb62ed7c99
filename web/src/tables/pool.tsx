/** The dominoes to choose from in a race: a middle or a pile, with demands on colours at their edges. */
import { type Signal, useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { memo } from "../board/memo.ts";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { carry, carrying, type Load } from "../board/carry.ts";
import { ColourSymbol, Domino } from "../board/domino.tsx";
import { rectangle } from "../board/outline.ts";
import type { Colour, TileSet } from "../data.ts";
import type { Cell, Laying, Side } from "../geometry.ts";
import { t, tt } from "../i18n.ts";
import { colourName, faceInWords, placeInWords } from "../words.ts";
import { columnsFor, type Demand, match, nextColour, NO_DEMAND } from "../state/races.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import { recall, remember } from "../state/storage.ts";
import { type Holes, inPose } from "./hole.tsx";
import { focusTargets } from "../ui/focus.ts";
import { Icon } from "../ui/icon.tsx";
import { requireValue } from "../values.ts";

/** Which faces are shown: both, or all dominoes with the same one up. */
type Faces = "both" | "+" | "-";
type Order = "kind" | "centre" | "colours";

export interface PoolProps {
  set: TileSet;
  /** In the order of the set. */
  tiles: readonly string[];
  /** Those that cannot be taken: their places stay empty, so that nothing moves under a finger. */
  gone?: ReadonlySet<string>;
  /** What is in hand. */
  held: string | null;
  /** The cell of the frame that is asked about: what fits there comes first, as it would lie. */
  holes?: Holes;
  /** Offer other orders than that of the set. */
  sortable?: boolean;
  label: string;
  onTake?(tile: string, side: Side): void;
  /** A pointer goes down on a domino: it may be dragged to the table. */
  onCarry?(event: PointerEvent, tile: string, side: Side): void;
}

/** Dragging from the pool: the domino is taken in hand, unless it is there, and laid where it is let go. */
export function fromPool(
  load: Pick<Load, "placer" | "camera" | "parts" | "onCommit">,
  take: (tile: string, side: Side) => boolean | Promise<boolean>,
): PoolProps["onCarry"] {
  const { placer } = load;
  return (event, tile, side) =>
    carry(
      event,
      {
        ...load,
        tile,
        side,
        oneTap: true,
        take() {
          if (placer.hand.value[0] !== tile) return take(tile, side);
          if (placer.tile.value !== tile || placer.side.value !== side) placer.take(tile, side);
          return true;
        },
      },
      true,
    );
}

/** So many dominoes are looked through at a glance, without asking for colours. */
const FEW = 8;

const ORDERS: Record<Order, (tile: string, set: TileSet) => string> = {
  kind: () => "",
  centre: (tile, set) => set.face(tile, "+").charAt(0) + set.face(tile, "-").charAt(0),
  colours: (tile, set) =>
    [..."RYGB"].map((colour) => 9 - [...set.face(tile, "+").slice(1)].filter((one) => one === colour).length).join(""),
};

export function Pool({ set, tiles, gone, held, holes, sortable, label, onTake, onCarry }: PoolProps) {
  // What is there to choose by does not go away, and what is left does not grow.
  const first = useMemo(() => tiles.length, []);
  const hole = holes?.hole ?? null;
  const demand = useSignal<Demand>(NO_DEMAND);
  const faces = useSignal<Faces>(recall<Faces>("pool.faces", "both"));
  const order = useSignal<Order>("kind");
  const current = useSignal<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const show = (wanted: Faces) => {
    faces.value = wanted;
    remember("pool.faces", wanted);
  };

  const sorted = useMemo(() => {
    const by = ORDERS[order.value];
    const keyed = tiles.map((tile) => ({ tile, key: by(tile, set) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ tile }) => tile);
  }, [tiles, order.value, set]);
  const found = useMemo(() => {
    const all = sorted
      .map((tile) => ({ tile, meets: match(tile, demand.value, set), poses: hole?.fitting.get(tile) }))
      .flatMap(({ meets, ...rest }) => (meets ? [{ meets, ...rest }] : []));
    return hole ? [...all.filter(({ poses }) => poses), ...all.filter(({ poses }) => !poses)] : all;
  }, [sorted, demand.value, set, hole?.fitting]);
  const free = found.filter(({ tile }) => !gone?.has(tile));
  const demanding = demand.value.some(Boolean);
  useAnnouncement(demanding && !hole ? t("pool_found", { count: free.length }) : null, "chosen");
  // What was taken is not there any more: the next one is.
  const at = found.findIndex(({ tile }) => tile === current.value);
  const focused =
    ((at < 0 ? undefined : found.slice(at).find(({ tile }) => !gone?.has(tile))) ?? free[0])?.tile ?? null;

  // Where it was left is no place of other dominoes.
  useEffect(() => {
    grid.current?.scrollTo(0, 0);
    if (hole) current.value = null;
  }, [demand.value, order.value, hole?.cell]);
  const stacked = faces.value === "both" || hole ? 2 : 1;
  useColumns(grid, Math.max(first, tiles.length), stacked);

  const latest = useRef({ onTake, onCarry });
  latest.current = { onTake, onCarry };
  const onClick = useMemo(
    () => (tile: string, side: Side) => {
      current.value = tile;
      latest.current.onTake?.(tile, side);
    },
    [],
  );
  const onDown = useMemo(
    () => (event: PointerEvent, tile: string, side: Side) => latest.current.onCarry?.(event, tile, side),
    [],
  );
  useEffect(() => {
    const stay = (event: TouchEvent) => {
      if (carrying() && event.cancelable) event.preventDefault();
    };
    const element = requireValue(grid.current, "the grid");
    element.addEventListener("touchmove", stay, { passive: false });
    return () => element.removeEventListener("touchmove", stay);
  }, []);

  return (
    <section class="pool" aria-label={label}>
      <div class="row pool-head">
        <h2>
          {label}{" "}
          <small>
            {hole
              ? t("hole_fits", { count: hole.count })
              : demanding
                ? t("pool_found", { count: free.length })
                : t("pool_count", { count: free.length })}
          </small>
        </h2>
        <div class="row pool-tools">
          {hole ? (
            <button type="button" class="chosen" onClick={() => holes?.ask(null)}>
              <Icon name="close" /> {t("hole_clear")}
            </button>
          ) : (
            <button
              type="button"
              aria-pressed={faces.value === "both"}
              class={faces.value === "both" ? "chosen" : ""}
              onClick={() => show(faces.value === "both" ? "+" : "both")}
            >
              {t("pool_both")}
            </button>
          )}
          {!hole && faces.value !== "both" && (
            <button type="button" onClick={() => show(faces.value === "+" ? "-" : "+")}>
              <Icon name="flip" /> {t("pool_flip")}
            </button>
          )}
          {sortable && (
            <label class="pool-order">
              <span class="hidden">{t("pool_order")}</span>
              <select value={order.value} onChange={(event) => (order.value = event.currentTarget.value as Order)}>
                {Object.keys(ORDERS).map((name) => (
                  <option key={name} value={name}>
                    {tt(`pool_order_${name}`)}
                  </option>
                ))}
              </select>
            </label>
          )}
        </div>
        {first > FEW && <EdgeFilter demand={demand} />}
      </div>
      <div
        class={`pool-grid ${stacked === 2 ? "both" : "single"}`}
        ref={grid}
        role="group"
        aria-label={t("pool_grid")}
        onKeyDown={(event) => walk(event, event.currentTarget, (tile) => (current.value = tile))}
      >
        {found.map(({ tile, meets, poses }) => (
          <PoolItem
            key={tile}
            tile={tile}
            set={set}
            faces={faces.value}
            onTake={onClick}
            onDown={onDown}
            pose={poses?.find((one) => !demanding || one.side === meets.side) ?? poses?.[0]}
            over={hole?.cell}
            side={demanding ? meets.side : null}
            turned={demanding && meets.turned}
            gone={!!gone?.has(tile)}
            held={held === tile}
            reachable={tile === focused}
            idle={!onTake}
          />
        ))}
        {demanding && !found.length && <p class="full soft pool-none">{t("pool_none")}</p>}
      </div>
    </section>
  );
}

/** The pixels of a domino in the pool, at least and at most, and between two. */
const [LEAST, MOST, GAP] = [64, 128, 2];

/** As many columns as it takes to show all at once, so that each domino is as large as that allows. */
function useColumns(grid: { current: HTMLElement | null }, count: number, faces: number): void {
  // Before the first frame is painted: a domino must not move while a finger is on its way to it.
  useLayoutEffect(() => {
    const element = requireValue(grid.current, "the grid");
    const setColumns = () => {
      const { paddingLeft, paddingTop } = getComputedStyle(element);
      const [width, height] = [
        element.clientWidth - 2 * parseFloat(paddingLeft),
        element.clientHeight - 2 * parseFloat(paddingTop),
      ];
      const high = (wide: number) => (faces === 2 ? wide : (wide * 112) / 204);
      element.style.setProperty(
        "--columns",
        String(columnsFor(count, { width, height }, { least: LEAST, most: MOST, gap: GAP, high })),
      );
    };
    setColumns();
    const observer = new ResizeObserver(setColumns);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count, faces]);
}

/** Arrows walk in the grid as the eye sees it; they do not reach the table. */
function walk(event: TargetedKeyboardEvent<HTMLDivElement>, grid: HTMLElement, go: (tile: string) => void): void {
  const items = focusTargets(grid, ".pool-item");
  const at = items.indexOf(document.activeElement as HTMLElement);
  const current = items[at];
  if (!current) return;
  const here = current.getBoundingClientRect();
  const near = (vertical: 1 | -1) => {
    const far = (item: Element) => {
      const box = item.getBoundingClientRect();
      const down = (box.top - here.top) * vertical;
      return down < 4 ? Infinity : down * 4 + Math.abs(box.left - here.left);
    };
    const best = items.reduce((a, b) => (far(b) < far(a) ? b : a));
    return far(best) < Infinity ? best : current;
  };
  const beside = (step: 1 | -1) => {
    for (let i = at + step; i >= 0 && i < items.length; i += step)
      if (items[i]?.getAttribute("aria-disabled") !== "true") return items[i];
    return current;
  };
  const goals: Record<string, () => HTMLElement | undefined> = {
    ArrowRight: () => beside(1),
    ArrowLeft: () => beside(-1),
    ArrowDown: () => near(1),
    ArrowUp: () => near(-1),
    Home: () => items[0],
    End: () => items.at(-1),
  };
  const goal = goals[event.key]?.();
  if (!goal) return;
  event.preventDefault();
  event.stopPropagation();
  go(goal.dataset.tile ?? "");
  goal.focus();
}

interface ItemProps {
  tile: string;
  set: TileSet;
  faces: Faces;
  /** The face that meets the demand, if there is one. */
  side: Side | null;
  turned: boolean;
  /** How it would lie over the cell that is asked about, if one is and it fits there. */
  pose?: Laying;
  over?: Cell;
  gone: boolean;
  held: boolean;
  /** The one that the tabulator key comes to. */
  reachable: boolean;
  idle: boolean;
  onTake(tile: string, side: Side): void;
  onDown(event: PointerEvent, tile: string, side: Side): void;
}

/** Drawn again only when it is taken or looks different: there are 120 of them. */
const PoolItem = memo(function PoolItem({
  tile,
  set,
  faces,
  side: wanted,
  turned,
  pose,
  over,
  gone,
  held,
  reachable,
  idle,
  onTake,
  onDown,
}: ItemProps) {
  const side = pose?.side ?? wanted;
  const shown: Side[] = pose ? [pose.side] : faces === "both" ? ["+", "-"] : [side ?? faces];
  const words = shown.map((one) => faceInWords(tile, one, set)).join(". ") + (pose ? `: ${placeInWords(pose)}` : "");
  const touched = (event: Event) =>
    (event.target as Element).closest("[data-side]")?.getAttribute("data-side") as Side | null;
  return (
    <button
      type="button"
      class={`pool-item${gone ? " gone" : ""}${held ? " held-here" : ""}${over ? (pose ? " fits" : " misfit") : ""}`}
      data-tile={tile}
      tabIndex={reachable ? 0 : -1}
      aria-disabled={gone || idle}
      aria-label={gone ? t("pool_gone", { tile }) : `${tile}. ${words}`}
      title={tile}
      onPointerDown={(event) => {
        if (!gone && !idle) onDown(event, tile, touched(event) ?? side ?? shown[0]!);
      }}
      onMouseDown={(event) => {
        // The second one of a double click: by then the focus is in the hand, and stays there.
        if (event.detail > 1) event.preventDefault();
      }}
      onClick={(event) => {
        if (gone || idle) return;
        onTake(tile, (event.detail > 0 && touched(event)) || (side ?? shown[0]!));
      }}
    >
      {!gone && pose && over && <PosePicture pose={pose} over={over} set={set} />}
      {!gone
        && !pose
        && shown.map((one) => (
          <PoolFace
            key={one}
            tile={tile}
            side={one}
            set={set}
            turned={turned && one === side}
            dim={side !== null && one !== side}
          />
        ))}
    </button>
  );
});

function PoolFace({
  tile,
  side,
  set,
  turned,
  dim,
}: {
  tile: string;
  side: Side;
  set: TileSet;
  turned: boolean;
  dim: boolean;
}) {
  const laying: Laying = { tile, side, rotation: turned ? 2 : 0, x: turned ? 1 : 0, y: 0 };
  return (
    <svg class={dim ? "face dim" : "face"} viewBox="-2 -2 204 104" data-side={side} aria-hidden="true">
      <Domino laying={laying} set={set} />
    </svg>
  );
}

/** A domino as it would lie, in a square, with a ring on the half that is over the cell. */
function PosePicture({ pose, over, set }: { pose: Laying; over: Cell; set: TileSet }) {
  const {
    laying,
    over: [x, y],
  } = inPose(pose, over);
  const box = rectangle(laying, 2);
  const [left, top] = [box.x + (box.width - 204) / 2, box.y + (box.height - 204) / 2];
  return (
    <svg class="face pose" viewBox={`${left} ${top} 204 204`} data-side={pose.side} aria-hidden="true">
      <Domino laying={laying} set={set} />
      <circle fill="none" stroke="var(--gold)" stroke-width={6} cx={100 * x + 50} cy={100 * y + 50} r={13} />
    </svg>
  );
}

/** The half-discs W NW NE E SE SW in the order in which they are read. */
const READ = [1, 2, 0, 3, 5, 4];
const EDGES = ["w", "nw", "ne", "e", "se", "sw"] as const;

/** A little domino: touching an edge demands the next colour there; in the middle, clear all. */
function EdgeFilter({ demand }: { demand: Signal<Demand> }) {
  const count = demand.value.filter(Boolean).length;
  // It takes room that dominoes could have: who likes it open has it so.
  const open = useMemo(() => recall("pool.filter", false), []);
  const put = (slot: number, colour: Colour | null) =>
    (demand.value = demand.value.map((one, at) => (at === slot ? colour : one)));
  return (
    <details class="edge-filter" open={open} onToggle={(event) => remember("pool.filter", event.currentTarget.open)}>
      <summary>
        {t("filter")}
        {count > 0 && <b> ({count})</b>}
      </summary>
      <div class="row">
        <div class="edge-domino" role="group" aria-label={t("filter_explained")}>
          {READ.map((slot) => {
            const colour = demand.value[slot] ?? null;
            const label = t("filter_edge", {
              edge: tt(`edge_${EDGES[slot]}`),
              colour: colour ? colourName(colour) : t("any_colour"),
            });
            return (
              <button
                key={slot}
                type="button"
                class="edge"
                style={{ gridArea: EDGES[slot] }}
                data-edge={EDGES[slot]}
                aria-label={label}
                title={label}
                onClick={() => put(slot, nextColour(colour))}
                onContextMenu={(event) => {
                  event.preventDefault();
                  put(slot, null);
                }}
              >
                <EdgeSign colour={colour} />
              </button>
            );
          })}
          {count > 0 && (
            <button
              type="button"
              class="edge edge-clear"
              aria-label={t("filter_clear")}
              title={t("filter_clear")}
              onClick={() => (demand.value = NO_DEMAND)}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        <p class="note edge-hint">{t("filter_explained")}</p>
      </div>
    </details>
  );
}

function EdgeSign({ colour }: { colour: Colour | null }) {
  return (
    <svg viewBox="-22 -22 44 44" width={38} height={38} aria-hidden="true">
      {colour ? (
        <>
          <circle r={19} class={colour} />
          <ColourSymbol colour={colour} at={[0, 0]} scale={1} />
        </>
      ) : (
        <circle r={16} fill="var(--veil)" stroke="var(--veil-edge)" stroke-width={2} stroke-dasharray="5 5" />
      )}
    </svg>
  );
}

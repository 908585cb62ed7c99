/**
 * The table: dominoes in layers, and the pointer. It knows no rules and asks nobody: what may be
 * laid comes with the placer, what is marked with the properties.
 */
import { effect, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TileSet } from "../data.ts";
import { type Box, bounds, type Cell, type Disc, key, type Laying, printLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { withSymbols } from "../state/settings.ts";
import type { Frame, Placer } from "../state/placer.ts";
import type { Camera } from "./camera.ts";
import { Domino, rectangle, wholeDiscs, WholeSymbols } from "./domino.tsx";
import { GhostControls, GhostLayer } from "./ghost.tsx";
import { outline } from "./outline.ts";

/** A group of discs with a line round it, and perhaps a text on it. */
export interface Marked {
  discs: readonly Disc[];
  label?: string;
  /** A class for the look: `closed`, `mine`, `player-2`, ... */
  kind?: string;
}

/** What lies there, and what is marked of it. */
export interface LyingProps {
  set: TileSet;
  layings: readonly Laying[];
  /** Outlined as the last turn. */
  last?: readonly Laying[];
  /** Of the turn under way: can still be taken back. */
  staged?: readonly Laying[];
  /** Under way to the server, which has not told of them yet. */
  sent?: readonly Laying[];
  groups?: readonly Marked[];
  frame?: Frame | null;
}

interface BoardProps extends LyingProps {
  label: string;
  camera: Camera;
  placer?: Placer;
  /** Click or tap lays at once. */
  oneTap?: boolean;
  /** Carry the ghost out. */
  onCommit?(laying: Laying): void;
  /** A cell was clicked with nothing in hand; where exactly, in half-cells. */
  onPick?(cell: Cell, at: Disc): void;
  /** What goes on top, in units of the world (100 to a cell). */
  children?: ComponentChildren;
  /** Show what outlines where the domino in hand fits. */
  places?: boolean;
}

const FAR = 8;
/** How much larger everything could be, until it is shown larger. */
const ROOM = 1.2;
/** Pixels at the right that the tools cover. */
const TOOLS = 56;
/** Pixels that the ghost floats above a finger. */
const ABOVE = 64;

export function Board(props: BoardProps) {
  const { camera } = props;
  camera.covered = props.frame ? 0 : TOOLS;
  const element = useRef<HTMLDivElement>(null);
  const fittedOnce = useRef(false);
  const grabbed = useSignal(false);

  const shown = useRef(props);
  shown.current = props;
  const box = () => boxOf(shown.current);
  const margin = props.frame ? 0.35 : 1.6;
  /** The same, and where the domino in hand fits, if that is shown. */
  const boxWithPlaces = (grow = 0): Box => {
    const { placer, places = true } = shown.current;
    return holding(box(), (places && placer?.places.peek().values()) || [], grow);
  };
  const fitting = useRef<Camera["target"]>(null);
  const fit = (milliseconds?: number) => {
    // Places need less of a margin than what lies.
    fitting.current = camera.fitted(boxWithPlaces(0.3 - margin), margin);
    camera.fly(fitting.current, milliseconds);
  };
  camera.fit = fit;
  /** Everything was shown, and nobody has moved it by hand since. */
  const untouched = () => camera.target !== null && camera.target === fitting.current;

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (!width || !height) return;
      const { x, y, scale } = camera.view.value;
      const [dx, dy] = [(width - camera.width) / 2, (height - camera.height) / 2];
      const saw = camera.sees(box());
      camera.width = width;
      camera.height = height;
      if (camera.remembered && camera.sees(box())) fittedOnce.current = true;
      else if (!fittedOnce.current || props.frame) fit(0);
      else {
        // A panel takes some of the room, or gives it back: who saw everything still does, and large.
        const small = camera.fitted(boxWithPlaces(0.3 - margin), margin).scale > ROOM * (fitting.current?.scale ?? scale);
        if (untouched() && small) fit();
        else {
          if (!camera.flying && !grabbed.value) camera.view.value = { x: x + dx, y: y + dy, scale };
          if ((saw || untouched()) && !camera.sees(box())) fit();
        }
      }
      camera.remembered = false;
      fittedOnce.current = true;
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [props.frame?.width, props.frame?.height]);

  // What is new comes into sight by itself, unless somebody is just looking elsewhere.
  const count = props.layings.length;
  useEffect(() => {
    if (fittedOnce.current && !grabbed.value && !camera.sees(box())) fit();
  }, [count]);

  // So does where the domino in hand fits, before it is drawn, and where the ghost waits for the tick.
  useEffect(() => effect(() => {
    const { placer } = props;
    void placer?.places.value;
    const ghost = placer?.wish.value?.laying ?? (placer?.pinned.value ? placer.ghost.value?.laying : null);
    untracked(() => {
      if (!fittedOnce.current || grabbed.value) return;
      if (untouched() && !camera.sees(boxWithPlaces())) fit();
      else if (ghost && !camera.sees(bounds([ghost]))) camera.fly(camera.moved(bounds([ghost]), 0.3));
    });
  }), [props.placer]);

  usePointer(element, camera, shown, grabbed);

  const world = useRef<SVGSVGElement>(null);
  // However often the pointer tells of itself, once a frame: signals put effects of components off until then.
  useSignalEffect(() => {
    const { x, y, scale } = camera.view.value;
    if (world.current) world.current.style.transform = `translate(${x}px,${y}px) scale(${scale / 100})`;
  });
  const moving = useComputed(() => (camera.moving.value ? "world moving" : "world"));

  return (
    <div class="board" ref={element}>
      <svg class={moving} ref={world} width="100" height="100" role="img" aria-label={props.label}>
        <Lying {...props} />
        {props.placer && <PlacesLayer placer={props.placer} shown={props.places ?? true} />}
        {props.placer && <GhostLayer placer={props.placer} set={props.set} />}
        {props.children}
      </svg>
      {props.placer && <GhostControls placer={props.placer} camera={camera} onCommit={props.onCommit} />}
      <div class="board-tools">
        <button type="button" class="tool" title={t("zoom_in")} aria-label={t("zoom_in")} onClick={() => camera.zoom(1.3)}>+</button>
        <button type="button" class="tool" title={t("zoom_out")} aria-label={t("zoom_out")} onClick={() => camera.zoom(1 / 1.3)}>−</button>
        <button type="button" class="tool" title={t("fit_all")} aria-label={t("fit_all")} onClick={() => fit()}>⤢</button>
        {!!props.last?.length && (
          <button type="button" class="tool" title={t("last_move")} aria-label={t("last_move")}
            onClick={() => camera.fly(camera.fitted(bounds(props.last!), 3))}>◎</button>
        )}
      </div>
    </div>
  );
}

export function Lying({ set, layings, last, staged, sent, groups, frame }: LyingProps) {
  const whole = useMemo(() => wholeDiscs(layings, set), [layings, set]);
  return (
    <>
      {frame && <FrameLayer frame={frame} />}
      <Dominoes layings={layings} set={set} whole={whole} symbols={withSymbols()} />
      {last?.map((laying) => <Outlined key={printLaying(laying)} laying={laying} kind="last" />)}
      {staged?.map((laying) => <Outlined key={printLaying(laying)} laying={laying} kind="staged" />)}
      {sent?.map((laying) => <SentDomino key={printLaying(laying)} laying={laying} set={set} />)}
      {groups?.map((group, i) => <GroupLine key={i} group={group} />)}
    </>
  );
}

/** The box of a frame, or else of what lies there. */
export const boxOf = ({ frame, layings }: LyingProps): Box =>
  frame ? { left: 0, top: 0, right: frame.width, bottom: frame.height } : bounds(layings);

/** Drawn again only when something is laid or looks different. */
const Dominoes = memo(function Dominoes({ layings, set, whole, symbols }: {
  layings: readonly Laying[]; set: TileSet; whole: ReturnType<typeof wholeDiscs>; symbols: boolean;
}) {
  return (
    <>
      {layings.map((laying) => (
        <g key={printLaying(laying)} class="domino" data-laying={printLaying(laying)}>
          <Domino laying={laying} set={set} whole={whole} />
        </g>
      ))}
      {symbols && <WholeSymbols whole={whole} />}
    </>
  );
});

/** It lies there, and is not yet confirmed. */
function SentDomino({ laying, set }: { laying: Laying; set: TileSet }) {
  return (
    <g class="sent" data-laying={printLaying(laying)}>
      <g class="sent-domino"><Domino laying={laying} set={set} /></g>
      <Outlined laying={laying} kind="sent" />
    </g>
  );
}

/** A line round a domino, light on dark, so that it is seen on any wood and cloth. */
export function Outlined({ laying, kind }: { laying: Laying; kind: string }) {
  const box = rectangle(laying, 2);
  return (
    <g class={`outlined ${kind}`}>
      <rect class="casing" {...box} />
      <rect class="line" {...box} />
    </g>
  );
}

export function GroupLine({ group }: { group: Marked }) {
  const path = useMemo(() => outline(group.discs), [group.discs]);
  if (!group.discs.length) return null;
  const mean = [0, 1].map((i) => group.discs.reduce((sum, disc) => sum + disc[i]!, 0) / group.discs.length);
  const far = (disc: Disc) => (disc[0] - mean[0]!) ** 2 + (disc[1] - mean[1]!) ** 2;
  const middle = group.discs.reduce((best, disc) => (far(disc) < far(best) ? disc : best));
  return (
    <g class={`group ${group.kind ?? ""}`}>
      <path class="casing" d={path} />
      <path class="line" d={path} />
      {group.label && <Badge text={group.label} at={[50 * middle[0], 50 * middle[1]]} />}
    </g>
  );
}

/** A text on a light pill. */
export function Badge({ text, at, kind = "" }: { text: string; at: readonly [number, number]; kind?: string }) {
  const width = Math.max(44, 20 * text.length + 20);
  return (
    <g class={`badge ${kind}`}>
      <rect x={at[0] - width / 2} y={at[1] - 21} width={width} height={42} rx={21} />
      <text x={at[0]} y={at[1] + 11} text-anchor="middle">{text}</text>
    </g>
  );
}

function FrameLayer({ frame }: { frame: Frame }) {
  const [width, height] = [100 * frame.width, 100 * frame.height];
  let lines = "";
  for (let x = 1; x < frame.width; x++) lines += `M${100 * x} 0V${height}`;
  for (let y = 1; y < frame.height; y++) lines += `M0 ${100 * y}H${width}`;
  return (
    <g class="frame">
      <rect class="frame-wood" x={-14} y={-14} width={width + 28} height={height + 28} rx={16} />
      <rect class="frame-floor" width={width} height={height} rx={4} />
      <path class="frame-grid" d={lines} />
    </g>
  );
}

function PlacesLayer({ placer, shown }: { placer: Placer; shown: boolean }) {
  if (!shown) return null;
  return (
    <g class="places" aria-hidden="true">
      {[...placer.places.value.values()].map(([x, y]) => (
        <g key={key([x, y])}>
          <rect x={100 * x + 13} y={100 * y + 13} width={74} height={74} rx={14} />
          <circle cx={100 * x + 50} cy={100 * y + 50} r={5} />
        </g>
      ))}
    </g>
  );
}

/** Drag pans, wheel and pinch zoom, a click after a pan is not a click. */
function usePointer(
  element: { current: HTMLDivElement | null },
  camera: Camera,
  latest: { current: BoardProps },
  grabbed: { value: boolean },
): void {
  useEffect(() => {
    const board = element.current!;
    const down = new Map<number, { x: number; y: number }>();
    let moved = 0;
    let spread = 0;

    const local = (event: MouseEvent): [number, number] => {
      const box = board.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const onControl = (event: Event) => (event.target as Element).closest?.("button, .board-tools, .ghost-controls") !== null;

    const start = (event: PointerEvent) => {
      if (onControl(event) || event.button > 0) return;
      const [x, y] = local(event);
      down.set(event.pointerId, { x, y });
      if (down.size === 1) moved = 0;
      spread = 0;
      board.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      const [x, y] = local(event);
      const before = down.get(event.pointerId);
      const { placer } = latest.current;
      if (!before) {
        if (event.pointerType === "mouse" && placer && !onControl(event)) placer.point(camera.cellAt(x, y));
        return;
      }
      const [dx, dy] = [x - before.x, y - before.y];
      moved += Math.abs(dx) + Math.abs(dy);
      if (down.size === 1 && moved <= FAR) return;
      down.set(event.pointerId, { x, y });
      grabbed.value = true;
      camera.hold();
      if (down.size === 1) camera.pan(dx, dy);
      else if (down.size === 2) {
        const [a, b] = [...down.values()] as [{ x: number; y: number }, { x: number; y: number }];
        const now = Math.hypot(a.x - b.x, a.y - b.y);
        if (spread) camera.zoom(now / spread, (a.x + b.x) / 2, (a.y + b.y) / 2);
        camera.pan(dx / 2, dy / 2);
        spread = now;
      }
    };
    const end = (event: PointerEvent) => {
      if (!down.delete(event.pointerId)) return;
      spread = 0;
      if (down.size) return;
      grabbed.value = false;
      camera.rest();
      if (moved <= FAR && event.type === "pointerup") click(event);
    };
    const click = (event: PointerEvent) => {
      const { placer, oneTap, onCommit, onPick } = latest.current;
      const [x, y] = local(event);
      const cell = camera.cellAt(x, y);
      if (!placer || placer.tile.value === null) {
        const { x: left, y: top, scale } = camera.view.value;
        onPick?.(cell, nearestDisc((x - left) / scale, (y - top) / scale));
        return;
      }
      // Under a finger, and after keys, nobody has seen this pose yet: then one tap lays only
      // where there is no choice.
      const seen = event.pointerType === "mouse" && !placer.pinned.value;
      if (placer.choose(cell) && oneTap && (seen || placer.poses.value.length === 1)) {
        const laying = placer.confirmed();
        if (laying) onCommit?.(laying);
      }
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      camera.hold();
      if (!down.size) camera.rest();
      const [x, y] = local(event);
      if (event.ctrlKey || Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
        camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
      } else camera.pan(-event.deltaX, 0);
    };
    const menu = (event: MouseEvent) => {
      const { placer } = latest.current;
      if (!placer?.ghost.value) return;
      event.preventDefault();
      placer.turn(event.shiftKey ? -1 : 1);
    };
    const leave = () => latest.current.placer?.point(null);

    const stop = new AbortController();
    const { signal } = stop;
    board.addEventListener("pointerdown", start, { signal });
    board.addEventListener("pointermove", move, { signal });
    board.addEventListener("pointerup", end, { signal });
    board.addEventListener("pointercancel", end, { signal });
    board.addEventListener("pointerleave", leave, { signal });
    board.addEventListener("wheel", wheel, { signal, passive: false });
    board.addEventListener("contextmenu", menu, { signal });
    return () => stop.abort();
  }, [camera]);
}

/** The box round a box and some cells, which may be grown. */
function holding(box: Box, cells: Iterable<Cell>, grow: number): Box {
  let { left, top, right, bottom } = box;
  for (const [x, y] of cells) {
    [left, right] = [Math.min(left, x - grow), Math.max(right, x + 1 + grow)];
    [top, bottom] = [Math.min(top, y - grow), Math.max(bottom, y + 1 + grow)];
  }
  return { left, top, right, bottom };
}

/** The disc nearest to a point given in cells. */
function nearestDisc(x: number, y: number): Disc {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  const all: Disc[] = [[2 * cx + 1, 2 * cy], [2 * cx + 2, 2 * cy + 1], [2 * cx + 1, 2 * cy + 2], [2 * cx, 2 * cy + 1]];
  const far = (disc: Disc) => Math.hypot(disc[0] / 2 - x, disc[1] / 2 - y);
  return all.reduce((best, disc) => (far(disc) < far(best) ? disc : best));
}

/**
 * Dragging a face from the hand onto the table: the ghost floats above a finger, so that it is
 * seen, and snaps to where the domino fits. Returns what to do when it is let go.
 */
export function dragOver(board: Element, camera: Camera, placer: Placer, event: PointerEvent): boolean {
  const box = board.getBoundingClientRect();
  const above = event.pointerType === "touch" ? ABOVE : 0;
  const [x, y] = [event.clientX - box.left, event.clientY - box.top - above];
  placer.pinned.value = false;
  if (x < 0 || y < 0 || x > box.width || y > box.height) {
    placer.point(null);
    return false;
  }
  const { x: left, y: top, scale } = camera.view.value;
  const at = [(x - left) / scale, (y - top) / scale] as const;
  let nearest: Cell | null = null;
  let shortest = 1.2;
  for (const cell of placer.places.value.values()) {
    const far = Math.hypot(cell[0] + 0.5 - at[0], cell[1] + 0.5 - at[1]);
    if (far < shortest) [nearest, shortest] = [cell, far];
  }
  placer.point(nearest);
  return nearest !== null;
}

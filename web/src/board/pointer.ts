/** The pointer over the table: drag pans, wheel and pinch zoom or turn the ghost, a rest looks at a group. */
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Cell, cellsOf, type Disc, key } from "../geometry.ts";
import { Notches, Twist } from "../state/gestures.ts";
import type { BoardProps } from "./board.tsx";
import type { Camera } from "./camera.ts";
import type { Aim } from "./ghost.tsx";

/** Pixels after which a press is no click. */
const FAR = 8;
/** Milliseconds: between the clicks of a double one; that a mouse or a finger rests on a group to look at it. */
const [DOUBLE, REST, HOLD] = [400, 160, 450];

interface Told {
  /** The table is moved by hand just now. */
  grabbed: Signal<boolean>;
  /** Where a place was chosen. */
  aim: Signal<Aim | null>;
  looked: Signal<Disc | null>;
}

/** What Safari tells of a pinch; no other engine knows it. */
type Pinch = Event & Pick<MouseEvent, "clientX" | "clientY"> & { scale: number };

export function usePointer(
  element: { current: HTMLDivElement | null },
  camera: Camera,
  latest: { current: BoardProps },
  told: Told,
): void {
  useEffect(() => {
    const board = element.current!;
    const { grabbed, aim, looked } = told;
    const down = new Map<number, { x: number; y: number }>();
    const notches = new Notches();
    let moved = 0;
    let spread = 0;
    let twist: Twist | null = null;
    /** The click that pinned the ghost: another one at once lays it. */
    let pinned: { at: number; x: number; y: number } | null = null;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let held = false;
    /** By how much a pinch has grown so far. */
    let grown = 1;

    /** Where the board is: read again only when it may have moved, not at each move of a pointer. */
    let box: DOMRect | null = null;
    const forgetBox = () => void (box = null);
    const local = (event: Pick<MouseEvent, "clientX" | "clientY">): [number, number] => {
      box ??= board.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    /** In cells. */
    const inWorld = (x: number, y: number): [number, number] => {
      const { x: left, y: top, scale } = camera.view.value;
      return [(x - left) / scale, (y - top) / scale];
    };
    const onControl = (event: Event) =>
      (event.target as Element).closest?.("button, .board-tools, .ghost-controls") !== null;
    const overGhost = (cell: Cell) => {
      const ghost = latest.current.placer?.ghost.value;
      return !!ghost && cellsOf(ghost.laying).some((one) => key(one) === key(cell));
    };
    /** The disc at a point, if a domino lies there. */
    const discAt = (x: number, y: number): Disc | null => {
      const cell = key(camera.cellAt(x, y));
      const lies = latest.current.layings.some((laying) => cellsOf(laying).some((one) => key(one) === cell));
      return lies ? nearestDisc(...inWorld(x, y)) : null;
    };
    const look = (disc: Disc | null) => {
      clearTimeout(waiting);
      if (key(looked.value ?? [NaN, NaN]) !== key(disc ?? [NaN, NaN])) looked.value = disc;
    };
    /** After a rest; if one group is looked at already, another one at once. */
    const lookSoon = (disc: Disc | null, wait: number) => {
      clearTimeout(waiting);
      if (!disc || looked.value) look(disc);
      else waiting = setTimeout(() => look(disc), wait);
    };

    const start = (event: PointerEvent) => {
      if (onControl(event) || event.button > 0) return;
      forgetBox();
      const [x, y] = local(event);
      down.set(event.pointerId, { x, y });
      if (down.size === 1) moved = 0;
      spread = 0;
      held = false;
      const [a, b] = [...down.values()];
      twist = b && latest.current.placer?.ghost.value ? new Twist(a!, b) : null;
      clearTimeout(waiting);
      const disc = down.size === 1 && event.pointerType !== "mouse" ? discAt(x, y) : null;
      if (disc) {
        waiting = setTimeout(() => {
          held = true;
          look(disc);
        }, HOLD);
      }
      board.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      const [x, y] = local(event);
      const before = down.get(event.pointerId);
      const { placer } = latest.current;
      if (!before) {
        if (event.pointerType !== "mouse" || onControl(event)) return;
        placer?.point(camera.cellAt(x, y));
        lookSoon(discAt(x, y), REST);
        return;
      }
      const [dx, dy] = [x - before.x, y - before.y];
      moved += Math.abs(dx) + Math.abs(dy);
      if (down.size === 1 && moved <= FAR) return;
      clearTimeout(waiting);
      down.set(event.pointerId, { x, y });
      const [a, b] = [...down.values()];
      const step = b && twist ? twist.move(a!, b) : 0;
      if (step) placer?.turn(step);
      if (twist?.kind === "turn") return;
      grabbed.value = true;
      camera.hold();
      if (down.size === 1) camera.pan(dx, dy);
      else if (down.size === 2) {
        const apart = Math.hypot(a!.x - b!.x, a!.y - b!.y);
        if (spread) camera.zoom(apart / spread, (a!.x + b!.x) / 2, (a!.y + b!.y) / 2);
        camera.pan(dx / 2, dy / 2);
        spread = apart;
      }
    };
    const end = (event: PointerEvent) => {
      if (!down.delete(event.pointerId)) return;
      clearTimeout(waiting);
      spread = 0;
      if (down.size) return;
      grabbed.value = false;
      camera.rest();
      if (moved <= FAR && !held && !twist?.kind && event.type === "pointerup") click(event);
    };
    const click = (event: PointerEvent) => {
      const { placer, oneTap, onCommit, onPick } = latest.current;
      const [x, y] = local(event);
      const cell = camera.cellAt(x, y);
      if (!placer || placer.tile.value === null) {
        look(discAt(x, y));
        onPick?.(cell, nearestDisc(...inWorld(x, y)));
        return;
      }
      const commit = () => {
        const laying = placer.confirmed();
        if (laying) onCommit?.(laying);
      };
      const mouse = event.pointerType === "mouse";
      const at = event.timeStamp;
      if (
        mouse
        && pinned
        && at - pinned.at < DOUBLE
        && Math.hypot(x - pinned.x, y - pinned.y) <= FAR
        && placer.pinned.value
      ) {
        pinned = null;
        commit();
        return;
      }
      // Under a finger, and after keys, nobody has seen this pose yet: then one tap lays only
      // where there is no choice.
      const fresh = !placer.pinned.value || !overGhost(cell);
      const seen = mouse && !placer.pinned.value;
      if (!placer.choose(cell)) return;
      if (fresh) aim.value = { cell, at: inWorld(x, y) };
      pinned = fresh ? { at, x, y } : null;
      if (oneTap && (seen || placer.poses.value.length === 1)) commit();
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const [x, y] = local(event);
      if (!event.ctrlKey && overGhost(camera.cellAt(x, y)) && Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
        const step = notches.add(event, performance.now());
        if (step) latest.current.placer!.turn(step);
        return;
      }
      camera.hold();
      if (!down.size) camera.rest();
      if (event.ctrlKey || Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
        camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
      } else camera.pan(-event.deltaX, 0);
    };
    // Safari tells of a pinch on a trackpad by events of its own; of fingers, by pointers like all others.
    const pinch = (event: Event) => {
      event.preventDefault();
      const pinched = event as Pinch;
      if (event.type === "gesturestart") grown = 1;
      if (down.size) return;
      camera.hold();
      camera.rest();
      camera.zoom(pinched.scale / grown, ...local(pinched));
      grown = pinched.scale;
    };
    const menu = (event: MouseEvent) => {
      const { placer } = latest.current;
      // A finger that rests looks at a group.
      if (held) event.preventDefault();
      if (held || !placer || (!placer.ghost.value && !placer.wish.value)) return;
      event.preventDefault();
      placer.turn(event.shiftKey ? -1 : 1);
    };
    const leave = () => {
      latest.current.placer?.point(null);
      look(null);
    };

    const stop = new AbortController();
    const { signal } = stop;
    const observer = new ResizeObserver(forgetBox);
    observer.observe(board);
    observer.observe(document.body);
    board.addEventListener("pointerenter", forgetBox, { signal });
    addEventListener("scroll", forgetBox, { signal, capture: true, passive: true });
    addEventListener("resize", forgetBox, { signal });
    board.addEventListener("pointerdown", start, { signal });
    board.addEventListener("pointermove", move, { signal });
    board.addEventListener("pointerup", end, { signal });
    board.addEventListener("pointercancel", end, { signal });
    board.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && leave(), { signal });
    board.addEventListener("wheel", wheel, { signal, passive: false });
    board.addEventListener("gesturestart", pinch, { signal });
    board.addEventListener("gesturechange", pinch, { signal });
    board.addEventListener("contextmenu", menu, { signal });
    return () => {
      clearTimeout(waiting);
      observer.disconnect();
      stop.abort();
    };
  }, [camera, told.looked]);
}

/** The disc nearest to a point given in cells. */
function nearestDisc(x: number, y: number): Disc {
  const [cx, cy] = [Math.floor(x), Math.floor(y)];
  const all: Disc[] = [
    [2 * cx + 1, 2 * cy],
    [2 * cx + 2, 2 * cy + 1],
    [2 * cx + 1, 2 * cy + 2],
    [2 * cx, 2 * cy + 1],
  ];
  const far = (disc: Disc) => Math.hypot(disc[0] / 2 - x, disc[1] / 2 - y);
  return all.reduce((best, disc) => (far(disc) < far(best) ? disc : best));
}

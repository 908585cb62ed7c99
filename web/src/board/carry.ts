/**
 * Dragging a domino to the table by mouse or finger. On the way it turns: by keys as anywhere, by
 * wheel, by right click, by a second finger.
 */
import { effect, signal, untracked } from "@preact/signals";
import type { Laying, Side } from "../geometry.ts";
import { Notches, Twist } from "../state/gestures.ts";
import type { Placer } from "../state/placer.ts";
import type { Camera } from "./camera.ts";
import { still } from "./motion.ts";

export interface Load {
  tile: string;
  side: Side;
  placer: Placer;
  camera: Camera;
  /** Take it in hand. Returns false, perhaps only after the server's answer, if it cannot be taken: another player may have taken it first. */
  take(): boolean | Promise<boolean>;
  /** Lay it at once where it is let go; else it waits there for the tick. */
  oneTap: boolean;
  onCommit?(laying: Laying): void;
}

/** Pixels after which a press is a drag; that the domino floats above a finger; that a tap may move. */
const [FAR, ABOVE, TAP] = [8, 64, 12];
/** Milliseconds: a finger that rests so long drags; a flight back; and how long its reason is told. */
const [HOLD, FLIGHT, TOLD] = [300, 240, 3200];
/** Milliseconds until it is known where a domino fits that was let go. */
const PATIENCE = 6000;

/** Where a domino is that is dragged, in pixels of the window; on its way back it becomes as small as in the hand. */
export const carriedAt = signal<{ x: number; y: number; scale: number | null }>({ x: 0, y: 0, scale: null });

/** Whether a domino is on its way: then nothing scrolls. */
export const carrying = () => document.documentElement.classList.contains("carrying");

/** Whether the browser scrolls what a finger moves so: it soon cancels the pointer, and nothing was dragged. */
function scrolls(home: Element, dx: number, dy: number): boolean {
  return getComputedStyle(home).touchAction.includes(Math.abs(dx) > Math.abs(dy) ? "pan-x" : "pan-y");
}

/** From a pointer that goes down on a domino; `holds`: a finger may also scroll there, unless it rests first. */
export function carry(event: PointerEvent, load: Load, holds = false): void {
  if (event.button > 0 || !event.isPrimary) return;
  const { tile, side, placer, camera } = load;
  const { pointerId, pointerType } = event;
  const touch = pointerType === "touch";
  const home = event.currentTarget as Element;
  const stop = new AbortController();
  const { signal: stopped } = stop;
  const start = { x: event.clientX, y: event.clientY };
  const here = { ...start };
  let underWay = false;
  let dropped = false;
  let stopEffect = () => {};

  const table = () => document.querySelector(".board")?.getBoundingClientRect() ?? new DOMRect();
  /** Where the domino is, not the finger. */
  const at = () => ({ x: here.x, y: here.y - (touch ? ABOVE : 0) });
  const onTable = () => {
    const [box, { x, y }] = [table(), at()];
    return x >= box.left && y >= box.top && x <= box.right && y <= box.bottom;
  };
  /** It is in hand, and it is known where it fits. */
  const known = () => placer.tile.value === tile && placer.candidates.value.has(tile);

  const follow = () => {
    carriedAt.value = { ...at(), scale: null };
    const up = placer.tile.peek() === tile ? placer.side.peek() : side;
    const carried = placer.carried.peek();
    if (carried?.tile !== tile || carried.side !== up || carried.isReturning)
      placer.carried.value = { tile, side: up, isReturning: false };
    if (!known()) return;
    const [box, { x, y }, view] = [table(), at(), camera.view.peek()];
    if (onTable()) placer.carry((x - box.left - view.x) / view.scale, (y - box.top - view.y) / view.scale);
    else placer.carry(-Infinity, -Infinity);
  };
  const begin = () => {
    underWay = true;
    placer.cancel();
    placer.looked.value = null;
    document.documentElement.classList.add("carrying");
    document.documentElement.setPointerCapture(pointerId);
    void take();
    // It may come into the hand on the way, or after it was let go.
    stopEffect = effect(() => {
      if (known()) untracked(() => (dropped ? land() : follow()));
    });
    follow();
  };
  /** Another player may have been quicker: then the domino is dropped as soon as that is known. */
  const take = async () => {
    let taken = false;
    try {
      taken = await load.take();
    } finally {
      if (!taken) giveUp();
    }
  };
  const end = () => {
    stop.abort();
    stopEffect();
    document.documentElement.classList.remove("carrying");
  };
  const giveUp = () => {
    if (!underWay || (stopped.aborted && !dropped)) return;
    placer.release(false);
    fly();
  };
  const land = () => {
    dropped = false;
    follow();
    if (placer.release(onTable())) {
      end();
      placer.carried.value = null;
      const laying = load.oneTap ? placer.confirmed() : null;
      if (laying) load.onCommit?.(laying);
    } else fly();
  };
  /** Back to the hand, or to where it came from. */
  const fly = () => {
    end();
    underWay = dropped = false;
    const carried = placer.carried.value;
    const refused = placer.refused.value;
    if (refused) setTimeout(() => placer.refused.value === refused && (placer.refused.value = null), TOLD);
    const goal = (document.querySelector(".held-face.chosen") ?? home).getBoundingClientRect();
    if (!carried || still()) {
      placer.carried.value = null;
      return;
    }
    const scale = goal.width / 2 / camera.view.value.scale;
    carriedAt.value = { x: goal.left + goal.width / 4, y: goal.top + goal.height / 2, scale };
    const back = { ...carried, isReturning: true };
    placer.carried.value = back;
    setTimeout(() => placer.carried.value === back && (placer.carried.value = null), FLIGHT);
  };
  const drop = () => {
    if (!underWay) return end();
    dropped = true;
    // Nothing of the drag is over until it is known where the domino fits.
    if (known() || !onTable()) land();
    else {
      stop.abort();
      setTimeout(() => dropped && giveUp(), PATIENCE);
    }
  };

  const fingers = new Map<number, { x: number; y: number; began: { x: number; y: number } }>();
  let twist: Twist | null = null;
  const notches = new Notches();
  const turn = (step: 1 | -1 | 0) => step && placer.turn(step);

  const move = (moved: PointerEvent) => {
    const other = fingers.get(moved.pointerId);
    if (other) {
      [other.x, other.y] = [moved.clientX, moved.clientY];
      turn(twist?.move(here, other) ?? 0);
      return;
    }
    if (moved.pointerId !== pointerId) return;
    [here.x, here.y] = [moved.clientX, moved.clientY];
    // With another button down, the first one tells of itself as a move.
    if (underWay && !touch && !(moved.buttons & 1)) return drop();
    if (underWay && moved.button === 2 && moved.buttons & 2) return turn(moved.shiftKey ? -1 : 1);
    const [dx, dy] = [here.x - start.x, here.y - start.y];
    if (!underWay && Math.hypot(dx, dy) > FAR && !(touch && scrolls(home, dx, dy))) begin();
    else if (underWay) {
      const [first] = fingers.values();
      if (first) turn(twist?.move(here, first) ?? 0);
      follow();
    }
  };
  const up = (lifted: PointerEvent) => {
    const other = fingers.get(lifted.pointerId);
    if (other) {
      fingers.delete(lifted.pointerId);
      // A tap of a second finger, as on the ghost.
      if (
        lifted.type === "pointerup"
        && !twist?.kind
        && Math.hypot(other.x - other.began.x, other.y - other.began.y) < TAP
      )
        turn(1);
      twist = null;
    } else if (lifted.pointerId !== pointerId) return;
    else if (lifted.type === "pointerup") drop();
    else if (underWay) giveUp();
    else end();
  };
  const down = (pressed: PointerEvent) => {
    if (!underWay || pressed.pointerId === pointerId) return;
    pressed.preventDefault();
    pressed.stopPropagation();
    const point = { x: pressed.clientX, y: pressed.clientY };
    fingers.set(pressed.pointerId, { ...point, began: point });
    twist = new Twist(here, point);
  };
  const rest = holds && touch ? setTimeout(() => !underWay && begin(), HOLD) : undefined;
  stopped.addEventListener("abort", () => clearTimeout(rest));
  const on = <K extends keyof WindowEventMap>(
    name: K,
    heard: (event: WindowEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => addEventListener(name, heard, { signal: stopped, ...options });
  on("pointermove", move);
  on("pointerup", up);
  on("pointercancel", up);
  on("pointerdown", down, { capture: true });
  on("blur", () => (underWay ? giveUp() : end()));
  on("contextmenu", (asked) => (underWay || touch) && asked.preventDefault(), { capture: true });
  on(
    "wheel",
    (turned) => {
      if (!underWay || turned.ctrlKey) return;
      turned.preventDefault();
      turned.stopPropagation();
      turn(notches.add(turned, performance.now()));
    },
    { capture: true, passive: false },
  );
  on(
    "keydown",
    (pressed) => {
      if (!underWay || pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopImmediatePropagation();
      giveUp();
    },
    { capture: true },
  );
}

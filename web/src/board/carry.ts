/**
 * Dragging a domino to the table by mouse or finger. On the way it turns: by keys as anywhere, by
 * wheel, by right click, by a second finger.
 */
import { effect, signal, untracked } from "@preact/signals";
import type { Laying, Side } from "../geometry.ts";
import {
  type GestureCommand,
  type GestureEvent,
  type GestureState,
  pointAt,
  transition,
} from "../state/gesture-machine.ts";
import { Notches, Twist } from "../state/gestures.ts";
import type { Placer } from "../state/placer.ts";
import type { TableParts } from "../ui/table-parts.ts";
import type { Camera } from "./camera.ts";
import { still } from "./motion.ts";

export interface Load {
  tile: string;
  side: Side;
  placer: Placer;
  camera: Camera;
  parts: Pick<TableParts, "board" | "faces">;
  /**
   * Take it in hand. Returns false, perhaps only after the server's answer, if it cannot be taken: another player may
   * have taken it first.
   */
  take(): boolean | Promise<boolean>;
  /** Lay it at once where it is let go; else it waits there for the tick. */
  oneTap: boolean;
  onCommit?(laying: Laying): void;
}

/** How far a domino floats above a finger, and how far a tap may move. */
const [LIFT_PX, TAP_PX] = [64, 12];
/** A finger that rests for so long drags; the flight back; and how long its reason is shown. */
const [HOLD_MS, FLIGHT_MS, REASON_MS] = [300, 240, 3200];
/** How long a domino that was let go waits until it is known where it fits. */
const MAX_LANDING_MS = 6000;

/** Where a domino is that is dragged, in pixels of the window; on its way back it becomes as small as in the hand. */
export const carriedAt = signal<{ x: number; y: number; scale: number | null }>({ x: 0, y: 0, scale: null });

/** Whether a domino is on its way: then nothing scrolls. */
export const carrying = () => document.documentElement.classList.contains("carrying");

/** From a pointer that goes down on a domino; `holds`: a finger may also scroll there, unless it rests first. */
export function carry(event: PointerEvent, load: Load, holds = false): void {
  if (event.button > 0 || !event.isPrimary) return;
  const { tile, side, placer, camera, parts } = load;
  const { pointerId, pointerType } = event;
  const touch = pointerType === "touch";
  const home = event.currentTarget as Element;
  /** How the browser scrolls what a finger moves: it soon cancels the pointer, and nothing was dragged. */
  const touchAction = touch ? getComputedStyle(home).touchAction : "";
  const stop = new AbortController();
  const start = { x: event.clientX, y: event.clientY };
  const here = { ...start };
  let state: GestureState = pointAt("domino");
  let stopEffect = () => {};
  let frame = 0;
  /** Where the table is on the page; read when the drag begins and when the table changes its size. */
  let box: Pick<DOMRect, "left" | "top" | "right" | "bottom"> = { left: 0, top: 0, right: 0, bottom: 0 };
  let observer: ResizeObserver | null = null;

  const send = (happened: GestureEvent) => {
    const next = transition(state, happened);
    state = next.state;
    for (const command of next.commands) {
      if (command.do === "turn") placer.turn(command.step);
      else act[command.do]?.();
    }
  };

  /** Where the domino is, not the finger. */
  const at = () => ({ x: here.x, y: here.y - (touch ? LIFT_PX : 0) });
  const isOnTable = () => {
    const { x, y } = at();
    return x >= box.left && y >= box.top && x <= box.right && y <= box.bottom;
  };
  /** It is in hand, and it is known where it fits. */
  const isKnown = () => placer.tile.value === tile && placer.candidates.value.has(tile);

  const watchTable = () => {
    const table = parts.board.current;
    if (!table) return;
    const read = () => void (box = table.getBoundingClientRect());
    read();
    observer = new ResizeObserver(read);
    observer.observe(table);
  };
  const follow = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    carriedAt.value = { ...at(), scale: null };
    const up = placer.tile.peek() === tile ? placer.side.peek() : side;
    const carried = placer.carried.peek();
    if (carried?.tile !== tile || carried.side !== up || carried.isReturning)
      placer.carried.value = { tile, side: up, isReturning: false };
    if (!isKnown()) return;
    const { x, y } = at();
    if (isOnTable()) placer.carry(...untracked(() => camera.toTable(x - box.left, y - box.top)));
    else placer.carry(-Infinity, -Infinity);
  };
  /** Another player may have been quicker: then the domino is dropped as soon as that is known. */
  const take = async () => {
    let taken = false;
    try {
      taken = await load.take();
    } finally {
      if (!taken) send({ type: "abandon" });
    }
  };
  const end = () => {
    stop.abort();
    stopEffect();
    observer?.disconnect();
    cancelAnimationFrame(frame);
    document.documentElement.classList.remove("carrying");
  };
  /** Back to the hand, or to where it came from. */
  const fly = () => {
    end();
    const carried = placer.carried.value;
    const refused = placer.refused.value;
    if (refused) setTimeout(() => placer.refused.value === refused && (placer.refused.value = null), REASON_MS);
    const chosen = parts.faces.get(`${placer.tile.peek()}${placer.side.peek()}`);
    const goal = (chosen ?? home).getBoundingClientRect();
    if (!carried || still()) {
      placer.carried.value = null;
      return;
    }
    const scale = goal.width / 2 / camera.view.value.scale;
    carriedAt.value = { x: goal.left + goal.width / 4, y: goal.top + goal.height / 2, scale };
    const back = { ...carried, isReturning: true };
    placer.carried.value = back;
    setTimeout(() => placer.carried.value === back && (placer.carried.value = null), FLIGHT_MS);
  };

  const act: Partial<Record<GestureCommand["do"], () => void>> = {
    begin() {
      placer.cancel();
      placer.looked.value = null;
      document.documentElement.classList.add("carrying");
      document.documentElement.setPointerCapture(pointerId);
      watchTable();
      void take();
      // It may come into the hand on the way, or after it was let go.
      stopEffect = effect(() => {
        if (isKnown()) untracked(() => send({ type: "known" }));
      });
      follow();
    },
    /** Pointers may move several times before a frame is drawn. */
    follow() {
      frame ||= requestAnimationFrame(follow);
    },
    land() {
      follow();
      if (!placer.release(isOnTable())) {
        fly();
        return;
      }
      end();
      placer.carried.value = null;
      const laying = load.oneTap ? placer.confirmed() : null;
      if (laying) load.onCommit?.(laying);
    },
    /** Nothing of the drag is over until it is known where the domino fits. */
    wait() {
      stop.abort();
      setTimeout(() => send({ type: "abandon" }), MAX_LANDING_MS);
    },
    return() {
      placer.release(false);
      fly();
    },
    end,
  };

  const isUnderWay = () => state.name === "dragging" || state.name === "turning";
  const fingers = new Map<number, { x: number; y: number; began: { x: number; y: number } }>();
  let twist: Twist | null = null;
  const notches = new Notches();
  const sendTwist = (other: { x: number; y: number }) => {
    if (twist) send({ type: "twist", step: twist.move(here, other), isGesture: twist.kind !== null });
  };

  const move = (moved: PointerEvent) => {
    const other = fingers.get(moved.pointerId);
    if (other) {
      [other.x, other.y] = [moved.clientX, moved.clientY];
      sendTwist(other);
      return;
    }
    if (moved.pointerId !== pointerId) return;
    [here.x, here.y] = [moved.clientX, moved.clientY];
    if (isUnderWay()) {
      // With another button down, the first one reports its release as a move.
      if (!touch && !(moved.buttons & 1)) return release();
      if (moved.button === 2 && moved.buttons & 2) return send({ type: "turn", step: moved.shiftKey ? -1 : 1 });
      const [first] = fingers.values();
      if (first) sendTwist(first);
    }
    const [dx, dy] = [here.x - start.x, here.y - start.y];
    const isScroll = touchAction.includes(Math.abs(dx) > Math.abs(dy) ? "pan-x" : "pan-y");
    send({ type: "move", distance: Math.hypot(dx, dy), isScroll });
  };
  const release = () => send({ type: "release", isKnown: isKnown(), isOnTable: isOnTable() });
  const up = (lifted: PointerEvent) => {
    const other = fingers.get(lifted.pointerId);
    if (other) {
      fingers.delete(lifted.pointerId);
      const isNear = Math.hypot(other.x - other.began.x, other.y - other.began.y) < TAP_PX;
      send({ type: "finger-up", isTap: lifted.type === "pointerup" && isNear });
      twist = null;
    } else if (lifted.pointerId !== pointerId) return;
    else if (lifted.type === "pointerup") release();
    else send({ type: "abandon" });
  };
  const down = (pressed: PointerEvent) => {
    if (!isUnderWay() || pressed.pointerId === pointerId) return;
    pressed.preventDefault();
    pressed.stopPropagation();
    const point = { x: pressed.clientX, y: pressed.clientY };
    fingers.set(pressed.pointerId, { ...point, began: point });
    twist = new Twist(here, point);
    send({ type: "finger-down" });
  };
  const rest = holds && touch ? setTimeout(() => send({ type: "rest" }), HOLD_MS) : undefined;
  stop.signal.addEventListener("abort", () => clearTimeout(rest));
  const on = <K extends keyof WindowEventMap>(
    name: K,
    listener: (event: WindowEventMap[K]) => void,
    options: AddEventListenerOptions = {},
  ) => addEventListener(name, listener, { signal: stop.signal, ...options });
  on("pointermove", move);
  on("pointerup", up);
  on("pointercancel", up);
  on("pointerdown", down, { capture: true });
  on("blur", () => send({ type: "abandon" }));
  on("contextmenu", (asked) => (isUnderWay() || touch) && asked.preventDefault(), { capture: true });
  on(
    "wheel",
    (turned) => {
      if (!isUnderWay() || turned.ctrlKey) return;
      turned.preventDefault();
      turned.stopPropagation();
      const step = notches.add(turned, performance.now());
      if (step) send({ type: "turn", step });
    },
    { capture: true, passive: false },
  );
  on(
    "keydown",
    (pressed) => {
      if (!isUnderWay() || pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopImmediatePropagation();
      send({ type: "abandon" });
    },
    { capture: true },
  );
}

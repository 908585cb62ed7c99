/** The pointer over the table: drag pans, wheel and pinch zoom or turn the ghost, a rest looks at a group. */
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Cell, cellsOf, type Disc, key } from "../geometry.ts";
import { CLICK_DISTANCE_PX, type GestureEvent, type GestureState, IDLE, transition } from "../state/gesture-machine.ts";
import { Notches, Twist } from "../state/gestures.ts";
import type { BoardProps } from "./board.tsx";
import type { Camera } from "./camera.ts";
import type { Aim } from "./ghost.tsx";

/** Between the clicks of a double one. */
const DOUBLE_CLICK_MS = 400;
/** That a mouse, or a finger, rests on a group to look at it. */
const [MOUSE_REST_MS, FINGER_REST_MS] = [160, 450];

/** A pointer that is down, in pixels of the board: where it is, where it was before, and where it went down. */
interface Finger extends Point {
  before: Point;
  start: Point;
}

/** What the rest of the board sees of the pointer. */
interface Pointed {
  /** The table is moved by hand just now. */
  grabbed: Signal<boolean>;
  /** Where a place was chosen. */
  aim: Signal<Aim | null>;
  looked: Signal<Disc | null>;
}

/** What Safari reports of a pinch; no other engine knows it. */
type Pinch = Event & Pick<MouseEvent, "clientX" | "clientY"> & { scale: number };

export function usePointer(
  element: { current: HTMLDivElement | null },
  camera: Camera,
  latest: { current: BoardProps },
  pointed: Pointed,
): void {
  useEffect(() => {
    const board = element.current!;
    const { grabbed, aim, looked } = pointed;
    let state: GestureState = IDLE;
    const fingers = new Map<number, Finger>();
    const notches = new Notches();
    let twist: Twist | null = null;
    /** The click that pinned the ghost: another one immediately after lays it. */
    let pinned: { at: number; x: number; y: number } | null = null;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    /** A finger has looked at a group: a menu that the browser offers for it is not meant. */
    let hasLooked = false;
    let restsOn: Disc | null = null;
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
    const inWorld = (x: number, y: number) => camera.toTable(x, y);
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

    const send = (happened: GestureEvent, event: PointerEvent) => {
      const next = transition(state, happened);
      state = next.state;
      for (const command of next.commands) {
        switch (command.do) {
          case "turn":
            latest.current.placer?.turn(command.step);
            break;
          case "look":
            hasLooked = true;
            look(restsOn);
            break;
          case "pan":
          case "pinch":
            grabbed.value = true;
            camera.hold();
            moveCamera();
            break;
          case "click":
          case "settle":
            grabbed.value = false;
            camera.rest();
            if (command.do === "click") click(event);
        }
      }
    };
    /** One finger pans; of two, the middle pans and the distance zooms. */
    const moveCamera = () => {
      const [a, b] = [...fingers.values()];
      if (!a) return;
      if (!b) camera.pan(a.x - a.before.x, a.y - a.before.y);
      else {
        const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
        camera.pan(x - (a.before.x + b.before.x) / 2, y - (a.before.y + b.before.y) / 2);
        camera.zoom(apart(a, b) / Math.max(1, apart(a.before, b.before)), x, y);
      }
      settleFingers();
    };
    const settleFingers = () => {
      for (const finger of fingers.values()) finger.before = { x: finger.x, y: finger.y };
    };

    const down = (event: PointerEvent) => {
      if (onControl(event) || event.button > 0) return;
      forgetBox();
      clearTimeout(waiting);
      const [x, y] = local(event);
      fingers.set(event.pointerId, { x, y, before: { x, y }, start: { x, y } });
      settleFingers();
      board.setPointerCapture(event.pointerId);
      const [a, b] = [...fingers.values()];
      if (a && b) {
        if (fingers.size > 2) return;
        twist = latest.current.placer?.ghost.value ? new Twist(a, b) : null;
        send({ type: "finger-down" }, event);
        return;
      }
      hasLooked = false;
      send({ type: "press", on: "table" }, event);
      restsOn = event.pointerType === "mouse" ? null : discAt(x, y);
      if (restsOn) waiting = setTimeout(() => send({ type: "rest" }, event), FINGER_REST_MS);
    };
    const move = (event: PointerEvent) => {
      const [x, y] = local(event);
      const finger = fingers.get(event.pointerId);
      if (!finger) {
        if (event.pointerType !== "mouse" || onControl(event)) return;
        latest.current.placer?.point(camera.cellAt(x, y));
        lookSoon(discAt(x, y), MOUSE_REST_MS);
        return;
      }
      [finger.x, finger.y] = [x, y];
      const [a, b] = [...fingers.values()];
      if (a && b && twist) send({ type: "twist", step: twist.move(a, b), isGesture: twist.kind !== null }, event);
      send({ type: "move", distance: apart(finger, finger.start), isScroll: false }, event);
      if (state.name !== "pointing") clearTimeout(waiting);
    };
    const up = (event: PointerEvent) => {
      if (!fingers.delete(event.pointerId)) return;
      clearTimeout(waiting);
      twist = null;
      settleFingers();
      if (fingers.size === 1) send({ type: "finger-up", isTap: false }, event);
      if (fingers.size) return;
      send({ type: event.type === "pointerup" ? "lift" : "abandon" }, event);
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
        && at - pinned.at < DOUBLE_CLICK_MS
        && apart({ x, y }, pinned) <= CLICK_DISTANCE_PX
        && placer.pinned.value
      ) {
        pinned = null;
        commit();
        return;
      }
      // Under a finger, and after keys, the player has not seen this pose yet: then one tap lays only
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
      if (!fingers.size) camera.rest();
      if (event.ctrlKey || Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
        camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
      } else camera.pan(-event.deltaX, 0);
    };
    // Safari reports a pinch on a trackpad by events of its own; fingers, by pointers like all others.
    const pinch = (event: Event) => {
      event.preventDefault();
      const pinched = event as Pinch;
      if (event.type === "gesturestart") grown = 1;
      if (fingers.size) return;
      camera.hold();
      camera.rest();
      camera.zoom(pinched.scale / grown, ...local(pinched));
      grown = pinched.scale;
    };
    const menu = (event: MouseEvent) => {
      const { placer } = latest.current;
      // A finger that rests looks at a group.
      if (hasLooked) event.preventDefault();
      if (hasLooked || !placer || (!placer.ghost.value && !placer.illegal.value)) return;
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
    board.addEventListener("pointerdown", down, { signal });
    board.addEventListener("pointermove", move, { signal });
    board.addEventListener("pointerup", up, { signal });
    board.addEventListener("pointercancel", up, { signal });
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
  }, [camera, pointed.looked]);
}

interface Point {
  x: number;
  y: number;
}

const apart = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

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

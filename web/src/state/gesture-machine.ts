/**
 * Gestures as one state machine, without a screen: dragging a domino (`carry`, board/carry.ts), and panning, zooming
 * and turning on the table (`usePointer`, board/pointer.ts). These say what the pointers do, and carry out what
 * follows.
 */
export type TurnStep = 1 | -1;

/** What the first pointer went down on. */
export type GestureSurface = "domino" | "table";

export type GestureState =
  | { name: "idle" }
  /** A pointer is down; it may become a click. `isLooking`: a finger has rested on the table, and looks at a group. */
  | { name: "pointing"; on: GestureSurface; isLooking: boolean }
  /** The table follows a pointer. */
  | { name: "panning" }
  /** Two fingers are down on the table; `isGesture`: they have moved it. */
  | { name: "pinching"; isGesture: boolean }
  /** A domino follows a pointer. */
  | { name: "dragging" }
  /**
   * A second finger turns: while a domino is dragged, from when it goes down; on the table, from the first quarter turn
   * on.
   * `isGesture`: the fingers have turned or zoomed already.
   */
  | { name: "turning"; on: GestureSurface; isGesture: boolean }
  /** The domino was let go over the table before it is known where it fits. */
  | { name: "landing" };

export type GestureEvent =
  | { type: "press"; on: GestureSurface }
  /** A pointer has moved; `distance` from where it went down, in pixels. `isScroll`: the browser scrolls by it. */
  | { type: "move"; distance: number; isScroll: boolean }
  /** A finger has rested: on a domino where it may also scroll, or on a group. */
  | { type: "rest" }
  | { type: "finger-down" }
  /** Two fingers have moved, perhaps far enough for a quarter turn. */
  | { type: "twist"; step: TurnStep | 0; isGesture: boolean }
  /** One of two fingers is lifted. */
  | { type: "finger-up"; isTap: boolean }
  /** By the wheel, or by the other button. */
  | { type: "turn"; step: TurnStep }
  /** By the wheel or on a trackpad, which never say that they have ended. */
  | { type: "scroll" }
  /** The pointer that drags is lifted. */
  | { type: "release"; isKnown: boolean; isOnTable: boolean }
  /** The last pointer on the table is lifted. */
  | { type: "lift" }
  /** The domino is in hand, and it is known where it fits. */
  | { type: "known" }
  /** Escape, a lost pointer or window, a domino that another player was quicker to take, or no answer for too long. */
  | { type: "abandon" };

export type GestureCommand =
  /** Of a domino. */
  | { do: "begin" | "follow" | "land" | "wait" | "return" | "end" }
  /** Of the table. */
  | { do: "look" | "click" | "pan" | "pinch" | "scroll" | "settle" }
  | { do: "turn"; step: TurnStep };

export interface Transition {
  state: GestureState;
  commands: readonly GestureCommand[];
}

/** Pixels after which a press is no click. */
export const CLICK_DISTANCE_PX = 8;

export const IDLE: GestureState = { name: "idle" };
const DRAGGING: GestureState = { name: "dragging" };
const PANNING: GestureState = { name: "panning" };

export const pointAt = (on: GestureSurface): GestureState => ({ name: "pointing", on, isLooking: false });

const become = (state: GestureState, ...commands: GestureCommand[]): Transition => ({ state, commands });

export function transition(state: GestureState, event: GestureEvent): Transition {
  switch (state.name) {
    case "idle":
      if (event.type === "press") return become(pointAt(event.on));
      return event.type === "scroll" ? become(state, { do: "scroll" }, { do: "settle" }) : turnByWheel(state, event);
    case "pointing":
      return state.on === "domino" ? pointAtDomino(state, event) : pointAtTable(state, event);
    case "panning":
    case "pinching":
      return moveTable(state, event);
    case "dragging":
      return drag(state, event);
    case "turning":
      return state.on === "domino" ? drag(state, event) : turnOnTable(state, event);
    case "landing":
      if (event.type === "known") return become(IDLE, { do: "land" });
      return event.type === "abandon" ? become(IDLE, { do: "return" }) : become(state);
  }
}

function pointAtDomino(state: GestureState, event: GestureEvent): Transition {
  switch (event.type) {
    case "move":
      return event.distance > CLICK_DISTANCE_PX && !event.isScroll ? become(DRAGGING, { do: "begin" }) : become(state);
    case "rest":
      return become(DRAGGING, { do: "begin" });
    case "release":
    case "abandon":
      return become(IDLE, { do: "end" });
    default:
      return become(state);
  }
}

function drag(state: GestureState, event: GestureEvent): Transition {
  switch (event.type) {
    case "move":
    case "known":
      return become(state, { do: "follow" });
    case "finger-down":
      return become({ name: "turning", on: "domino", isGesture: false });
    case "twist": {
      if (state.name !== "turning") return become(state);
      const turning = { ...state, isGesture: state.isGesture || event.isGesture };
      return event.step ? become(turning, { do: "turn", step: event.step }) : become(turning);
    }
    case "finger-up": {
      // A tap turns, as on the ghost; a finger that has turned or zoomed has done its work.
      const isTurn = state.name === "turning" && !state.isGesture && event.isTap;
      return isTurn ? become(DRAGGING, { do: "turn", step: 1 }) : become(DRAGGING);
    }
    case "turn":
      return become(state, { do: "turn", step: event.step });
    case "release":
      return event.isKnown || !event.isOnTable
        ? become(IDLE, { do: "land" })
        : become({ name: "landing" }, { do: "wait" });
    case "abandon":
      return become(IDLE, { do: "return" });
    default:
      return become(state);
  }
}

function pointAtTable(state: GestureState & { name: "pointing" }, event: GestureEvent): Transition {
  switch (event.type) {
    case "move":
      return event.distance > CLICK_DISTANCE_PX ? become(PANNING, { do: "pan" }) : become(state);
    case "rest":
      return become({ ...state, isLooking: true }, { do: "look" });
    case "finger-down":
      return become({ name: "pinching", isGesture: false });
    case "lift":
      return become(IDLE, { do: state.isLooking ? "settle" : "click" });
    case "abandon":
      return become(IDLE, { do: "settle" });
    default:
      return scroll(state, event);
  }
}

/** While fingers or a button are down, the table also follows the wheel; it rests when they are lifted. */
const scroll = (state: GestureState, event: GestureEvent): Transition =>
  event.type === "scroll" ? become(state, { do: "scroll" }) : turnByWheel(state, event);

const turnByWheel = (state: GestureState, event: GestureEvent): Transition =>
  event.type === "turn" ? become(state, { do: "turn", step: event.step }) : become(state);

function moveTable(state: GestureState & { name: "panning" | "pinching" }, event: GestureEvent): Transition {
  const isPinching = state.name === "pinching";
  switch (event.type) {
    case "move":
      if (!isPinching) return become(state, { do: "pan" });
      return become(
        { name: "pinching", isGesture: state.isGesture || event.distance > CLICK_DISTANCE_PX },
        { do: "pinch" },
      );
    case "finger-down":
      return become({ name: "pinching", isGesture: true });
    case "twist":
      if (!isPinching || !event.step) return become(state);
      return become({ name: "turning", on: "table", isGesture: true }, { do: "turn", step: event.step });
    case "finger-up":
      // Two fingers that have hardly moved were meant as one: the other one may still click.
      return become(isPinching && !state.isGesture ? pointAt("table") : PANNING);
    case "lift":
    case "abandon":
      return become(IDLE, { do: "settle" });
    default:
      return scroll(state, event);
  }
}

/** Fingers that have turned the ghost do nothing else until all are lifted: no click, which would turn once more. */
function turnOnTable(state: GestureState, event: GestureEvent): Transition {
  switch (event.type) {
    case "twist":
      return event.step ? become(state, { do: "turn", step: event.step }) : become(state);
    case "lift":
    case "abandon":
      return become(IDLE, { do: "settle" });
    default:
      return become(state);
  }
}

/**
 * Dragging a domino as a state machine, without a screen: `carry` (board/carry.ts) says what the pointers do, and carries
 * out what follows.
 */
export type Step = 1 | -1;

export type DragState =
  | { name: "idle" }
  /** A pointer is down on a domino; it may become a click, or scroll the hand. */
  | { name: "pointing" }
  | { name: "dragging" }
  /** A second finger is down while a domino is dragged; `isGesture`: it has turned or zoomed already. */
  | { name: "turning"; isGesture: boolean }
  /** The domino was let go over the table before it is known where it fits. */
  | { name: "landing" };

export type DragEvent =
  /** The first pointer has moved; `distance` from where it went down, in pixels. `isScroll`: the browser scrolls by it. */
  | { type: "move"; distance: number; isScroll: boolean }
  /** A finger has rested where it may also scroll. */
  | { type: "rest" }
  | { type: "finger-down" }
  /** The second finger has moved, perhaps far enough for a quarter turn. */
  | { type: "twist"; step: Step | 0; isGesture: boolean }
  | { type: "finger-up"; isTap: boolean }
  /** By the wheel, or by the other button. */
  | { type: "turn"; step: Step }
  | { type: "release"; isKnown: boolean; isOnTable: boolean }
  /** The domino is in hand, and it is known where it fits. */
  | { type: "known" }
  /** Escape, a lost pointer or window, a domino that another player was quicker to take, or no answer for too long. */
  | { type: "abandon" };

export type DragCommand = { do: "begin" | "follow" | "land" | "wait" | "return" | "end" } | { do: "turn"; step: Step };

export interface Transition {
  state: DragState;
  commands: readonly DragCommand[];
}

/** Pixels after which a press is a drag. */
export const DRAG_DISTANCE_PX = 8;

const IDLE: DragState = { name: "idle" };
const DRAGGING: DragState = { name: "dragging" };

const become = (state: DragState, ...commands: DragCommand[]): Transition => ({ state, commands });

export function transition(state: DragState, event: DragEvent): Transition {
  switch (state.name) {
    case "pointing":
      return point(state, event);
    case "dragging":
    case "turning":
      return drag(state, event);
    case "landing":
      if (event.type === "known") return become(IDLE, { do: "land" });
      return event.type === "abandon" ? become(IDLE, { do: "return" }) : become(state);
    case "idle":
      return become(state);
  }
}

function point(state: DragState, event: DragEvent): Transition {
  switch (event.type) {
    case "move":
      return event.distance > DRAG_DISTANCE_PX && !event.isScroll ? become(DRAGGING, { do: "begin" }) : become(state);
    case "rest":
      return become(DRAGGING, { do: "begin" });
    case "release":
    case "abandon":
      return become(IDLE, { do: "end" });
    default:
      return become(state);
  }
}

function drag(state: DragState, event: DragEvent): Transition {
  switch (event.type) {
    case "move":
    case "known":
      return become(state, { do: "follow" });
    case "finger-down":
      return become({ name: "turning", isGesture: false });
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

/**
 * While a domino is carried over a table that is drawn very small, the place below it is shown larger, and the table
 * moves along at its edges; afterwards everything is shown as before.
 */
import { effect, untracked } from "@preact/signals";
import type { Placer } from "../state/placer.ts";
import type { Camera, Viewport } from "./camera.ts";
import { carriedAt } from "./carry.ts";

/** Pixels to a cell below which a place cannot be aimed at, and as many as it becomes. */
const [MIN_SCALE, AIMING_SCALE] = [28, 36];
/** So many pixels from an edge the table begins to move, and so many it moves in a frame. */
const [EDGE_PX, STEP_PX] = [44, 5];

/** Begin with it; the result ends it. */
export function zoomBelowCarried(element: { current: HTMLElement | null }, camera: Camera, placer: Placer): () => void {
  let before: Viewport | null = null;
  let box: DOMRect | null = null;
  let frame = 0;

  /** Where the domino is over the board, in pixels. */
  const over = (): [x: number, y: number] | null => {
    box ??= element.current?.getBoundingClientRect() ?? null;
    if (!box) return null;
    const [x, y] = [carriedAt.peek().x - box.left, carriedAt.peek().y - box.top];
    return x >= 0 && y >= 0 && x <= box.width && y <= box.height ? [x, y] : null;
  };
  const follow = () => {
    frame = requestAnimationFrame(follow);
    const at = over();
    if (!at) return;
    const push = (along: number, size: number) => (along < EDGE_PX ? STEP_PX : along > size - EDGE_PX ? -STEP_PX : 0);
    const [dx, dy] = [push(at[0], camera.width), push(at[1], camera.height)];
    if (!dx && !dy) return;
    camera.pan(dx, dy);
    placer.carry(...camera.toTable(...at));
  };
  const end = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    box = null;
  };
  const stop = effect(() => {
    const { value: carried } = placer.carried;
    void carriedAt.value;
    // It waits for the tick: the player looks at it.
    const isWaiting = placer.pinned.value;
    untracked(() => {
      if (carried && !carried.isReturning) {
        const at = over();
        if (!before && at && camera.view.peek().scale < MIN_SCALE) {
          before = camera.view.peek();
          camera.zoom(AIMING_SCALE / before.scale, ...at);
        }
        if (before) frame ||= requestAnimationFrame(follow);
      } else {
        end();
        if (before && !isWaiting) {
          camera.fly(before);
          before = null;
        }
      }
    });
  });
  return () => {
    stop();
    end();
  };
}

/**
 * Motion: a short look at what has happened. What is drawn is true at once, so nothing waits for it, what comes next
 * interrupts it, and players who want no motion miss nothing.
 */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { centre, type Laying, printLaying } from "../geometry.ts";

/** The times of the design (tokens.css). */
export type Pace = "quick" | "move" | "scene";

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function milliseconds(pace: Pace): number {
  const time = token(pace);
  return parseFloat(time) * (time.endsWith("ms") ? 1 : 1000);
}

/** Something comes to where it is from elsewhere; before `after`, it waits as it begins. */
export function move(
  element: Element | null | undefined,
  frames: Keyframe[],
  pace: Pace,
  after?: Pace,
): Animation | null {
  if (!element || still()) return null;
  for (const one of element.getAnimations()) one.cancel();
  return element.animate(frames, {
    duration: milliseconds(pace),
    delay: after ? milliseconds(after) : 0,
    easing: token("ease"),
    fill: "backwards",
  });
}

/** Degrees back to how it was turned, by quarter-turns: one either way, or two. */
export const findTurnBack = (from: number, to: number) => 90 * (((from - to + 5) % 4) - 1);

/** A transform with a point of the world as its origin. */
export const transformAround = ([x, y]: readonly [number, number], transform: string) =>
  `translate(${x}px, ${y}px) ${transform} translate(${-x}px, ${-y}px)`;

/** The middle of a laying, in units of the world. */
export const middleOf = (laying: Laying) => centre(laying).map((half) => 50 * half) as [number, number];

/** The dominoes of a turn. With more new ones, another position is shown, and nothing drops. */
const MAX_DROPPING = 4;

/** What is laid drops with its weight; what was under way to the server already lies there. */
export function useDropping(drawn: RefObject<SVGGElement | null>, ...lying: readonly (readonly Laying[])[]): void {
  const known = useRef<Set<string> | null>(null);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = new Set(lying.flatMap((layings) => layings.map(printLaying)));
    const fresh = lying.flat().filter((laying) => before && !before.has(printLaying(laying)));
    if (fresh.length > MAX_DROPPING) return;
    const dominoes = [...(drawn.current?.children ?? [])] as SVGElement[];
    for (const laying of fresh)
      drop(
        dominoes.find(({ dataset }) => dataset.laying === printLaying(laying)),
        laying,
      );
  }, [...lying]);
}

function drop(domino: Element | null | undefined, laying: Laying): void {
  const at = (transform: string) => transformAround(middleOf(laying), transform);
  move(
    domino,
    [
      { transform: at("translateY(-22px) scale(1.16)"), opacity: 0.5, easing: "ease-in" },
      { transform: at("scale(0.97)"), opacity: 1, offset: 0.6 },
      { transform: at("scale(1)") },
    ],
    "move",
  );
}

/** A number on its way to another one: what is counted before one's eyes. */
export function useCounting(to: number, from = to): number {
  const shown = useSignal(from);
  useEffect(() => {
    const [start, began, whole] = [shown.peek(), performance.now(), milliseconds("scene")];
    if (start === to || still()) return;
    let next = requestAnimationFrame(function count(now: number) {
      const part = Math.min(1, Math.max(0, now - began) / whole);
      shown.value = start + (to - start) * part;
      if (part < 1) next = requestAnimationFrame(count);
    });
    return () => cancelAnimationFrame(next);
  }, [to]);
  return still() ? to : shown.value;
}

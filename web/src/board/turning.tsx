/** A domino that is turned and turned over before one's eyes. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TileSet } from "../data.ts";
import { type Cell, type Laying, printLaying } from "../geometry.ts";
import { Domino } from "./domino.tsx";
import { transformAround, middleOf, move, still, findTurnBack } from "./motion.ts";

interface TurningProps {
  laying: Laying;
  set: TileSet;
  /** It is turned about the middle of this cell. */
  pivot: Cell;
}

export function TurningDomino({ laying, set, pivot: [x, y] }: TurningProps) {
  const drawn = useRef<SVGGElement>(null);
  const before = useRef(laying);
  const leaving = useSignal<Laying | null>(null);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = laying;
    if (was.tile !== laying.tile) return;
    if (was.side !== laying.side) {
      if (still()) return;
      leaving.value = { ...laying, side: was.side };
      move(drawn.current, [{ transform: onEdge(laying) }, { transform: flat(laying) }], "quick", "quick");
    } else if (was.rotation !== laying.rotation) {
      const pivot = [100 * x + 50, 100 * y + 50] as const;
      const back = findTurnBack(was.rotation, laying.rotation);
      move(
        drawn.current,
        [
          { transform: transformAround(pivot, `rotate(${back}deg)`) },
          { transform: transformAround(pivot, "rotate(0deg)") },
        ],
        "quick",
      );
    }
  }, [printLaying(laying)]);
  return (
    <>
      {leaving.value && (
        <Leaving key={leaving.value.side} laying={leaving.value} set={set} onGone={() => (leaving.value = null)} />
      )}
      <g ref={drawn}>
        <Domino laying={laying} set={set} />
      </g>
    </>
  );
}

/** The face that is turned down: seen until the domino stands on its edge. */
function Leaving({ laying, set, onGone }: { laying: Laying; set: TileSet; onGone(): void }) {
  const drawn = useRef<SVGGElement>(null);
  useLayoutEffect(() => {
    const turning = move(drawn.current, [{ transform: flat(laying) }, { transform: onEdge(laying) }], "quick");
    turning?.finished.then(onGone, onGone);
    return () => turning?.cancel();
  }, []);
  return (
    <g ref={drawn}>
      <Domino laying={laying} set={set} />
    </g>
  );
}

const flat = (laying: Laying) => transformAround(middleOf(laying), "scale(1, 1)");
/** It turns over about its long axis. */
const onEdge = (laying: Laying) =>
  transformAround(middleOf(laying), laying.rotation % 2 ? "scale(0, 1)" : "scale(1, 0)");

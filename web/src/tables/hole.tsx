/** An empty cell of one's frame that is asked about: which dominoes fit there, and how they would lie. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { TileSet } from "../data.ts";
import { type Cell, cellsOf, key, type Laying, printPosition, STEPS } from "../geometry.ts";
import { t } from "../i18n.ts";
import { announce } from "../state/voice.ts";
import { isMeantElsewhere } from "../shell/elsewhere.ts";
import { useKeydown } from "../shell/hooks.ts";
import { emptyCells, fittingOver } from "../state/frames.ts";
import type { Placer } from "../state/placer.ts";
import { holes } from "../state/races.ts";
import { focusFirst } from "../ui/focus.ts";
import { itemAt } from "../values.ts";

/** The dominoes that fit over a cell, each with its layings there. */
export interface AskedHole {
  cell: Cell;
  fitting: ReadonlyMap<string, readonly Laying[]>;
  /** How many of them can be had. */
  count: number;
}

export interface Holes {
  /** What is asked about, if anything is. */
  hole: AskedHole | null;
  /** Ask about a cell; the same once more, or null, asks no more. */
  ask(cell: Cell | null): void;
}

interface Asking {
  placer: Placer;
  set: TileSet;
  /** What the frame is filled from, and what of it cannot be had just now. */
  tiles: readonly string[];
  gone?: ReadonlySet<string>;
  /** Whether the table shows where dominoes fit. */
  enabled: boolean;
}

/** Asking by pointer (`ask`), and by keys: O asks, arrows walk, Enter goes to what fits. */
export function useHoles({ placer, set, tiles, gone, enabled }: Asking): Holes {
  const asked = useSignal<Cell | null>(null);
  const walking = useSignal(false);
  const [frame, layings] = [placer.frame.value, placer.layings.value];
  const [position, names] = [printPosition(layings), tiles.join(" ")];
  const empty = useMemo(() => (frame ? emptyCells(frame, layings) : []), [frame?.width, frame?.height, position]);
  const cell = enabled && asked.value && empty.some((one) => key(one) === key(asked.value!)) ? asked.value : null;
  const fitting = useMemo(
    () => cell && fittingOver(cell, tiles, frame!, layings, set),
    [cell, names, frame?.width, position, set],
  );
  const hole = useMemo(() => {
    if (!cell || !fitting) return null;
    return { cell, fitting, count: [...fitting.keys()].filter((tile) => !gone?.has(tile)).length };
  }, [cell, fitting, gone]);

  // What is filled is no hole, and what comes empty again is another one.
  useEffect(() => {
    if (!cell) asked.value = null;
  }, [!cell]);
  useEffect(() => {
    if (hole)
      announce(
        t("hole_words", { row: hole.cell[1], column: hole.cell[0], colours: t("hole_fits", { count: hole.count }) }),
        "chosen",
      );
  }, [hole?.cell]);

  const ask = (wanted: Cell | null) => {
    walking.value = false;
    asked.value =
      wanted && empty.some((one) => key(one) === key(wanted)) && !(cell && key(cell) === key(wanted)) ? wanted : null;
  };
  useKeydown((event) => {
    if (!enabled || !frame || placer.hand.value.length || isMeantElsewhere(event)) return;
    const step = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"].indexOf(event.key);
    if (/^o$/i.test(event.key)) {
      if (event.repeat) return;
      // The first one beside a domino asks for most.
      asked.value = cell ? null : (holes(frame, layings, set)[0]?.cell ?? empty[0] ?? null);
      walking.value = asked.value !== null;
    } else if (cell && event.key === "Escape") ask(null);
    else if (cell && walking.value && step >= 0) asked.value = beside(cell, step, empty);
    else if (cell && walking.value && event.key === "Enter") {
      walking.value = false;
      const before = document.activeElement;
      const first = focusFirst(['.pool-item[tabindex="0"]']);
      // Screen readers say nothing if it had the focus already.
      if (first?.ariaLabel && first === before) announce(first.ariaLabel, "chosen");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  return { hole, ask };
}

/** The nearest empty cell in a direction (0 north, clockwise). */
function beside(from: Cell, direction: number, cells: readonly Cell[]): Cell {
  const [dx, dy] = itemAt(STEPS, direction);
  const far = ([x, y]: Cell) => {
    const along = (x - from[0]) * dx + (y - from[1]) * dy;
    return along > 0 ? along + 2 * (Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx)) : Infinity;
  };
  const best = cells.reduce((a, b) => (far(b) < far(a) ? b : a), from);
  return far(best) < Infinity ? best : from;
}

/** On the board: the cell, and how many dominoes fit there. */
export function HoleMark({
  hole: {
    cell: [x, y],
    count,
  },
}: {
  hole: AskedHole;
}) {
  return (
    <g class="hole" aria-hidden="true">
      <rect class="casing" x={100 * x + 9} y={100 * y + 9} width={82} height={82} rx={16} />
      <rect
        x={100 * x + 9}
        y={100 * y + 9}
        width={82}
        height={82}
        rx={16}
        fill="none"
        stroke="var(--gold)"
        stroke-width={6}
        stroke-dasharray="16 10"
      />
      <text
        x={100 * x + 50}
        y={100 * y + 50}
        font-size={40}
        font-weight="var(--display)"
        fill="var(--cloth-mark)"
        text-anchor="middle"
        dominant-baseline="central"
      >
        {count}
      </text>
    </g>
  );
}

/** In the pool: a domino as it would lie, and which half of it is over the cell. */
export function inPose(laying: Laying, cell: Cell): { laying: Laying; over: Cell } {
  const half = cellsOf(laying).findIndex((one) => key(one) === key(cell));
  const moved = { ...laying, x: 0, y: 0 };
  return { laying: moved, over: itemAt(cellsOf(moved), half) };
}

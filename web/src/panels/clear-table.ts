/** The final table under the result: the board keeps its size, and what lies there moves out from under the dialog. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { useTableParts } from "../ui/table-parts.ts";

/** A board of which less is left free stays as it is: the result is closed to look at it. */
const MIN_FREE_PX = 100;

/** `inside`: an element of the dialog that lies over the board. */
export function useClearTable(inside: RefObject<Element | null>): void {
  const { board } = useTableParts();
  useEffect(() => {
    const [dialog, table] = [inside.current?.closest("dialog"), board.current];
    if (!dialog || !table) return undefined;
    const measure = () => {
      const [{ left, top, width }, whole] = [dialog.getBoundingClientRect(), table.getBoundingClientRect()];
      if (!width) return; // It is not open yet.
      // Beside the board or below it; a result in the middle of a small screen hides it anyway.
      const right = top <= whole.top ? whole.right - left : 0;
      const bottom = left <= whole.left && top > whole.top ? whole.bottom - top : 0;
      const pad = (covered: number, size: number) => (size - covered < MIN_FREE_PX ? 0 : Math.max(0, covered));
      // The camera shows everything in the content box.
      table.style.padding = `0 ${pad(right, whole.width)}px ${pad(bottom, whole.height)}px 0`;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(dialog);
    observer.observe(table, { box: "border-box" });
    return () => {
      observer.disconnect();
      table.style.padding = "";
    };
  }, [board]);
}

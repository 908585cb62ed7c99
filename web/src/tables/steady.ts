/** What has been as high as this once stays so: else the table above it would jump. */
import { useEffect, useRef } from "preact/hooks";
import { useTableParts } from "../ui/table-parts.ts";
import { requireValue } from "../values.ts";

/**
 * For a tray: it grows where a game needs more room than the style sheet keeps, and does not shrink again.
 * What lies over the edge of the table knows its height as `--tray`.
 */
export function useSteadyHeight() {
  const ref = useRef<HTMLDivElement>(null);
  const { layingsList, frameInWords } = useTableParts();
  useEffect(() => {
    const tray = requireValue(ref.current, "the tray");
    const steady = () => {
      // Not rounded: the table would move by a part of a pixel.
      const height = `${tray.getBoundingClientRect().height}px`;
      // A list that is open will be closed again.
      if (!layingsList.current?.open && !frameInWords.current?.open) tray.style.minHeight = height;
      tray.parentElement?.style.setProperty("--tray", height);
    };
    const reset = () => (tray.style.minHeight = "");
    const observer = new ResizeObserver(steady);
    observer.observe(tray);
    addEventListener("resize", reset);
    return () => {
      observer.disconnect();
      removeEventListener("resize", reset);
    };
  }, []);
  return ref;
}

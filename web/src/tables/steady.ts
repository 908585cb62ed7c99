/** What has been as high as this once stays so: else the table above it would jump. */
import { useEffect, useRef } from "preact/hooks";

/**
 * For a tray: it grows where a game needs more room than the style sheet keeps, and does not shrink again.
 * What lies over the edge of the table knows its height as `--tray`.
 */
export function useSteadyHeight() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tray = ref.current!;
    const steady = () => {
      // What somebody has opened is closed again.
      const height = `${tray.getBoundingClientRect().height}px`; // Not rounded: the table would move by a part of a pixel.
      if (!tray.querySelector("details[open]")) tray.style.minHeight = height;
      tray.parentElement!.style.setProperty("--tray", height);
    };
    const anew = () => (tray.style.minHeight = "");
    const observer = new ResizeObserver(steady);
    observer.observe(tray);
    addEventListener("resize", anew);
    return () => {
      observer.disconnect();
      removeEventListener("resize", anew);
    };
  }, []);
  return ref;
}

/** Keep the screen awake while a page is shown, where the browser offers that. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Whether the screen is kept awake. Browsers end it when the page is hidden: then it is requested again. */
export function useWakeLock(): boolean {
  const isAwake = useSignal(false);
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isShown = true;
    const request = async () => {
      if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
      try {
        const granted = await navigator.wakeLock.request("screen");
        if (!isShown) return void granted.release();
        lock = granted;
        isAwake.value = true;
        granted.addEventListener("release", () => (isAwake.value = false));
      } catch {
        isAwake.value = false; // A battery that is low: the screen may go off, and everything stays exact.
      }
    };
    const look = () => void request();
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      isShown = false;
      document.removeEventListener("visibilitychange", look);
      void lock?.release();
    };
  }, []);
  return isAwake.value;
}

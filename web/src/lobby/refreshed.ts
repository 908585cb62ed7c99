/** Something of the server that is asked again while the page is looked at. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Refused } from "../net/api.ts";

export interface Refreshed<T> {
  value: T | null;
  /** The server cannot be reached now. */
  offline: boolean;
}

export function useRefreshed<T>(ask: () => Promise<T>, seconds: number): Signal<Refreshed<T>> {
  const found = useSignal<Refreshed<T>>({ value: null, offline: false });
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const value = await ask();
        if (wanted) found.value = { value, offline: false };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (wanted && error.code === "offline") found.value = { ...found.value, offline: true };
      }
    };
    void look();
    const timer = setInterval(() => void look(), 1000 * seconds);
    document.addEventListener("visibilitychange", look);
    return () => {
      wanted = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return found;
}

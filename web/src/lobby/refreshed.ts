/** Something of the server that is asked again while the page is looked at. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../net/backend.ts";
import { usePolling } from "../shell/hooks.ts";

export interface Refreshed<T> {
  value: T | null;
  /** The server cannot be reached now. */
  offline: boolean;
}

export function useRefreshed<T>(ask: () => Promise<T>, seconds: number): Signal<Refreshed<T>> {
  const found = useSignal<Refreshed<T>>({ value: null, offline: false });
  const gone = useRef(false);
  useEffect(() => () => void (gone.current = true), []);
  const look = async () => {
    if (document.visibilityState !== "visible") return;
    try {
      const value = await ask();
      if (!gone.current) found.value = { value, offline: false };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!gone.current && error.code === "offline") found.value = { ...found.value, offline: true };
    }
  };
  usePolling(() => void look(), seconds);
  return found;
}

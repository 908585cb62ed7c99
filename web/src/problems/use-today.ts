/** Today, for pages that may be open at midnight. */
import { useSignal } from "@preact/signals";
import { usePolling } from "../shell/hooks.ts";
import { today } from "./days.ts";

export function useToday(): string {
  const day = useSignal(today());
  usePolling(() => (day.value = today()), 10);
  return day.value;
}

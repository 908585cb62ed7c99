/** Today, for pages that may be open at midnight. */
import { useSignal } from "@preact/signals";
import { useLooking } from "../shell/hooks.ts";
import { today } from "./days.ts";

export function useToday(): string {
  const day = useSignal(today());
  useLooking(() => (day.value = today()), 10);
  return day.value;
}

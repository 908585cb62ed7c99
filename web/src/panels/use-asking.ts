/** Asking something of the server that it may refuse: while it takes, and why not. */
import { type Signal, useSignal } from "@preact/signals";
import { refusalOf } from "./refusal.ts";

export interface Asking {
  busy: Signal<boolean>;
  /** Why it was refused, in words; else empty. */
  trouble: Signal<string>;
  /** Do it, and say what goes wrong, as `inWords` has it. */
  ask(what: () => Promise<unknown>): Promise<void>;
}

export function useAsking(inWords: (error: unknown) => string = refusalOf): Asking {
  const busy = useSignal(false);
  const trouble = useSignal("");
  const ask = async (what: () => Promise<unknown>) => {
    busy.value = true;
    trouble.value = "";
    try {
      await what();
    } catch (error) {
      trouble.value = inWords(error);
    } finally {
      busy.value = false;
    }
  };
  return { busy, trouble, ask };
}

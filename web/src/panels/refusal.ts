/** Refusals in the player's language, where we have it; else as the server said it. */
import { type Signal, useSignal } from "@preact/signals";
import { t, textOr } from "../i18n.ts";
import { Refused } from "../net/backend.ts";

export function refusalText(code: string, message: string, values: Refused["values"] = {}): string {
  const { name, front, reason } = values;
  // A domino was named by its back.
  if (name && front) return t("back_of", { name, front });
  const text = textOr(`refused_${code}`, message);
  return reason ? `${text} ${t("refusal_reason", { reason })}` : text;
}

/** Describe a refusal; throw any other error again. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  return refusalText(error.code, error.message, error.values);
}

/** Something asked of the server that it may refuse. */
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

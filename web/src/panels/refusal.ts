/** A refusal in the player's language, where we have it; else as the server said it. */
import { tt } from "../i18n.ts";
import { Refused } from "../net/api.ts";

export function refusalText(code: string, message: string): string {
  const text = tt(`refused_${code}`);
  return text === `refused_${code}` ? message : text;
}

/** What to tell when something was refused; what is not a refusal goes on upwards. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  return refusalText(error.code, error.message);
}

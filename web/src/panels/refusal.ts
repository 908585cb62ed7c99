/** A refusal in the player's language, where we have it; else as the server said it. */
import { t, textOr } from "../i18n.ts";
import { Refused } from "../net/api.ts";

/** What the server says when a domino is called by its back. */
const BACK = /'(\w+)' in [^:]*: it is the back of (\w+)\.$/;

export function refusalText(code: string, message: string): string {
  const [, name, front] = BACK.exec(message) ?? [];
  if (name && front) return t("back_of", { name, front });
  return textOr(`refused_${code}`, message);
}

/** What to tell when something was refused; what is not a refusal goes on upwards. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Refused)) throw error;
  return refusalText(error.code, error.message);
}

/** Why a print is refused, in the player's language, and which field is to blame. */
import { t, tt } from "../i18n.ts";
import type { Refused } from "../net/backend.ts";
import { refusalText } from "../panels/refusal.ts";
import { capital } from "../words.ts";

const OPTION_OF_REFUSAL: Readonly<Record<string, string>> = {
  bad_size: "size",
  domino_too_large: "size",
  bad_arrangement: "size",
  bad_offset: "offset",
  bad_frame: "frame",
  not_found: "seed",
  bad_position: "position",
  position_too_large: "position",
  malformed: "position",
  malformed_laying: "position",
  unknown_domino: "position",
  already_laid: "position",
  overlap: "position",
  clash: "position",
};

/** The option that is wrong; null if it is none of them. */
export const findBlamedOption = (refusal: Refused | null): string | null =>
  (refusal && OPTION_OF_REFUSAL[refusal.code]) ?? null;

export function explainRefusal({ code, message, values }: Refused, position: string): string {
  const own = tt(`print_refused_${code}`, values);
  if (own !== `print_refused_${code}`) return own;
  const reason = tt(`wrong_${code}`);
  if (reason === `wrong_${code}`) return refusalText(code, message, values);
  const number = Number(values.laying);
  const laying = position.trim().split(/\s+/)[number - 1];
  return laying ? t("study_fault", { number, laying, reason }) : capital(reason);
}

/** Numbers that say how sure they are, as people read them. */
import { formatNumber } from "../i18n.ts";
import type { Estimate } from "../net/study.ts";

export function percent(share: number): string {
  return formatNumber(share, { style: "percent", maximumFractionDigits: 0 });
}

/** "62 % (58–66)", or "62 %" where it is exact. */
export function chanceInWords(chance: Estimate): string {
  if (chance.exact) return percent(chance.value);
  const [low, high] = [chance.low, chance.high].map((end) => formatNumber(Math.round(100 * end)).replace("-", "−"));
  return `${percent(chance.value)} (${low}–${high})`;
}

export function oneDigit(value: number): string {
  return formatNumber(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** "5.9 (5.6–6.2)": points, on average. */
export function meanInWords(mean: Estimate): string {
  return mean.exact ? oneDigit(mean.value) : `${oneDigit(mean.value)} (${oneDigit(mean.low)}–${oneDigit(mean.high)})`;
}

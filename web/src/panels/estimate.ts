/** Numbers that say how sure they are, as people read them. */
import { formatNumber } from "../i18n.ts";
import type { Estimate } from "../net/study.ts";

export function percent(share: number): string {
  return formatNumber(share, { style: "percent", maximumFractionDigits: 0 });
}

/** Round away the noise of binary fractions: the server sends four digits. */
const hundredths = (share: number): number => Math.round(10_000 * share) / 100;

/** "62 % (58–66)", or "62 %" where it is exact. */
export function chanceInWords(chance: Estimate): string {
  if (chance.exact) return percent(chance.value);
  // Rounded outwards: what is smaller than a percent is not nothing.
  const ends = [Math.floor(hundredths(chance.low)), Math.ceil(hundredths(chance.high))];
  const [low, high] = ends.map((end) => formatNumber(end).replace("-", "−"));
  return `${percent(chance.value)} (${low}–${high})`;
}

export function oneDigit(value: number): string {
  return formatNumber(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** "5.9 (5.6–6.2)": points, on average. */
export function meanInWords(mean: Estimate): string {
  return mean.exact ? oneDigit(mean.value) : `${oneDigit(mean.value)} (${oneDigit(mean.low)}–${oneDigit(mean.high)})`;
}

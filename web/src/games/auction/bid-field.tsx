/** A bid: a number that goes up in steps, by buttons, by keys or typed. */
import { useSignal } from "@preact/signals";
import { formatNumber, t } from "../../i18n.ts";
import { announce } from "../../state/voice.ts";
import { Icon } from "../../ui/icon.tsx";

const MOST = 1_000_000;
/** Steps of the quick button. */
const QUICK = 5;

export function BidField({
  least,
  step,
  verb,
  onBid,
}: {
  least: number;
  step: number;
  verb(bid: number): string;
  onBid(bid: number): void;
}) {
  const typed = useSignal(String(least));
  const bid = fitting(Number(typed.value), least, step);
  const set = (to: number) => {
    typed.value = String(Math.min(MOST, Math.max(least, to)));
    announce(formatNumber(Number(typed.value)), "chosen");
  };
  // What was typed is put right and looked at again before it counts.
  const settle = (): boolean => {
    const right = typed.value === String(bid);
    if (!right) set(bid);
    return right;
  };
  return (
    <form
      class="row bid-field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (settle()) onBid(bid);
      }}
    >
      <button
        type="button"
        class="round"
        aria-label={t("bid_less", { step })}
        disabled={bid <= least}
        onClick={() => set(bid - step)}
      >
        <Icon name="minus" />
      </button>
      <input
        type="number"
        class="stepped"
        inputMode="numeric"
        min={least}
        max={MOST}
        step={step}
        value={typed.value}
        aria-label={t("bid")}
        data-first
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onBlur={settle}
      />
      <button type="button" class="round" aria-label={t("bid_more", { step })} onClick={() => set(bid + step)}>
        <Icon name="plus" />
      </button>
      <button type="button" class="round" onClick={() => set(bid + QUICK * step)}>
        +{QUICK * step}
      </button>
      <button type="submit" class="primary">
        {verb(bid)}
      </button>
    </form>
  );
}

/** The bid that is meant: even, and not below the least. */
export function fitting(bid: number, least: number, step: number): number {
  if (!Number.isFinite(bid)) return least;
  return Math.min(MOST, Math.max(least, least + step * Math.ceil((bid - least) / step)));
}

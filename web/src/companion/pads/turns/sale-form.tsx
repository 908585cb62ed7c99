/** Whether a turn was sold by auction, to whom and for how much. */
import { useSignal } from "@preact/signals";
import { formatNumber, t, withColon } from "../../../i18n.ts";
import { AnnouncedText } from "../../../shell/announced-text.tsx";
import { Radios } from "../../../shell/radios.tsx";
import { itemAt } from "../../../values.ts";
import { NumberForm } from "../group-keys.tsx";
import { savePad } from "../pad-book.ts";
import { draftSale, type TurnPad } from "./turn-pad.ts";
import { isBid, MAX_BID, MIN_BID } from "./sale.ts";
import { readNumber } from "../../numbers.ts";

/** Bids with a button of their own. */
const SMALL_BIDS = Array.from({ length: 12 }, (_, i) => MIN_BID * (i + 1));
const NONE = "none";

/** `home`: the player whose turn it was. */
export function SaleForm({ pad, home }: { pad: TurnPad; home: number }) {
  const { names, draft } = pad;
  const { sale } = draft;
  const text = useSignal("");
  const trouble = useSignal(false);
  const bid = (points: number | null) => {
    trouble.value = !isBid(points);
    if (sale && isBid(points)) savePad(draftSale(pad, { ...sale, bid: points }));
  };
  const sold = sale ? `${itemAt(names, sale.winner)} (${formatNumber(sale.bid)})` : t("sale_none");
  // Closed, so that the keys of the turn fit a phone: most turns are not sold.
  return (
    <details key={draft.index}>
      <summary>{withColon(t("sale_winner"), sold)}</summary>
      <Radios
        legend={t("sale_winner")}
        name="sale-winner"
        of={[NONE, ...names.map((_, i) => String(i))]}
        value={sale ? String(sale.winner) : NONE}
        word={(one) => (one === NONE ? t("sale_none") : itemAt(names, Number(one)))}
        onChoose={(one) =>
          savePad(draftSale(pad, one === NONE ? null : { winner: Number(one), bid: sale?.bid ?? MIN_BID }))
        }
      />
      {sale && (
        <>
          <fieldset class="pad-keys groups">
            <legend>{t("sale_bid")}</legend>
            {SMALL_BIDS.map((one) => (
              <button key={one} type="button" aria-pressed={sale.bid === one} onClick={() => bid(one)}>
                <b>{one}</b>
              </button>
            ))}
          </fieldset>
          <details>
            <summary>{t("sale_larger")}</summary>
            <NumberForm
              label={t("sale_larger")}
              button={t("sand_set")}
              text={text.value}
              trouble={trouble.value ? t("sale_trouble", { least: MIN_BID, most: MAX_BID }) : null}
              onInput={(typed) => (text.value = typed)}
              onSubmit={() => bid(readNumber(text.value, MIN_BID, MAX_BID))}
            />
          </details>
          <AnnouncedText later manner="chosen" class="note">
            {sale.winner === home
              ? t("sale_own", { name: itemAt(names, home), points: sale.bid / 2 })
              : t("sale_other", { winner: itemAt(names, sale.winner), name: itemAt(names, home), points: sale.bid })}
          </AnnouncedText>
        </>
      )}
    </details>
  );
}

/** Points in parts: discs, the bonus from the third on, groups, and the charge. */
import { formatSigned, t } from "../../../i18n.ts";
import { bonusPoints } from "../../../state/points.ts";
import { chargeOfTurn, type TurnEntry } from "./turn-entry.ts";

function Part({ value, word }: { value: number; word: string }) {
  return (
    <span class="point-part">
      <b>{formatSigned(value)}</b> {word}{" "}
    </span>
  );
}

export function DiscParts({ discs }: { discs: number }) {
  const bonus = bonusPoints(discs);
  return (
    <>
      <Part value={discs} word={t("pad_part_discs")} />
      {bonus > 0 && <Part value={bonus} word={t("pad_part_bonus")} />}
    </>
  );
}

export function EnteredParts({ turn }: { turn: TurnEntry }) {
  if ("points" in turn) return null;
  const charge = chargeOfTurn(turn);
  return (
    <>
      {turn.dominoes.map(({ discs, groups }, which) => (
        <span key={which}>
          <DiscParts discs={discs} />
          {groups.map((size, i) => (
            <Part key={i} value={size} word={t("pad_part_group")} />
          ))}
        </span>
      ))}
      {charge > 0 && <Part value={-charge} word={t("pad_part_charge")} />}
    </>
  );
}

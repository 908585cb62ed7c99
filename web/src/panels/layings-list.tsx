/** Every legal laying as a list, the best first: the table for those who do not see it. */
import { useSignal } from "@preact/signals";
import { t } from "../i18n.ts";
import type { Laying } from "../geometry.ts";
import { printLaying } from "../geometry.ts";
import { type Placer, ranked } from "../state/placer.ts";
import { candidateInWords } from "../words.ts";

/** Layings of a domino that are listed at first. */
const FEW = 40;

export function LayingsList({ placer, onCommit }: { placer: Placer; onCommit?(laying: Laying): void }) {
  const tiles = placer.hand.value;
  const all = useSignal(false);
  return (
    <details class="layings-list">
      <summary>{t("layings_list")}</summary>
      {tiles.map((tile, number) => {
        const candidates = ranked(placer.candidates.value.get(tile) ?? []);
        return (
          <section key={tile} aria-label={t("domino_number", { number: number + 1, tile })}>
            <h3>{t("domino_number", { number: number + 1, tile })}</h3>
            {!candidates.length && <p>{t("fits", { count: 0 })}</p>}
            <ol>
              {candidates.slice(0, all.value ? undefined : FEW).map((one) => (
                <li key={printLaying(one.laying)}>
                  <button type="button" class="link" onFocus={() => placer.show(one.laying)} onClick={() => onCommit?.(one.laying)}>
                    {one.laying.side === "+" ? t("recto") : t("verso")}, {candidateInWords(one, placer.words.value)}
                  </button>
                </li>
              ))}
            </ol>
            {!all.value && candidates.length > FEW && (
              <button type="button" class="link" onClick={() => (all.value = true)}>{t("more_layings", { count: candidates.length - FEW })}</button>
            )}
          </section>
        );
      })}
    </details>
  );
}

/** Every legal laying as a list, and every group: the table for those who do not see it. */
import { useSignal } from "@preact/signals";
import type { TargetedMouseEvent } from "preact";
import { useRef } from "preact/hooks";
import { groupInWords, groupsOf, type TableGroup } from "../board/groups.ts";
import { key, type Laying, printLaying } from "../geometry.ts";
import { t } from "../i18n.ts";
import { orderCandidates, type Placer, rankCandidates } from "../state/placer.ts";
import { UP_AND_DOWN, walkList } from "../ui/focus.ts";
import { useTableParts } from "../ui/table-parts.ts";
import { candidateInWords } from "../words.ts";
import { itemAt } from "../values.ts";

/** Layings of a domino that are listed at first. */
const MAX_FIRST_LAYINGS = 40;

interface ListProps {
  placer: Placer;
  /** The best first; else in the order in which they lie. */
  ranked?: boolean;
  onCommit?(laying: Laying): void;
  groupWords?(group: TableGroup): string;
}

export function LayingsList({ placer, ranked = true, onCommit, groupWords }: ListProps) {
  const tiles = placer.hand.value;
  const all = useSignal(false);
  const open = useSignal(false);
  const { layingsList } = useTableParts();
  const summary = useRef<HTMLElement>(null);
  const lay = (laying: Laying, event: TargetedMouseEvent<HTMLButtonElement>) => {
    // The second click of two would lay what came in its place.
    if (event.detail > 1) return;
    // By keys: the place leaves the list, and without a focus screen readers would begin at the title of the page.
    if (!event.detail) summary.current?.focus({ preventScroll: true });
    onCommit?.(laying);
  };
  return (
    <details
      ref={layingsList}
      class="layings-list"
      onToggle={(event) => (open.value = event.currentTarget.open)}
      onKeyDown={(event) => walkList(event, { steps: UP_AND_DOWN })}
    >
      <summary ref={summary}>{t("layings_list")}</summary>
      <div class="layings">
        {tiles.map((tile, number) => {
          const candidates = (ranked ? rankCandidates : orderCandidates)(placer.candidates.value.get(tile) ?? []);
          return (
            <section key={tile} aria-label={t("domino_number", { number: number + 1, tile })}>
              <h3>{t("domino_number", { number: number + 1, tile })}</h3>
              {!candidates.length && <p>{t("fits", { count: 0 })}</p>}
              <ol>
                {candidates.slice(0, all.value ? undefined : MAX_FIRST_LAYINGS).map((one) => (
                  <li key={printLaying(one.laying)}>
                    <button
                      type="button"
                      class="link"
                      onFocus={() => placer.show(one.laying)}
                      onClick={(event) => lay(one.laying, event)}
                    >
                      {one.laying.side === "+" ? t("recto") : t("verso")}, {candidateInWords(one, placer.words.value)}
                    </button>
                  </li>
                ))}
              </ol>
              {!all.value && candidates.length > MAX_FIRST_LAYINGS && (
                <button type="button" class="link" onClick={() => (all.value = true)}>
                  {t("more_layings", { count: candidates.length - MAX_FIRST_LAYINGS })}
                </button>
              )}
            </section>
          );
        })}
        {open.value && <GroupsList placer={placer} groupWords={groupWords} />}
      </div>
    </details>
  );
}

/** The groups on the table, the largest first; the one that has the focus is shown there. */
function GroupsList({ placer, groupWords = groupInWords }: Pick<ListProps, "placer" | "groupWords">) {
  const set = placer.set.value;
  // A central disc by itself is no news.
  const groups = set ? groupsOf(placer.layings.value, set).filter(({ discs }) => discs.length > 1) : [];
  if (!groups.length) return null;
  return (
    <section aria-label={t("groups_on_table")}>
      <h3>{t("groups_on_table")}</h3>
      <ul>
        {[...groups]
          .sort((a, b) => b.discs.length - a.discs.length)
          .map((group) => ({ group, disc: itemAt(group.discs, 0) }))
          .map(({ group, disc }) => (
            <li key={key(disc)}>
              <button
                type="button"
                class="link"
                onFocus={() => (placer.looked.value = disc)}
                onBlur={() => (placer.looked.value = null)}
                onClick={() => (placer.looked.value = disc)}
              >
                {groupWords(group)}
              </button>
            </li>
          ))}
      </ul>
    </section>
  );
}

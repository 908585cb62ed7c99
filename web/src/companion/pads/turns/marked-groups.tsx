/** At the end of a game with marks: the closed groups that each player has marked (rules 3). */
import { t } from "../../../i18n.ts";
import { itemAt } from "../../../values.ts";
import { GroupKeys } from "../group-keys.tsx";
import { savePad } from "../pad-book.ts";
import { markGroups, MAX_MARKS, type TurnPad } from "./turn-pad.ts";

export function MarkedGroups({ pad }: { pad: TurnPad }) {
  return (
    <section class="stack turn-form" aria-labelledby="marked-title">
      <h2 id="marked-title">{t("pad_final_title")}</h2>
      <p class="note">{t("pad_final_note")}</p>
      {pad.names.map((name, player) => {
        const sizes = itemAt(pad.marked, player);
        return (
          <GroupKeys
            key={player}
            legend={t("pad_final_marks", { name })}
            groups={sizes}
            isFull={sizes.length >= MAX_MARKS}
            onAdd={(size) => savePad(markGroups(pad, player, [...sizes, size]))}
            onRemove={(index) =>
              savePad(
                markGroups(
                  pad,
                  player,
                  sizes.filter((_, i) => i !== index),
                ),
              )
            }
          />
        );
      })}
    </section>
  );
}

/** How old each child is, by one tap, and how many dominoes that makes. */
import { t } from "../../i18n.ts";
import { Radios } from "../../shell/radios.tsx";
import { ADULT_AGE, MIN_AGE } from "../first/first-player.ts";
import { NumberField } from "./number-field.tsx";
import { amendBook, book } from "./pad-book.ts";
import { findDominoes } from "./pad-setup.ts";

const AGES = Array.from({ length: ADULT_AGE - MIN_AGE + 1 }, (_, i) => String(MIN_AGE + i));

export function AgeFields({ isWrong, isAgreedWrong }: { isWrong: boolean; isAgreedWrong: boolean }) {
  const { names, ages, agreed } = book.value;
  const setAge = (index: number, age: string) =>
    amendBook({ ages: names.map((_, i) => (i === index ? age : (ages[i] ?? ""))) });
  return (
    <>
      <p class="note">{t("age_note")}</p>
      {names.map((name, i) => {
        const count = findDominoes(ages[i] ?? "", agreed);
        return (
          name.trim() && (
            <div key={i} class={isWrong && count === null ? `seat-${i} pad-wrong` : `seat-${i}`}>
              <Radios
                legend={t("age_of", { name })}
                name={`age-${i}`}
                of={AGES}
                value={ages[i]}
                word={(age) => (age === String(ADULT_AGE) ? `${age}+` : age)}
                onChoose={(age) => setAge(i, age)}
              >
                {count !== null && <b class="row tied">{t("child_left", { count })}</b>}
              </Radios>
            </div>
          )
        );
      })}
      <NumberField
        label={t("age_agreed")}
        value={agreed}
        isWrong={isAgreedWrong}
        onInput={(text) => amendBook({ agreed: text })}
      />
    </>
  );
}

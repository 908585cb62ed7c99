/** How many dominoes each child draws: as many as years. */
import { useSignal } from "@preact/signals";
import { t } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { countForAge, DEFAULT_ADULT_DOMINOES, MAX_AGE, MAX_AGREED, MIN_AGE } from "./first-player.ts";
import { readNumber } from "../numbers.ts";

export function ByAge({ names }: { names: readonly string[] }) {
  const ages = useSignal<readonly string[]>([]);
  const agreed = useSignal(String(DEFAULT_ADULT_DOMINOES));
  const setAge = (index: number, age: string) =>
    (ages.value = names.map((_, i) => (i === index ? age : (ages.value[i] ?? ""))));
  const older = readNumber(agreed.value, 1, MAX_AGREED);
  return (
    <section class="card stack" aria-labelledby="by-age">
      <h3 id="by-age">{t("age_title")}</h3>
      <p class="note">{t("age_note")}</p>
      {names.map((name, i) => (
        <Child key={i} name={name} text={ages.value[i] ?? ""} agreed={older} onInput={(age) => setAge(i, age)} />
      ))}
      <label class="field-row small">
        <span>{t("age_agreed")}</span>
        <input
          inputMode="numeric"
          value={agreed.value}
          aria-invalid={older === null}
          onInput={(event) => (agreed.value = event.currentTarget.value)}
        />
      </label>
      {older === null && (
        <AnnouncedText class="trouble">{t("age_trouble", { least: 1, most: MAX_AGREED })}</AnnouncedText>
      )}
    </section>
  );
}

interface ChildProps {
  name: string;
  text: string;
  agreed: number | null;
  onInput(text: string): void;
}

function Child({ name, text, agreed, onInput }: ChildProps) {
  const age = readNumber(text, MIN_AGE, MAX_AGE);
  return (
    <div class="row tied foot">
      <label class="field-row small">
        <span>{t("age_of", { name })}</span>
        <input
          inputMode="numeric"
          value={text}
          aria-invalid={!!text && age === null}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      {age !== null && agreed !== null && (
        <AnnouncedText as="span" class="large strong field-row">
          {t("picker_count", { count: countForAge(age, agreed) })}
        </AnnouncedText>
      )}
      {text && age === null && (
        <AnnouncedText as="span" class="field-row">
          {t("age_trouble", { least: MIN_AGE, most: MAX_AGE })}
        </AnnouncedText>
      )}
    </div>
  );
}

/** Before a game: who begins, and who draws how many dominoes. */
import { useSignal } from "@preact/signals";
import { joinList, t } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { itemAt } from "../../values.ts";
import { ByAge } from "./by-age.tsx";
import { findMostLettersA, findYoungest } from "./first-player.ts";
import { NameFields } from "../pads/name-fields.tsx";
import { book } from "../pads/pad-book.ts";
import { MIN_PLAYERS } from "../pads/pad-base.ts";

/** Of the games with turns, one has so many players (rules 4). */
const MAX_NAMES = 6;

export function WhoBegins() {
  const birthdays = useSignal<readonly string[]>([]);
  const names = book.value.names.map((name) => name.trim()).filter(Boolean);
  const enough = names.length >= MIN_PLAYERS;
  const setBirthday = (index: number, day: string) =>
    (birthdays.value = names.map((_, i) => (i === index ? day : (birthdays.value[i] ?? ""))));
  return (
    <div class="stack loose">
      <h2 class="hidden">{t("companion_first")}</h2>
      <NameFields legend={t("first_names")} most={MAX_NAMES} />
      {!enough && <p class="note">{t("first_missing")}</p>}
      {enough && (
        <section class="card stack" aria-labelledby="most-letters">
          <h3 id="most-letters">{t("first_letters")}</h3>
          <p class="note">{t("first_letters_note")}</p>
          <Begins names={names} first={findMostLettersA(names)} />
        </section>
      )}
      {enough && (
        <section class="card stack" aria-labelledby="youngest">
          <h3 id="youngest">{t("first_youngest")}</h3>
          <p class="note">{t("first_youngest_note")}</p>
          {names.map((name, i) => (
            <label key={i} class="field-row small">
              <span>{t("first_birthday", { name })}</span>
              <input
                type="date"
                value={birthdays.value[i] ?? ""}
                onInput={(event) => setBirthday(i, event.currentTarget.value)}
              />
            </label>
          ))}
          <Begins names={names} first={findYoungest(names.map((_, i) => birthdays.value[i] ?? ""))} />
        </section>
      )}
      {enough && <ByAge names={names} />}
    </div>
  );
}

/** The first of those who are level begins. */
function Begins({ names, first }: { names: readonly string[]; first: readonly number[] | null }) {
  if (!first) return null;
  const name = itemAt(names, itemAt(first, 0));
  const text =
    first.length > 1
      ? t("first_tie", { names: joinList(first.map((i) => itemAt(names, i))), name })
      : t("first_begins", { name });
  return (
    <AnnouncedText later class="large strong">
      {text}
    </AnnouncedText>
  );
}

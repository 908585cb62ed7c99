/** Names in the order of play, as they are typed; kept, so that a second game needs no typing. */
import { t } from "../../i18n.ts";
import { Icon } from "../../ui/icon.tsx";
import { amendBook, book } from "./pad-book.ts";
import { MAX_NAME_LENGTH, MIN_PLAYERS } from "./pad-base.ts";

export function NameFields({ legend, most }: { legend: string; most: number }) {
  const { names, ages } = book.value;
  const rename = (index: number, name: string) =>
    amendBook({ names: names.map((old, i) => (i === index ? name : old)) });
  const isOther = (removed: number) => (_: unknown, i: number) => i !== removed;
  return (
    <fieldset class="stack name-fields">
      <legend>{legend}</legend>
      {names.map((name, i) => (
        <div key={i} class={`row tied seat-${i}`}>
          <span class="token" aria-hidden="true">
            {i + 1}
          </span>
          <input
            class="grow"
            aria-label={t("pad_player", { number: i + 1 })}
            value={name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            onInput={(event) => rename(i, event.currentTarget.value)}
          />
          {names.length > MIN_PLAYERS && (
            <button
              type="button"
              class="tool"
              aria-label={t("pad_remove_player", { number: i + 1 })}
              title={t("pad_remove_player", { number: i + 1 })}
              onClick={() => amendBook({ names: names.filter(isOther(i)), ages: ages.filter(isOther(i)) })}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      {names.length < most && (
        <button type="button" onClick={() => amendBook({ names: [...names, ""] })}>
          <Icon name="plus" /> {t("pad_add_player")}
        </button>
      )}
    </fieldset>
  );
}

/** The sizes of closed groups: a button for each small one, and a field for larger ones. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { t } from "../../i18n.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { capital } from "../../words.ts";
import { MAX_GROUP_SIZE, readNumber } from "../numbers.ts";

const SMALL_GROUPS = Array.from({ length: 12 }, (_, i) => i + 1);

/** How the sizes are called. */
export interface SizeWords {
  size(count: number): string;
  remove(count: number): string;
  larger: string;
  trouble: string;
}

const groupWords = (): SizeWords => ({
  size: (count) => t("pad_group", { count }),
  remove: (count) => t("pad_group_remove", { count }),
  larger: t("pad_larger"),
  trouble: t("pad_trouble_group", { most: MAX_GROUP_SIZE }),
});

interface GroupKeysProps {
  words?: SizeWords;
  legend: string;
  groups: readonly number[];
  isFull: boolean;
  onAdd(size: number): void;
  onRemove(index: number): void;
}

export function GroupKeys({ words = groupWords(), legend, groups, isFull, onAdd, onRemove }: GroupKeysProps) {
  const text = useSignal("");
  const trouble = useSignal(false);
  const add = (size: number | null) => {
    trouble.value = size === null;
    if (size === null) return;
    text.value = "";
    onAdd(size);
  };
  return (
    <>
      <fieldset class="pad-keys groups">
        <legend>{legend}</legend>
        {SMALL_GROUPS.map((size) => (
          <button
            key={size}
            type="button"
            disabled={isFull}
            aria-label={capital(words.size(size))}
            onClick={() => add(size)}
          >
            <b>{size}</b>
          </button>
        ))}
      </fieldset>
      {groups.length > 0 && (
        <ul class="choices">
          {groups.map((size, i) => (
            <li key={i}>
              <button type="button" class="chip" aria-label={words.remove(size)} onClick={() => onRemove(i)}>
                {capital(words.size(size))} <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <details>
          <summary>{words.larger}</summary>
          <NumberForm
            label={words.larger}
            button={t("pad_add")}
            text={text.value}
            trouble={trouble.value ? words.trouble : null}
            onInput={(typed) => (text.value = typed)}
            onSubmit={() => add(readNumber(text.value, 1, MAX_GROUP_SIZE))}
          />
        </details>
      )}
    </>
  );
}

interface NumberFormProps {
  label: string;
  button: string;
  text: string;
  trouble: string | null;
  onInput(text: string): void;
  onSubmit(): void;
}

export function NumberForm({ label, button, text, trouble, onInput, onSubmit }: NumberFormProps) {
  const id = useId();
  return (
    <form
      class="row"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label class="hidden" for={id}>
        {label}
      </label>
      {/* Of text: keyboards of numbers have no minus everywhere. */}
      <input
        id={id}
        class="pad-field"
        value={text}
        aria-invalid={!!trouble}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <button type="submit">{button}</button>
      {trouble && (
        <AnnouncedText class="trouble" manner="urgent">
          {trouble}
        </AnnouncedText>
      )}
    </form>
  );
}

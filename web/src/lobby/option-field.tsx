/** One option of a game as a field; which there are, and what is allowed, comes from the server's games. */
import type { VNode } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { Option } from "../data.ts";
import { t, textOr } from "../i18n.ts";
import { useAnnouncement } from "../shell/announced-text.tsx";
import type { OptionTexts } from "../net/protocol.ts";
import type { SetRow } from "../state/set-file.ts";
import { Icon } from "../ui/icon.tsx";
import type { TargetNote } from "./target-note.ts";

/** Options that name a seat. */
const SEATS = ["first", "dealer"];
const SETS = ["120", "72"];
/** The choice that stands for the dominoes of one's own. */
const OWN_SET = "own";
const MAX_TEXT_LENGTH = 200;
/** What an own figure begins with. */
const OWN_FIGURE = "xxxx/xxxx/x..x/x..x/xxxx";

export interface FieldProps {
  option: Option;
  /** Undefined: the default. */
  value: unknown;
  /** The texts of its package. */
  texts?: OptionTexts;
  /** The names of the seats. */
  seats: readonly string[];
  onChange(value: unknown): void;
  /** Asked with the players: a list is open. */
  isAsked?: boolean;
  /** A note about the chosen value. */
  note?: TargetNote | null;
}

export function OptionField(props: FieldProps) {
  const { option } = props;
  if (option.kind === "switch") return <SwitchField {...props} />;
  if (option.kind === "numbers" || option.kind === "texts") return <ListField {...props} />;
  if (option.kind === "pair") return <PairField {...props} />;
  // Of a type that has no field here, which only a package may declare: its default holds.
  if (option.kind === "set" && option.name !== "set") return null;
  return <SingleField {...props} />;
}

/** The dominoes of one's own, which are read only for a form that may offer them. */
function useOwnSet(isWanted: boolean): readonly SetRow[] | null {
  const rows = useSignal<readonly SetRow[] | null>(null);
  useEffect(() => {
    if (isWanted) void import("../state/own-set.ts").then(({ ownSet }) => (rows.value = ownSet.value));
  }, [isWanted]);
  return rows.value;
}

function SingleField({ option, value, texts, seats, onChange, note }: FieldProps) {
  const id = useId();
  const own = useOwnSet(option.kind === "set");
  // The first note is read with the field.
  useAnnouncement(value === undefined ? null : (note?.text ?? null), "chosen");
  const shown = value ?? option.default;
  let field: VNode;
  if (SEATS.includes(option.name)) {
    field = (
      <select
        id={id}
        aria-describedby={`${id}-help`}
        value={shown === null ? "" : String(shown)}
        onChange={(event) => onChange(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
      >
        {option.optional && <option value="">{t("seat_random")}</option>}
        {seats.map((name, seat) => (
          <option key={seat} value={String(seat)}>
            {name}
          </option>
        ))}
      </select>
    );
  } else if (option.kind === "number") {
    field = (
      <input
        id={id}
        aria-describedby={note ? `${id}-help ${id}-note` : `${id}-help`}
        type="number"
        inputMode="numeric"
        required
        min={option.least}
        max={option.most}
        value={String(shown)}
        onInput={(event) => onChange(event.currentTarget.value === "" ? undefined : event.currentTarget.valueAsNumber)}
      />
    );
  } else if (option.kind === "text" && option.choices) {
    // One of the choices, or anything else that players write.
    const own = !option.choices.includes(String(shown));
    field = (
      <span class="row">
        <select
          id={id}
          aria-describedby={`${id}-help`}
          value={own ? "" : String(shown)}
          onChange={({ currentTarget }) => onChange(currentTarget.value || OWN_FIGURE)}
        >
          {option.choices.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choiceName(option, choice)}
            </option>
          ))}
          <option value="">{t("own_choice")}</option>
        </select>
        {own && (
          <input
            class="own-choice"
            aria-label={t("own_choice")}
            aria-describedby={`${id}-help`}
            maxLength={MAX_TEXT_LENGTH}
            spellcheck={false}
            value={String(shown)}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </span>
    );
  } else if (option.kind === "text") {
    field = (
      <input
        id={id}
        aria-describedby={`${id}-help`}
        maxLength={MAX_TEXT_LENGTH}
        value={String(shown ?? "")}
        onInput={({ currentTarget }) => onChange(currentTarget.value || (option.optional ? null : ""))}
      />
    );
  } else {
    const choices = option.kind === "set" ? [...SETS, ...(own ? [OWN_SET] : [])] : (option.choices ?? []);
    field = (
      <select
        id={id}
        aria-describedby={`${id}-help`}
        value={Array.isArray(shown) ? OWN_SET : String(shown)}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(own && chosen === OWN_SET ? own : choices.find((choice) => String(choice) === chosen))
        }
      >
        {choices.map((choice) => (
          <option key={choice} value={String(choice)}>
            {choice === OWN_SET && own
              ? t("own_set", { count: own.length })
              : (texts?.choices?.[choice] ?? choiceName(option, choice))}
          </option>
        ))}
      </select>
    );
  }
  return (
    <div class="field-row">
      <label for={id}>{optionName(option, texts)}</label>
      {field}
      <Help option={option} texts={texts} id={`${id}-help`} />
      {note && (
        <small id={`${id}-note`} class="option-note">
          {note.warns && <Icon name="warning" />} {note.text}
        </small>
      )}
    </div>
  );
}

/** The name of an option in the reader's language; for a game from another package, the name in the package. */
export const optionName = ({ name, kind }: Option, texts?: OptionTexts): string =>
  texts?.label ?? textOr(`option_${name}_${kind}`, textOr(`option_${name}`, name.replaceAll("_", " ")));

const choiceName = ({ name }: Option, choice: string | number): string =>
  textOr(`choice_${name}_${choice}`, String(choice));

/** Two games may have an option of one name: then its kind, or its least value, decides. */
function optionHelp({ name, kind, least, description }: Option): string {
  const variant = kind === "number" ? `from_${least ?? ""}` : kind;
  return textOr(`option_help_${name}_${variant}`, textOr(`option_help_${name}`, description ?? ""));
}

function Help({ option, texts, id }: Pick<FieldProps, "option" | "texts"> & { id: string }) {
  const range =
    option.kind === "number" && !SEATS.includes(option.name) && option.least !== undefined && option.most !== undefined
      ? ` (${t("allowed_range", { least: option.least, most: option.most })})`
      : "";
  return (
    <small id={id}>
      {texts?.help ?? optionHelp(option)}
      {range}
    </small>
  );
}

function SwitchField({ option, value, texts, onChange }: FieldProps) {
  const id = useId();
  return (
    <div class="field-row">
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          aria-describedby={id}
          checked={Boolean(value ?? option.default)}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{optionName(option, texts)}</span>
      </label>
      <Help option={option} texts={texts} id={id} />
    </div>
  );
}

/** Two numbers. */
function PairField({ option, value, texts, onChange }: FieldProps) {
  const id = useId();
  const [label, pair] = [optionName(option, texts), [...((value ?? option.default) as number[])]];
  return (
    <fieldset class="stack">
      <legend>{label}</legend>
      <div class="row">
        {[0, 1].map((place) => (
          <input
            key={place}
            type="number"
            inputMode="numeric"
            required
            min={option.least}
            max={option.most}
            value={String(pair[place])}
            aria-label={`${label} ${place + 1}`}
            aria-describedby={id}
            onInput={({ currentTarget }) => onChange(pair.with(place, currentTarget.valueAsNumber))}
          />
        ))}
      </div>
      <Help option={option} texts={texts} id={id} />
    </fieldset>
  );
}

/** What a list of numbers begins with. */
const USUAL_AGE = 6;

/** A list for another number of players; undefined if it must be chosen again. */
export const resizeList = ({ kind }: Option, list: readonly unknown[], count: number): unknown =>
  kind === "numbers" ? Array.from({ length: count }, (_, seat) => list[seat] ?? USUAL_AGE) : undefined;

/** One value for each seat, or none at all: then the game has its own way. */
function ListField({ option, value, texts, seats, onChange, isAsked = false }: FieldProps) {
  const id = useId();
  const values = Array.isArray(value) && value.length ? (value as (string | number)[]) : null;
  const numbers = option.kind === "numbers";
  const choices = option.choices ?? [];
  const limits = numbers
    ? ({ type: "number", inputMode: "numeric", min: option.least, max: option.most } as const)
    : { maxLength: 30 };
  // Different numbers where they must differ, as piles; else an age for Gone, or what is allowed next to it.
  const { least = -Infinity, most = Infinity } = option;
  const first = (seat: number) => {
    if (!numbers) return choices[seat] ?? seats[seat] ?? "";
    return most - least < 3 ? least + seat : Math.min(most, Math.max(least, USUAL_AGE));
  };
  const at = (seat: number) => values?.[seat] ?? first(seat);
  const set = (seat: number, one: string | number) => {
    // Each choice is for one player: who had it gets the other one.
    const swapped = (i: number) => (choices.length && at(i) === one ? at(seat) : at(i));
    onChange(seats.map((_, i) => (i === seat ? one : swapped(i))));
  };
  const label = optionName(option, texts);
  return (
    <fieldset class="field-row list-field">
      <legend>{label}</legend>
      {!isAsked && (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            aria-describedby={id}
            checked={!!values}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? seats.map((_, seat) => first(seat)) : undefined)
            }
          />
          <span>{t("for_each")}</span>
        </label>
      )}
      {(values ?? isAsked) && (
        <div class="cards" style={{ "--card": "8.5em" }}>
          {seats.map((name, seat) => (
            <label key={seat} class="small" for={`${id}-${seat}`}>
              <span class="one-line">{name}</span>
              {choices.length ? (
                <select
                  id={`${id}-${seat}`}
                  value={String(at(seat))}
                  aria-label={t("for_seat", { option: label, number: seat + 1 })}
                  onChange={({ currentTarget }) => set(seat, currentTarget.value)}
                >
                  {choices.map((choice) => (
                    <option key={choice} value={String(choice)}>
                      {choiceName(option, choice)}
                    </option>
                  ))}
                </select>
              ) : (
                <input
                  id={`${id}-${seat}`}
                  {...limits}
                  required
                  value={String(at(seat))}
                  aria-label={t("for_seat", { option: label, number: seat + 1 })}
                  onInput={({ currentTarget }) =>
                    set(seat, numbers ? currentTarget.valueAsNumber : currentTarget.value)
                  }
                />
              )}
            </label>
          ))}
        </div>
      )}
      <Help option={option} texts={texts} id={id} />
    </fieldset>
  );
}

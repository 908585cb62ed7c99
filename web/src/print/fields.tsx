/** The options that matter for a print, each as a field that suits it. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { PrintName, PrintOption } from "../data.ts";
import { formatNumber, LANGUAGES, t, tt } from "../i18n.ts";
import { optionsOf, readPair, type PrintChoices } from "../state/prints.ts";
import { Radios } from "../shell/radios.tsx";
import { AnnouncedText } from "../shell/announced-text.tsx";
import { DesignPicture } from "./design-picture.tsx";

/** Every option but what is printed, in the order of the page. */
export const GROUPS = {
  content: ["position", "frame", "pile", "seed", "pages", "game", "layout"],
  look: ["design", "ink", "symbols", "names", "arrangement", "size", "cover", "language"],
  printer: ["paper", "flip", "offset"],
};

export interface FieldsProps {
  what: PrintName;
  all: PrintChoices;
  /** What is wrong with one of them. */
  trouble: { option: string; text: string } | null;
  choose(name: string, value: string): void;
}

export function Fields(props: FieldsProps) {
  const options = optionsOf(props.what);
  return (
    <>
      {Object.entries(GROUPS).map(([group, names]) => {
        const some = names.flatMap((name) => options.filter((option) => option.name === name));
        return (
          some.length > 0 && (
            <section key={group} class="stack loose" aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>{tt(`print_group_${group}`)}</h2>
              {some.map((option) => (
                <Field key={option.name} option={option} {...props} />
              ))}
            </section>
          )
        );
      })}
    </>
  );
}

interface FieldProps extends FieldsProps {
  option: PrintOption;
}

const FIELDS: Record<string, (props: FieldProps) => ComponentChildren> = {
  design: Design,
  offset: Offset,
  size: Size,
  language: LanguageField,
  position: Position,
  frame: Frame,
  seed: Seed,
};

function Field(props: FieldProps) {
  const Own = FIELDS[props.option.name] ?? (props.option.kind === "switch" ? SwitchField : Pills);
  return <Own {...props} />;
}

/** An error beside its field. */
function Trouble({ trouble, option, id }: FieldProps & { id: string }) {
  return trouble?.option === option.name ? (
    <AnnouncedText class="notice" manner="urgent" id={`${id}-trouble`}>
      {trouble.text}
    </AnnouncedText>
  ) : null;
}

/** The attributes that describe a field to screen readers, and say whether it is wrong. */
function describeField({ trouble, option }: FieldProps, id: string) {
  const wrong = trouble?.option === option.name;
  return { "aria-describedby": `${id}-help${wrong ? ` ${id}-trouble` : ""}`, "aria-invalid": wrong };
}

/** The options whose choices need a word of explanation. */
const OPTIONS_WITH_HELP = ["ink", "pages", "arrangement", "flip", "layout"];

/** The options whose choices are seen better than said. */
const PICTURES: Record<string, (choice: string) => ComponentChildren> = {
  design: (design) => <DesignPicture design={design} />,
  flip: (edge) => <img src={`/api/print/flip.svg?edge=${edge}`} alt="" width="112" height="100" />,
};

function Pills({ option, all, choose }: FieldProps) {
  const { name } = option;
  const word = (choice: string) =>
    name === "pile" ? t("dominoes_pile", { number: Number(choice) }) : tt(`print_${name}_${choice.replace("-", "_")}`);
  const picture = PICTURES[name];
  return (
    <Radios
      legend={tt(`print_option_${name}`)}
      name={`print-${name}`}
      of={(option.choices ?? []).map(String)}
      value={all[name]}
      word={word}
      picture={picture}
      kind={picture && `pictures small print-${name}s`}
      onChoose={(choice) => choose(name, choice)}
    >
      {OPTIONS_WITH_HELP.includes(name) && <small class="small full">{tt(`print_help_${name}`)}</small>}
    </Radios>
  );
}

function SwitchField({ option: { name }, all, choose }: FieldProps) {
  const id = useId();
  // Greys cannot do without.
  const forced = name === "symbols" && all.ink === "grey";
  return (
    <div class="field-row">
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={forced || all[name] === "true"}
          disabled={forced}
          aria-describedby={`${id}-help`}
          onChange={(event) => choose(name, String(event.currentTarget.checked))}
        />
        <span>{tt(`print_option_${name}`)}</span>
      </label>
      <small id={`${id}-help`}>{tt(`print_help_${name}`)}</small>
    </div>
  );
}

function Design(props: FieldProps) {
  const { all, choose } = props;
  const unsafe = all.design === "squares-original" && all.ink !== "grey" && all.symbols !== "true";
  return (
    <>
      <Pills {...props} />
      {unsafe && (
        <div class="trouble stack" role="note">
          <p>{t("print_warning_original")}</p>
          <button type="button" onClick={() => choose("symbols", "true")}>
            {t("print_add_symbols")}
          </button>
        </div>
      )}
    </>
  );
}

function Offset(props: FieldProps) {
  const { option, what, all, choose } = props;
  const id = useId();
  const [right, down] = readPair(all.offset ?? "");
  const checks = what === "calibration";
  const zero = Number(right) === 0 && Number(down) === 0;
  const limits = { step: 0.1, min: option.least, max: option.most, inputMode: "text" } as const;
  return (
    <Pair
      {...props}
      id={id}
      limits={limits}
      values={[right, down]}
      words={[t("print_offset_right"), t("print_offset_down")]}
      between=","
    >
      <div class="row full" id={`${id}-help`}>
        {!checks ? (
          <p class="note">{t("print_help_offset")}</p>
        ) : (
          !zero && (
            <>
              <p class="note">{t("print_offset_checks")}</p>
              <button type="button" onClick={() => choose("offset", "0,0")}>
                {t("print_offset_reset")}
              </button>
            </>
          )
        )}
        <button type="button" onClick={() => choose("what", checks ? "set" : "calibration")}>
          {checks ? t("print_to_set") : t("print_to_calibration")}
        </button>
      </div>
    </Pair>
  );
}

type PairProps = FieldProps & {
  id: string;
  limits: { min?: number; max?: number; step?: number; inputMode: "text" | "numeric" };
  values: [string, string];
  words: [string, string];
  /** The separator of the two numbers. */
  between: string;
  children: ComponentChildren;
};

/** Two numbers that are one option. */
function Pair(props: PairProps) {
  const {
    id,
    limits,
    option: { name },
    values,
    words,
    between,
    children,
    choose,
  } = props;
  return (
    <fieldset class="row foot">
      <legend>{tt(`print_option_${name}`)}</legend>
      {words.map((word, i) => (
        <label key={i} class="field-row small">
          <span>{word}</span>
          <input
            type="number"
            {...limits}
            {...describeField(props, id)}
            value={values[i]}
            onInput={({ currentTarget: { value } }) =>
              choose(name, (i ? [values[0], value] : [value, values[1]]).join(between))
            }
          />
        </label>
      ))}
      <Trouble {...props} id={id} />
      {children}
    </fieldset>
  );
}

/** A field under its name, and below it what is wrong with it and what is to be known. */
function Labelled(props: FieldProps & { id: string; help?: string; children: ComponentChildren }) {
  const {
    id,
    help,
    option: { name },
    children,
  } = props;
  return (
    <div class="field-row">
      <label for={id}>{tt(`print_option_${name}`)}</label>
      {children}
      <Trouble {...props} id={id} />
      {help && <small id={`${id}-help`}>{help}</small>}
    </div>
  );
}

function Size(props: FieldProps) {
  const { option, what, all, choose } = props;
  const id = useId();
  const long = Number(all.size);
  const help =
    long > 0
      ? t(what === "72" ? "print_help_size_72" : "print_help_size", {
          long: formatNumber(long),
          wide: formatNumber(long / 2),
        })
      : t("print_help_size_plain");
  return (
    <Labelled {...props} id={id} help={help}>
      <span class="row">
        <input
          id={id}
          type="number"
          min={option.least}
          max={option.most}
          step="any"
          inputMode="decimal"
          value={all.size}
          {...describeField(props, id)}
          onInput={(event) => choose("size", event.currentTarget.value)}
        />{" "}
        mm
      </span>
    </Labelled>
  );
}

function LanguageField(props: FieldProps) {
  const { all, choose } = props;
  const id = useId();
  return (
    <Labelled {...props} id={id}>
      <select id={id} value={all.language} onChange={(event) => choose("language", event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Position(props: FieldProps) {
  const { all, choose } = props;
  const id = useId();
  return (
    <Labelled {...props} id={id} help={t("print_help_position")}>
      <textarea
        id={id}
        rows={4}
        spellcheck={false}
        autocomplete="off"
        value={all.position}
        placeholder="PRYGB+0@0,0 …"
        {...describeField(props, id)}
        onInput={(event) => choose("position", event.currentTarget.value)}
      />
    </Labelled>
  );
}

/** The shapes of a frame besides rectangles (rules 5). */
const FIGURES = ["cross", "staircase", "ring", "heart"];

function Frame(props: FieldProps) {
  const id = useId();
  const frame = props.all.frame ?? "";
  const figure = FIGURES.includes(frame) ? frame : "rectangle";
  const shape = (
    <Radios
      legend={t("print_frame_shape")}
      name="print-frame"
      of={["rectangle", ...FIGURES]}
      value={figure}
      word={(one) => tt(`print_frame_${one}`)}
      onChoose={(one) => props.choose("frame", one === "rectangle" ? "4x4" : one)}
    />
  );
  if (figure !== "rectangle") return shape;
  const [wide = "", high = ""] = frame.split("x");
  const size = (
    <Pair
      {...props}
      id={id}
      limits={{ min: 1, max: 80, inputMode: "numeric" }}
      values={[wide, high]}
      words={[t("solver_width"), t("solver_height")]}
      between="x"
    >
      <small class="small full" id={`${id}-help`}>
        {t("print_help_frame")}
      </small>
    </Pair>
  );
  return (
    <>
      {shape}
      {size}
    </>
  );
}

function Seed(props: FieldProps) {
  const { all, choose } = props;
  const id = useId();
  const another = () => choose("seed", String(1 + Math.floor(Math.random() * 9999)));
  return (
    <Labelled {...props} id={id} help={t("print_help_seed")}>
      <span class="row">
        <input
          id={id}
          maxLength={50}
          autocomplete="off"
          value={all.seed}
          {...describeField(props, id)}
          onInput={(event) => choose("seed", event.currentTarget.value)}
        />
        <button type="button" onClick={another}>
          {t("print_another")}
        </button>
      </span>
    </Labelled>
  );
}

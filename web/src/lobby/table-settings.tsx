/** Settings of a table in any game: who may find and watch it, the clock, the aids, the pace of bots. */
import { isStatic } from "../base.ts";
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { t, tt } from "../i18n.ts";
import type { NewTable } from "../net/api.ts";
import { AnnouncedText } from "../shell/announced-text.tsx";

type Clock = NonNullable<NewTable["clock"]>;
export type TableSettings = Required<
  Pick<NewTable, "visibility" | "spectators" | "pace" | "aids" | "hands" | "absence" | "hints">
> & { clock: Clock };

export const DEFAULT_TABLE_SETTINGS: TableSettings = {
  visibility: "private",
  spectators: "public",
  clock: { kind: "none" },
  pace: 700,
  aids: "all",
  hands: "own",
  absence: 300,
  hints: "alone",
};

const PACE_MS = { slow: 1800, normal: 700, fast: 150 };
/** Minutes of absence on turn until the others may let a bot play. */
const ABSENCE_MINUTES = [0, 2, 5, 15];
const DEFAULT_TURN_S = 60;
const DAY_S = 86_400;
/** For turns without hurry. */
const TURN_DAYS = [1, 3, 7];
const DEFAULT_BANK_MINUTES = 10;

/** Whether a turn may take days. */
export const takesDays = ({ seconds = 0 }: Clock): boolean => seconds >= DAY_S;

interface TableSettingsProps {
  settings: Signal<TableSettings>;
  /** It is played in turns, with hands. */
  turns: boolean;
  /** All play at the same time, in frames of their own. */
  race: boolean;
  /** Someone joins by link. */
  linked: boolean;
  /** Several share a screen: whether hands are open is asked beside them. */
  guests: boolean;
}

export function TableSettingsFields({ settings, turns, race, linked, guests }: TableSettingsProps) {
  const change = (part: Partial<TableSettings>) => (settings.value = { ...settings.value, ...part });
  const { visibility, spectators, clock, pace, aids, hands, absence, hints } = settings.value;
  const pacing = (Object.keys(PACE_MS) as (keyof typeof PACE_MS)[]).find((name) => PACE_MS[name] === pace) ?? "normal";
  return (
    <>
      {!isStatic && (
        <>
          <Choice
            name="visibility"
            of={["private", "public"]}
            value={visibility}
            onChange={(value) => change({ visibility: value })}
          />
          <Choice
            name="spectators"
            of={["none", "public", "all"]}
            value={spectators}
            onChange={(value) => change({ spectators: value })}
            help={turns && spectators === "all" ? t("spectators_all_help") : ""}
          />
        </>
      )}
      {turns && !guests && (
        <Choice name="hands" of={["own", "open"]} value={hands} onChange={(value) => change({ hands: value })} />
      )}
      {linked && !takesDays(clock) && <AbsenceField value={absence} onChange={(value) => change({ absence: value })} />}
      {turns && <ClockFields clock={clock} onChange={(value) => change({ clock: value })} />}
      <Choice name="aids" of={["all", "places", "none"]} value={aids} onChange={(value) => change({ aids: value })} />
      {(race || aids === "all") && (
        <Choice
          name="hints"
          label={race ? t("hints") : t("best_first")}
          of={["yes", "alone", "no"]}
          value={hints}
          onChange={(value) => change({ hints: value })}
          help={race ? t("hint_cost") : ""}
        />
      )}
      <Choice
        name="pace"
        of={["slow", "normal", "fast"]}
        value={pacing}
        onChange={(value) => change({ pace: PACE_MS[value] })}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  label?: string;
  of: readonly T[];
  value: T;
  onChange(value: T): void;
  help?: string;
}

function Choice<T extends string>({ name, label = tt(name), of, value, onChange, help = "" }: ChoiceProps<T>) {
  const id = useId();
  return (
    <>
      <div class="field-row">
        <label for={id}>{label}</label>
        <select
          id={id}
          aria-describedby={help && `${id}-help`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as T)}
        >
          {of.map((choice) => (
            <option key={choice} value={choice}>
              {tt(`${name}_${choice}`)}
            </option>
          ))}
        </select>
      </div>
      {help && (
        <AnnouncedText later class="note" id={`${id}-help`}>
          {help}
        </AnnouncedText>
      )}
    </>
  );
}

function AbsenceField({ value, onChange }: { value: number; onChange(seconds: number): void }) {
  const id = useId();
  return (
    <>
      <div class="field-row">
        <label for={id}>{t("absence")}</label>
        <select
          id={id}
          aria-describedby={`${id}-help`}
          value={String(value)}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        >
          {ABSENCE_MINUTES.map((minutes) => (
            <option key={minutes} value={60 * minutes}>
              {minutes ? t("absence_minutes", { count: minutes }) : t("absence_never")}
            </option>
          ))}
        </select>
      </div>
      {value > 0 && (
        <p class="note" id={`${id}-help`}>
          {t("absence_help")}
        </p>
      )}
    </>
  );
}

/** Open hands at a shared screen: no covers between turns, and everyone sees all dominoes. */
export function OpenHandsSwitch({ settings }: { settings: Signal<TableSettings> }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={settings.value.hands === "open"}
        onChange={(event) =>
          (settings.value = { ...settings.value, hands: event.currentTarget.checked ? "open" : "own" })
        }
      />
      <span>{t("hands_switch")}</span>
    </label>
  );
}

function ClockFields({ clock, onChange }: { clock: Clock; onChange(clock: Clock): void }) {
  const seconds = useSignal(DEFAULT_TURN_S);
  const minutes = useSignal(DEFAULT_BANK_MINUTES);
  const increment = useSignal(5);
  const days = clock.kind === "turn" && takesDays(clock);
  const change = (kind: Clock["kind"] | "days") => {
    if (kind === "days") onChange({ kind: "turn", seconds: 3 * DAY_S });
    else if (kind === "turn") onChange({ kind, seconds: seconds.value });
    else if (kind === "bank") onChange({ kind, seconds: 60 * minutes.value, increment: increment.value });
    else onChange({ kind });
  };
  const number = (setting: Signal<number>, label: string, least: number, most: number) => (
    <div class="field-row inner">
      <label class="row">
        <span>{label}</span>
        <input
          type="number"
          inputMode="numeric"
          required
          min={least}
          max={most}
          value={String(setting.value)}
          onInput={(event) => {
            if (Number.isNaN(event.currentTarget.valueAsNumber)) return;
            setting.value = event.currentTarget.valueAsNumber;
            change(clock.kind);
          }}
        />
      </label>
    </div>
  );
  return (
    <>
      <Choice
        name="clock"
        of={isStatic ? ["none", "turn", "bank"] : ["none", "turn", "bank", "days"]}
        value={days ? "days" : clock.kind}
        onChange={change}
      />
      {days && (
        <div class="field-row inner">
          <label class="row">
            <span>{t("clock_days_number")}</span>
            <select
              value={String((clock.seconds ?? 0) / DAY_S)}
              onChange={(event) => onChange({ kind: "turn", seconds: DAY_S * Number(event.currentTarget.value) })}
            >
              {TURN_DAYS.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {clock.kind === "turn" && !days && number(seconds, t("clock_turn_seconds"), 5, DAY_S - 1)}
      {clock.kind === "bank" && number(minutes, t("clock_bank_minutes"), 1, 10_080)}
      {clock.kind === "bank" && number(increment, t("clock_increment"), 0, 3600)}
      {clock.kind !== "none" && <p class="note">{t("clock_help")}</p>}
    </>
  );
}

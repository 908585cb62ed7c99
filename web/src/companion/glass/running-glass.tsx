/** The sandglass: large, so that all around a table can read it. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatNumber, t } from "../../i18n.ts";
import { GlassPicture } from "../../panels/glass-picture.tsx";
import { useNow } from "../../panels/now.ts";
import { AnnouncedText } from "../../shell/announced-text.tsx";
import { recall, remember } from "../../state/storage.ts";
import { announce } from "../../state/voice.ts";
import {
  fillGlass,
  glass,
  GLASS_SECONDS,
  keepGlass,
  MAX_GLASS_SECONDS,
  MIN_GLASS_SECONDS,
  millisecondsLeft,
  pauseGlass,
  startGlass,
} from "./glass.ts";
import { readNumber } from "../numbers.ts";

/** Seconds before the end that are announced. */
const ANNOUNCED_SECONDS = 10;
/** Milliseconds after the end in which the bell still rings: for a screen that was off it is too late. */
const BELL_MS = 5_000;

const isLoud = (): boolean => recall("glass.loud", true);

/** Loaded when it is needed: with the bundle of tables (bundles.mjs). */
const speaker = () => import("../../shell/sound.ts");

/** Rings when the sand has run out, in all parts of the page. */
export function GlassBell() {
  const { endsAt } = glass.value;
  useEffect(() => {
    const left = endsAt === null ? 0 : endsAt - Date.now();
    if (endsAt === null || left < 0) return undefined;
    const bell = setTimeout(() => {
      announce(t("reason_time"), "urgent");
      if (!isLoud() || Date.now() - endsAt > BELL_MS) return;
      void speaker().then(({ sound, vibrate }) => {
        sound("reminder");
        vibrate("reminder");
      });
    }, left);
    return () => clearTimeout(bell);
  }, [endsAt]);
  return null;
}

/** 30 s, 2 min, 1 min 30 s. */
function lengthInWords(seconds: number): string {
  const unit = (value: number, name: string) => formatNumber(value, { style: "unit", unit: name });
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes && unit(minutes, "minute"), (rest || !minutes) && unit(rest, "second")].filter(Boolean).join(" ");
}

/** 0:59, rounded up, so that it begins with the whole time and ends with zero. */
function digits(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Browsers let a page sound later only if it has sounded after a touch. */
export function ringLater(): void {
  if (isLoud()) void speaker().then(({ sound }) => sound("count"));
}

/** How much sand is left, and how many milliseconds; the last seconds are announced. */
function useSand() {
  const now = useNow(200);
  const { seconds, endsAt } = glass.value;
  const left = millisecondsLeft(glass.value, now);
  const isRunning = endsAt !== null && left > 0;
  const isEmpty = endsAt !== null && left === 0;
  const isShort = isRunning && left <= 1000 * ANNOUNCED_SECONDS;
  const warned = useRef<number | null>(null);
  useEffect(() => {
    if (!isShort || warned.current === endsAt) return;
    warned.current = endsAt;
    announce(t("sand_left", { count: Math.ceil(left / 1000) }));
  }, [isShort, endsAt]);
  return { seconds, left, isRunning, isEmpty, isAlarming: isShort || isEmpty };
}

function GlassFace({ seconds, left, isAlarming }: { seconds: number; left: number; isAlarming: boolean }) {
  return (
    <div class={isAlarming ? "glass-face short" : "glass-face"}>
      <GlassPicture part={Math.min(1, left / (1000 * seconds))} />
      <time role="timer" aria-label={t("sand_left", { count: Math.ceil(left / 1000) })}>
        {digits(left)}
      </time>
    </div>
  );
}

/** The sandglass inside a pad: in one line, and paused by a tap. */
export function GlassLine() {
  const { seconds, left, isRunning, isEmpty, isAlarming } = useSand();
  return (
    <div class="row apart tied glass-line">
      <GlassFace seconds={seconds} left={left} isAlarming={isAlarming} />
      {isEmpty ? <strong>{t("reason_time")}</strong> : <PauseButton isRunning={isRunning} />}
    </div>
  );
}

function PauseButton({ isRunning }: { isRunning: boolean }) {
  const press = () => {
    if (isRunning) return keepGlass(pauseGlass(glass.value, Date.now()));
    ringLater();
    return keepGlass(startGlass(glass.value, Date.now()));
  };
  return (
    <button type="button" onClick={press}>
      {t(isRunning ? "sand_pause" : "sand_resume")}
    </button>
  );
}

export function RunningGlass() {
  const { seconds, left, isRunning, isEmpty, isAlarming } = useSand();
  const begin = () => {
    ringLater();
    keepGlass(startGlass(glass.value, Date.now()));
  };
  return (
    <section class="stack companion-glass" aria-labelledby="glass-title">
      <h2 id="glass-title" class="hidden">
        {t("companion_sand")}
      </h2>
      <GlassFace seconds={seconds} left={left} isAlarming={isAlarming} />
      {isEmpty && <p class="large strong centred">{t("reason_time")}</p>}
      <div class="buttons centred">
        {isRunning ? (
          <button type="button" class="big" onClick={() => keepGlass(pauseGlass(glass.value, Date.now()))}>
            {t("sand_pause")}
          </button>
        ) : (
          <button type="button" class="primary big" onClick={begin}>
            {isEmpty || left === 1000 * seconds ? t("sand_turn") : t("sand_resume")}
          </button>
        )}
        <button type="button" class="big" onClick={() => keepGlass(fillGlass(seconds))}>
          {t("sand_again")}
        </button>
      </div>
      <Lengths seconds={seconds} />
    </section>
  );
}

function Lengths({ seconds }: { seconds: number }) {
  const text = useSignal(String(seconds));
  const trouble = useSignal(false);
  const loud = useSignal(isLoud());
  const limits = { least: MIN_GLASS_SECONDS, most: MAX_GLASS_SECONDS };
  const set = (length: number) => {
    text.value = String(length);
    trouble.value = false;
    keepGlass(fillGlass(length));
  };
  return (
    <>
      <fieldset class="choices">
        <legend>{t("sand_length")}</legend>
        {GLASS_SECONDS.map((one) => (
          <button key={one} type="button" class="chip" aria-pressed={one === seconds} onClick={() => set(one)}>
            {lengthInWords(one)}
          </button>
        ))}
      </fieldset>
      <form
        class="row foot"
        onSubmit={(event) => {
          event.preventDefault();
          const length = readNumber(text.value, limits.least, limits.most);
          if (length === null) trouble.value = true;
          else set(length);
        }}
      >
        <label class="field-row small">
          <span>{t("sand_other")}</span>
          <input
            inputMode="numeric"
            value={text.value}
            aria-invalid={trouble.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit">{t("sand_set")}</button>
      </form>
      {trouble.value && (
        <AnnouncedText class="trouble" manner="urgent">
          {t("sand_trouble", limits)}
        </AnnouncedText>
      )}
      <label class="switch">
        <input
          type="checkbox"
          checked={loud.value}
          onChange={(event) => {
            loud.value = event.currentTarget.checked;
            remember("glass.loud", loud.value);
          }}
        />
        <span>{t("sand_loud")}</span>
      </label>
    </>
  );
}

/** Texts in six languages. A text is a string, or one for each plural form that `count` needs. */
import { batch, computed, signal } from "@preact/signals";
import load from "texts:load";
import { LANGUAGES, type TextName } from "./texts/index.ts";

export type Language = keyof typeof LANGUAGES;

/** Plural forms by the names of CLDR; `other` is always there. */
export type Plural = { [form in Intl.LDMLPluralRule]?: string } & { other: string };
export { LANGUAGES, type TextName };
export type Texts = { [name in TextName]: string | Plural };
export type Values = Record<string, string | number>;

/** The language that is shown; it changes when its texts are there. */
export const language = signal<Language>("en");
/** The language that was chosen and cannot be loaded: another one is shown instead. */
export const unavailable = signal<Language | null>(null);
const texts = signal<Texts | null>(null);
const plurals = computed(() => new Intl.PluralRules(language.value));
const numbers = computed(() => new Intl.NumberFormat(language.value));

/** The latest request: a language, a page, and when its texts will be there. */
let latest: { language: Language; page: string; there: Promise<void> } = {
  language: "en",
  page: "",
  there: Promise.resolve(),
};

/** Parts of pages that have their texts in a file of their own, and were wanted. */
const parts = new Set<string>();

/**
 * Load the texts of a page in a language, and show them when they are there. Without a server this may be impossible:
 * then they are shown in a language that the browser has cached, and `unavailable` is set.
 */
export function speak(wanted: Language, page = latest.page, order = [wanted, ...fallbacks(wanted)]): Promise<void> {
  const own = (latest = { language: wanted, page, there: Promise.resolve() });
  return (own.there = loadFirst(order, [page, ...parts]).then(([found, loaded]) => {
    if (own !== latest) return latest.there; // Another call came meanwhile.
    batch(() => {
      unavailable.value = found === wanted ? null : wanted;
      // More of the same language: until the page is there, the one before it is still shown, and nothing is announced
      // again.
      if (texts.value && language.value === found) Object.assign(texts.value, loaded);
      else {
        texts.value = loaded;
        language.value = found;
      }
    });
    document.documentElement.lang = found;
    return undefined;
  }));
}

/** Try to load the language that was chosen again, if it could not be loaded. */
export async function speakAgain(): Promise<void> {
  if (unavailable.value) await speak(unavailable.value);
}

/** The order for another page: while the chosen language cannot be loaded, only `speakAgain` tries it first. */
function likelyOrder(): Language[] {
  const others = fallbacks(latest.language);
  return unavailable.peek() ? [...others, latest.language] : [latest.language, ...others];
}

/** The other languages, beginning with those that the browser has most likely cached. */
function fallbacks(wanted: Language): Language[] {
  const shown = texts.peek() ? [language.peek()] : [];
  const likely = [
    ...shown,
    pickLanguage(globalThis.navigator?.languages ?? []),
    "en",
    ...Object.keys(LANGUAGES),
  ] as Language[];
  return [...new Set(likely)].filter((one) => one !== wanted);
}

/** The texts of these files, in the first of the languages in which all of them can be loaded. */
async function loadFirst([first = "en", ...others]: Language[], files: readonly string[]): Promise<[Language, Texts]> {
  try {
    const loaded = await Promise.all(files.map((file) => load(file, first) as Promise<Texts>));
    return [first, Object.assign({}, ...loaded) as Texts];
  } catch (error) {
    if (!others.length) throw error;
    // If no language can be loaded, the reason is why the one that was wanted cannot.
    return loadFirst(others, files).catch(() => Promise.reject(error));
  }
}

/** Load the texts of another page, in the language that was requested last. */
export function speakAt(page: string): Promise<void> {
  return speak(latest.language, page, likelyOrder());
}

/** The texts of such a part, too, from now on. */
export function speakAlso(part: string): Promise<void> {
  parts.add(part);
  return speak(latest.language, latest.page, likelyOrder());
}

/** The first of the browser's languages that we speak. */
export function pickLanguage(languages: readonly string[]): Language {
  for (const one of languages) {
    const short = one.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short as Language;
  }
  return "en";
}

/** A text with its `{values}`; numbers are written as the language writes them. */
export function t(name: TextName, values: Values = {}): string {
  const found = texts.value?.[name] ?? name;
  return fillPlaceholders(found, values, plurals.value, (n) => numbers.value.format(n));
}

/** For names that are put together, as `colour_${letter}`: they must exist, a test sees to it. */
export function tt(name: string, values: Values = {}): string {
  return t(name as TextName, values);
}

/** The same where there may be no such text, but something else to say. */
export function textOr(name: string, otherwise: string, values: Values = {}): string {
  return name in (texts.value ?? {}) ? tt(name, values) : otherwise;
}

export function fillPlaceholders(
  text: string | Plural,
  values: Values,
  rules: Intl.PluralRules,
  format: (n: number) => string = String,
): string {
  let chosen = text;
  if (typeof chosen !== "string") {
    const count = Number(values.count ?? 0);
    // `zero` is ours: "nowhere" reads better than "in 0 ways", even where CLDR has no such form.
    chosen = (count === 0 ? chosen.zero : undefined) ?? chosen[rules.select(count)] ?? chosen.other;
  }
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? format(value) : isolate(value);
  });
}

/** Letters of Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that is written from right to left, in marks that keep it from reordering the sentence around it. */
const isolate = (value: string): string => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value);

/** "a, b and c", as the language says it. */
export function joinList(items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(language.value, { type }).format(items);
}

/** What French writes before a colon and a semicolon: a narrow space at which no line breaks. */
const beforeMark = (): string => (language.value === "fr" ? "\u202f" : "");

/** "name: text", as the language writes it. */
export const withColon = (name: string, text: string): string => `${name}${beforeMark()}: ${text}`;

/** "a; b; c", as the language writes it. */
export const withSemicolons = (parts: readonly string[]): string => parts.join(`${beforeMark()}; `);

export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(language.value, options).format(value);
}

/** A score, which may be below zero: with a minus that is seen. */
export function formatMinus(value: number): string {
  return formatNumber(value).replace("-", "−");
}

/** Format a number with its sign, as points that are gained or lost. */
export function formatSigned(value: number): string {
  return formatNumber(value, { signDisplay: "exceptZero" }).replace("-", "−");
}

/** The reader's own form of the language that is shown: a browser that asks for en-GB writes dates as Britons do. */
export function localeFor(shown: Language, languages: readonly string[]): string {
  return languages.find((one) => one.toLowerCase().startsWith(`${shown}-`)) ?? shown;
}

/** Dates as the reader writes them. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(localeFor(language.value, globalThis.navigator?.languages ?? []), options);
}

export function formatDate(milliseconds: number): string {
  return dateFormat({ dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
}

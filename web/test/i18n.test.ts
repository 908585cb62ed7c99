import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fillPlaceholders,
  formatDate,
  formatNumber,
  LANGUAGES,
  type Language,
  language,
  joinList,
  localeFor,
  pickLanguage,
  formatSigned,
  speak,
  t,
  withColon,
  withSemicolons,
} from "../src/i18n.ts";
import { ERRORS, SOURCES, type Text, TEXTS } from "./sources.ts";

const CODES = Object.keys(LANGUAGES) as Language[];
const forms = (text: Text) => (typeof text === "string" ? [text] : Object.values(text));
const placeholders = (text: Text) => [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

test("every text is there in all six languages, and in no other", () => {
  for (const { file, name, languages } of TEXTS) {
    assert.deepEqual(Object.keys(languages).sort(), [...CODES].sort(), `${file}: ${name}`);
    for (const text of Object.values(languages)) {
      for (const form of forms(text))
        assert.ok(form.trim() === form && form, `${file}: ${name} is empty or has blanks round it`);
    }
  }
});

test("a name stands in one file only", () => {
  const names = TEXTS.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
});

test("a square of a frame has one name in each language: cells are those of Dalapapa 72", () => {
  const square: Record<Language, RegExp> = {
    en: /squares/,
    fr: /carrés/,
    de: /Kästchen/,
    nl: /hokjes/,
    es: /cuadrados/,
    it: /quadretti/i,
  };
  const cell: Record<Language, RegExp> = {
    en: /\bcells?\b/i,
    fr: /\bcases?\b/i,
    de: /\bFeld(er|ern)?\b/,
    nl: /\bvak(ken|jes?)?\b/i,
    es: /casilla/i,
    it: /casell/i,
  };
  const framed = [
    "problem_frame_card",
    "problem_frame_label",
    "print_help_frame",
    "print_refused_bad_frame",
    "solver_odd",
    "solver_frame_label",
    "option_help_width",
    "refused_bad_frame",
  ];
  for (const { file, name, languages } of TEXTS) {
    for (const code of CODES) {
      const said = forms(languages[code]!).join(" ");
      if (framed.includes(name)) assert.match(said, square[code], `${name} in ${code}`);
      const isOf72 = file === "games/72/texts" || file === "texts/tokens";
      if (!/cells/.test(name) && !isOf72) assert.doesNotMatch(said, cell[code], `${name} in ${code}`);
    }
  }
});

test("placeholders are the same in all languages", () => {
  for (const { file, name, languages } of TEXTS) {
    for (const code of CODES) {
      assert.deepEqual(placeholders(languages[code]!), placeholders(languages.en!), `${file}: ${name} in ${code}`);
    }
  }
});

test("plural forms are those of the language, with a form for all the rest", () => {
  for (const { file, name, languages } of TEXTS) {
    const plural = CODES.filter((code) => typeof languages[code] !== "string");
    assert.ok(
      plural.length === 0 || plural.length === CODES.length,
      `${file}: ${name} has plural forms in ${plural} only`,
    );
    for (const code of plural) {
      const known = [...new Intl.PluralRules(code).resolvedOptions().pluralCategories, "zero"];
      const forms = Object.keys(languages[code]!);
      assert.ok(forms.includes("other"), `${file}: ${name} in ${code}`);
      assert.deepEqual(
        forms.filter((form) => !known.includes(form)),
        [],
        `${file}: ${name} in ${code}`,
      );
    }
  }
});

test("whole sentences are translated", () => {
  for (const { file, name, languages } of TEXTS) {
    for (const code of CODES.filter((code) => code !== "en")) {
      const same = forms(languages[code]!).filter((form) => forms(languages.en!).includes(form));
      const long = same.filter((form) => (form.replace(/\{\w+\}/g, "").match(/\p{L}{3,}/gu) ?? []).length > 2);
      assert.deepEqual(long, [], `${file}: ${name} in ${code}`);
    }
  }
});

// -- which names are used ------------------------------------------------------------------------

const NAMES = new Set(TEXTS.map(({ name }) => name));
const code = SOURCES.map(({ name, text }) => ({ name, text: text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "") }));

/** Patterns of the names that are put together: tt(`colour_${letter}`). */
const patterns = code
  .flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:tt|textOr)\(\s*`([^`]+)`/g)].flatMap(([, template]) => {
      const pattern = template!.replace(/\$\{[^}]*\}/g, "\u0000");
      if (!pattern.startsWith("\u0000")) return [{ name, pattern }];
      // The first part is a property: `<Choices name="palette" ...>` in the same file.
      const values = [...text.matchAll(/\bname="(\w+)"/g)].map((match) => match[1]!);
      return values.map((value) => ({ name, pattern: value + pattern.slice(1), optional: true }));
    }),
  )
  .map((one) => ({ ...one, regexp: new RegExp(`^${one.pattern.replaceAll("\u0000", "\\w+")}$`) }));

test("every text that is asked for is there", () => {
  const missing: string[] = [];
  for (const { name, text } of code) {
    for (const [, asked] of text.matchAll(/\b(?:t|tt|say)\(\s*"(\w+)"/g))
      if (!NAMES.has(asked!)) missing.push(`${name}: ${asked}`);
  }
  for (const { name, regexp, pattern, ...rest } of patterns) {
    if (!("optional" in rest) && ![...NAMES].some((text) => regexp.test(text)))
      missing.push(`${name}: ${pattern.replaceAll("\u0000", "*")}`);
  }
  assert.deepEqual(missing, []);
});

test("every text is used", () => {
  const literals = new Set(code.flatMap(({ text }) => [...text.matchAll(/"(\w+)"/g)].map((match) => match[1]!)));
  const unused = TEXTS.filter(({ name }) => !literals.has(name) && !patterns.some(({ regexp }) => regexp.test(name)));
  assert.deepEqual(
    unused.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});

test("refusals that are translated exist", () => {
  const ours = ["offline", "closed", "unprepared", "not_loaded", "needs_server", "bad_file", "no_storage"];
  const known = new Set([...ERRORS.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]!));
  const texts = [...NAMES].filter((name) => name.startsWith("refused_")).map((name) => name.replace("refused_", ""));
  assert.deepEqual(
    texts.filter((name) => !known.has(name) && !ours.includes(name)),
    [],
  );
});

// -- how texts are filled in ---------------------------------------------------------------------

test("plural forms by the rules of each language", () => {
  const text = { zero: "none", one: "{count} domino", other: "{count} dominoes" };
  const say = (count: number, code = "en", of: Record<string, string> & { other: string } = text) =>
    fillPlaceholders(of, { count }, new Intl.PluralRules(code));
  assert.equal(say(0), "none");
  assert.equal(say(1), "1 domino");
  assert.equal(say(2), "2 dominoes");
  const few = { one: "{count} a", other: "{count} b" };
  assert.equal(say(0, "fr", few), "0 a", "in French, nought is singular");
  assert.equal(say(0, "de", few), "0 b");
  assert.equal(say(1_000_000, "es", few), "1000000 b", "a form that is missing is the other one");
});

test("values are filled in, numbers as the language writes them", () => {
  assert.equal(
    fillPlaceholders("{a} and {b} and {c}", { a: 1, b: "x" }, new Intl.PluralRules("en")),
    "1 and x and {c}",
  );
  assert.equal(
    fillPlaceholders("{n}", { n: 1234.5 }, new Intl.PluralRules("de"), new Intl.NumberFormat("de").format),
    "1.234,5",
  );
});

test("a name of any direction or length leaves every sentence whole", () => {
  const names = ["דנה", "ليلى 2", "x".repeat(200), "a & <b>", "$& {points}"];
  let tried = 0;
  for (const { file, name, languages } of TEXTS) {
    for (const code of CODES) {
      for (const form of forms(languages[code]!)) {
        for (const place of ["name", "names"]) {
          const [before, after, ...more] = form.split(`{${place}}`);
          if (after === undefined || more.length) continue;
          for (const one of names) {
            const filled = fillPlaceholders(form, { [place]: one }, new Intl.PluralRules(code));
            const shown = /[a-z]/.test(one) ? one : `\u2068${one}\u2069`;
            assert.equal(filled, `${before}${shown}${after}`, `${file}: ${name} in ${code}`);
            tried++;
          }
        }
      }
    }
  }
  assert.ok(tried > 100 * CODES.length * names.length);
});

test("the browser's first language that we speak", () => {
  assert.equal(pickLanguage(["pt", "de-AT", "fr"]), "de");
  assert.equal(pickLanguage(["FR"]), "fr");
  assert.equal(pickLanguage(["ja"]), "en");
  assert.equal(pickLanguage([]), "en");
  assert.equal(pickLanguage(["", "*", "xx-XX", "constructor"]), "en", "an unknown code");
  assert.equal(pickLanguage(["nl_BE"]), "nl");
});

test("speaking changes texts, numbers, dates and the page's language", async () => {
  const seen = new Set<string>();
  for (const one of CODES) {
    await speak(one);
    assert.equal(language.value, one);
    assert.equal(document.documentElement.lang, one);
    seen.add(t("your_turn"));
    assert.ok(!/[{}]/.test(t("bag_count", { count: 3 })));
    assert.equal(t("nothing of this name" as "undo"), "nothing of this name");
    assert.ok(joinList(["A", "B", "C"]).startsWith("A, B"));
    assert.match(formatDate(0), /19?70/);
  }
  assert.equal(seen.size, CODES.length);
  assert.equal(formatNumber(1.5), "1,5");
  assert.equal(formatSigned(3), "+3");
  assert.equal(formatSigned(-3), "−3");
  assert.equal(formatSigned(0), "0");
});

test("a colon and a semicolon stand as the language writes them", async () => {
  assert.equal(withColon("Ann", "4"), "Ann: 4");
  assert.equal(withSemicolons(["a", "b"]), "a; b");
  await speak("fr");
  assert.equal(withColon("Ann", "4"), "Ann\u202f: 4");
  assert.equal(withSemicolons(["a", "b"]), "a\u202f; b");
  await speak("en");
});

test("no module writes a colon or a semicolon between texts itself", () => {
  const wrong = SOURCES.filter(({ name }) => name !== "i18n.ts").flatMap(({ name, text }) =>
    [...text.matchAll(/[^\s]\}[:;] (?:[{<]|\$\{)|Dalapapa: /g)].map(({ index }) => {
      const line = text.slice(0, index).split("\n").length;
      return `${name}:${line}`;
    }),
  );
  assert.deepEqual(wrong, []);
});

test("dates are written as the reader writes them", () => {
  assert.equal(localeFor("en", ["fr-CH", "en-GB", "en-US"]), "en-GB");
  assert.equal(localeFor("de", ["en-GB"]), "de", "a language that the browser does not ask for is as usual");
  assert.equal(localeFor("fr", ["FR-be"]), "FR-be");
  const day = (shown: Language, languages: string[]) =>
    new Intl.DateTimeFormat(localeFor(shown, languages), { dateStyle: "medium", timeZone: "UTC" }).format(0);
  assert.equal(day("en", ["en-GB"]), "1 Jan 1970");
  assert.equal(day("en", ["en-US"]), "Jan 1, 1970");
});

/** Every colour, size of type, space, radius, shadow and time is one of the tokens (docs/design.md). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SOURCES } from "./sources.ts";
import { type Declaration, type Rule, SHEETS } from "./styles.ts";

declare const WEB: string;

const tokens = SHEETS.find(({ name }) => name === "style/tokens.css")!;
const others = SHEETS.filter((sheet) => sheet !== tokens);

const SPACES = /^(padding|margin|gap|row-gap|column-gap|inset|top|left|right|bottom|scroll-margin|scroll-padding)(-|$)/;
const TIMES = /^(transition|animation)(-|$)/;
/** Lengths; a share (of the page, the parent, a grid) is none, nor is a number without a unit. */
const LENGTH = /(?<![\w.#-])-?\d*\.?\d+(px|rem|em|ch|pt|mm)\b/g;

/** The colours that have names; `transparent`, `currentColor` and the colours of the system are none of ours. */
const NAMED = /(?<![\w-])(white|black|red|green|blue|yellow|gold|silver|gr[ae]y|orange|purple|pink|brown)(?![\w-])/;
const COLOUR = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/i;

/** SVG is drawn in the units of its picture, which are not pixels: what paints it may have numbers. */
const paints = ({ declarations }: Rule) => declarations.some(({ property }) => /^(fill|stroke)/.test(property));

/** What is written as a number in this declaration and ought not to be. */
function literal(rule: Rule, { property, value }: Declaration): string | undefined {
  // A variable that one rule gives to another is judged where it is used, except for its colours.
  if (COLOUR.test(value) || NAMED.test(value)) return "colour";
  const lengths = (value.match(LENGTH) ?? []).filter((length) => parseFloat(length) !== 0);
  if (property === "font-size" && lengths.length && !paints(rule)) return "size of type";
  if (property === "font" && (lengths.length || /\b[1-9]00\b|\bbold\b/.test(value)) && !paints(rule))
    return "size of type";
  if (property === "font-weight" && /\d|bold/.test(value)) return "weight";
  // One pixel, so that two lines lie one upon the other.
  if (SPACES.test(property) && lengths.some((length) => length !== "-1px")) return "space";
  if (/radius$/.test(property) && lengths.length) return "radius";
  // A ring is a line, as a border is: it has no blur.
  if (
    /shadow$/.test(property)
    && !value.split(/,(?![^(]*\))/).every((one) => /var\(--shadow|^none$/.test(one) || /^\s*(inset )?0 0 0 /.test(one))
  )
    return "shadow";
  if (/filter$/.test(property) && /drop-shadow\((?!var)/.test(value)) return "shadow";
  if (property === "z-index" && /[1-9]/.test(value)) return "order";
  // Evenly is no easing.
  if (
    TIMES.test(property)
    && /(?<![\w.-])\d*\.?[1-9]\d*m?s\b|cubic-bezier|(?<!-)\bease\b(?!\))|ease-(in|out)/.test(value)
  )
    return "time";
  return undefined;
}

/** With `!important`, of `base.css`: reduced motion is none. */
const stops = ({ within }: Rule) => within.some((words) => words.includes("prefers-reduced-motion"));

const found = others.map(({ name, rules }) => ({
  name,
  literals: rules
    .filter((rule) => !stops(rule))
    .flatMap((rule) =>
      rule.declarations.flatMap((declaration) => {
        const what = literal(rule, declaration);
        return what ? [`${what}: ${rule.selector} { ${declaration.property}: ${declaration.value} }`] : [];
      }),
    ),
}));

for (const { name, literals } of found) {
  test(`${name} is made of tokens`, () => {
    assert.deepEqual(literals, []);
  });
}

test("four breakpoints", () => {
  // Upright, on the shortest phones, every line is one that the table does not have: 640 pixels are for them alone.
  // At a table the header has the links of all pages beside its tools only where they fit in German, too: 1200 pixels.
  const exceptions = ["(max-width: 760px) and (max-height: 640px)", "(max-width: 1199px)"];
  const allowed =
    /\((max-width: 1023px|max-width: 760px|min-width: 761px|max-height: 500px|min-height: 501px|min-width: 560px|max-width: 559px)\)/g;
  const rest = others.flatMap(({ name, rules }) =>
    rules
      .map(({ selector }) => selector)
      .filter((selector) => selector.startsWith("@media"))
      .filter((selector) =>
        /\d/.test(exceptions.reduce((left, one) => left.replace(one, ""), selector).replace(allowed, "")),
      )
      .map((selector) => `${name}: ${selector}`),
  );
  assert.deepEqual(rest, []);
});

test("tokens are set in one file", () => {
  const own = new Set(
    tokens.rules
      .flatMap(({ declarations }) => declarations.map(({ property }) => property))
      .filter((name) => name.startsWith("--")),
  );
  const again = others.flatMap(({ name, rules }) =>
    rules.flatMap(({ selector, declarations }) =>
      declarations
        .filter(({ property }) => own.has(property))
        .map(({ property }) => `${name}: ${selector} sets ${property}`),
    ),
  );
  assert.deepEqual(again, []);
});

const names = (text: string, words: RegExp) => new Set([...text.matchAll(words)].map(([, name]) => name!));

test("six steps of type, eight of space", () => {
  const given = [...names(tokens.text, /^ {2}(--[\w-]+):/gm)];
  assert.equal(given.filter((name) => name.startsWith("--type-")).length, 6);
  assert.equal(given.filter((name) => name.startsWith("--space-")).length, 8);
});

test("tokens that are used are there, and those that are there are used", () => {
  const styles = SHEETS.map(({ text }) => text).join("\n");
  const code = SOURCES.map(({ text }) => text).join("\n");
  const set = new Set([...names(styles, /(--[\w-]+):/g), ...names(code, /["'`](--[\w-]+)["'`]/g)]);
  const used = names(styles + code, /var\((--[\w-]+)/g);
  assert.deepEqual(
    [...used].filter((name) => !set.has(name)),
    [],
  );
  const own = names(tokens.text, /(--[\w-]+):/g);
  assert.deepEqual(
    [...own].filter((name) => !used.has(name)),
    [],
  );
});

test("the page about the design has the true values", () => {
  const page = readFileSync(join(WEB, "..", "docs", "design.md"), "utf8");
  const documented = [...page.matchAll(/^\| `(--[\w-]+)` \| (.+?) \|/gm)].map(([, name, value]) => `${name}: ${value}`);
  const own = tokens.rules
    .find(({ selector }) => selector === ":root")!
    .declarations.map(({ property, value }) => `${property}: ${value}`);
  assert.deepEqual(
    documented.filter((line) => !own.includes(line)),
    [],
  );
  assert.deepEqual(
    own.filter(
      (line) =>
        /^--(type|space|radius|quick|move|scene|beat|ease|leave|sway|bounce)/.test(line) && !documented.includes(line),
    ),
    [],
  );
});

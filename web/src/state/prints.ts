/**
 * What is to be printed, and how: as texts, the way they stand in the address and are sent to the server, which
 * knows what is allowed.
 */
import type { PrintName, PrintOption } from "../data.ts";
import raw from "./prints.json"; // Made by scripts/write_web_data.py.

export const PRINT = raw as unknown as PrintOption[];

/** Options by their names, as one would type them. */
export type PrintChoices = Readonly<Record<string, string>>;

/** A page as the server describes it, in millimetres. */
export interface PrintedPage {
  title: string;
  width: number;
  height: number;
}

const [WHAT] = PRINT;
export const PRINTS = WHAT!.choices as PrintName[];

/** Prints that need both sides of the paper. */
const BOTH_SIDES: readonly PrintName[] = ["box", "set", "booklet", "calibration"];
/** Prints that are good at any scale. */
const ANY_SCALE: readonly PrintName[] = ["booklet", "scores", "position", "solution"];

/** Where paper is bought by the inch (CLDR). */
const LETTER = ["BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"];

/** The paper that is usual where the browser says it is; A4 where it does not say. */
export function usualPaper(languages: readonly string[]): "a4" | "letter" {
  const region = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i.exec(languages[0] ?? "")?.[1];
  return region && LETTER.includes(region.toUpperCase()) ? "letter" : "a4";
}

/** The default of an option as one would type it; some prints have their own. */
export function usual(option: PrintOption, what: PrintName): string {
  const value = option.default_of?.[what] ?? option.default;
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** The options that matter for a print, but for what it is. */
export function optionsOf(what: PrintName): PrintOption[] {
  return PRINT.slice(1).filter(({ of }) => !of || of.includes(what));
}

/** What stands in an address, without what makes no sense. */
export function readSearch(search: string): PrintChoices {
  const asked = new URLSearchParams(search);
  const found: Record<string, string> = {};
  for (const option of PRINT) {
    const text = asked.get(option.name);
    if (text === null) continue;
    if (option.kind === "choice" && !option.choices?.some((choice) => String(choice) === text)) continue;
    if (option.kind === "switch" && text !== "true" && text !== "false") continue;
    found[option.name] = text;
  }
  return found;
}

/**
 * Whether an address says everything. Those that this page writes name the paper; others, as from the analysis,
 * leave the rest to what the browser remembers.
 */
export const isComplete = (choices: PrintChoices): boolean => "paper" in choices;

/** All options of a print: those chosen, and the usual ones for the others. */
export function completeRequest(chosen: PrintChoices, paper: string, language: string): PrintChoices {
  const all: Record<string, string> = {};
  const what = (chosen.what ?? WHAT!.default) as PrintName;
  for (const option of PRINT) {
    const normal = option.name === "paper" ? paper : option.name === "language" ? language : usual(option, what);
    all[option.name] = chosen[option.name] ?? normal;
  }
  return all;
}

/**
 * The print as an address says it: what matters for it and is not as usual; paper and language always, for what is
 * usual there depends on the reader.
 */
export function writeSearch(all: PrintChoices): string {
  const what = all.what as PrintName;
  const query = new URLSearchParams({ what });
  for (const option of optionsOf(what)) {
    const value = all[option.name]!;
    if (value !== usual(option, what) || option.name === "paper" || option.name === "language")
      query.set(option.name, value);
  }
  return `?${query}`;
}

export interface Work {
  pages: number;
  sheets: number;
  both: boolean;
  exact: boolean;
}

/** What the printer has to do. */
export function workOf(what: PrintName, pages: number): Work {
  const both = BOTH_SIDES.includes(what) && pages > 1;
  return { pages, sheets: both ? Math.ceil(pages / 2) : pages, both, exact: !ANY_SCALE.includes(what) };
}

/** The two numbers of the offset as they were typed. */
export function readPair(text: string): [string, string] {
  const [right = "", down = ""] = text.split(",");
  return [right.trim(), down.trim()];
}

/** A link to the print of a position. */
export const positionLink = (position: string): string =>
  `/print?${new URLSearchParams({ what: "position", position })}`;

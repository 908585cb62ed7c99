/** The style sheets, rule by rule, for tests that read them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

declare const WEB: string;

export interface Declaration {
  property: string;
  value: string;
}

export interface Rule {
  /** What is around it (`@media ...`), and what it is about. */
  within: string[];
  selector: string;
  declarations: Declaration[];
}

export interface Sheet {
  name: string;
  text: string;
  rules: Rule[];
}

/** Of a style sheet that is written as ours are: one declaration a line, or a rule in one line. */
function rulesOf(text: string): Rule[] {
  const rules: Rule[] = [];
  const open: Rule[] = [];
  for (const [, before, end] of text.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{};]*)([{};])/g)) {
    const words = before!.trim().replace(/\s+/g, " ");
    if (end === "{") {
      const rule = { within: open.map(({ selector }) => selector), selector: words, declarations: [] };
      rules.push(rule);
      open.push(rule);
    } else {
      const [, property, value] = /^([-\w]+): ?([\s\S]*)$/.exec(words) ?? [];
      if (property) open.at(-1)?.declarations.push({ property, value: value! });
      if (end === "}") open.pop();
    }
  }
  return rules;
}

/** Every style sheet of the client, by its path in `src`. */
export const SHEETS: Sheet[] = (readdirSync(join(WEB, "src"), { recursive: true }) as string[])
  .filter((name) => name.endsWith(".css"))
  .map((name) => name.replaceAll("\\", "/"))
  .sort()
  .map((name) => {
    const text = readFileSync(join(WEB, "src", name), "utf8");
    return { name, text, rules: rulesOf(text) };
  });

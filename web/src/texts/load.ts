/** Load the texts of a page from a file of the same build, by name. Tests have their own: test/load.ts. */

import { hrefOf } from "../base.ts";

/** What the names of all files of this build end in (build.mjs). */
declare const BUILD: string;

/** How often a file could not be loaded: some browsers remember that for a whole visit, unless its address differs. */
const failures = new Map<string, number>();

export default async function load(page: string, language: string): Promise<unknown> {
  const file = hrefOf(`/assets/texts-${page}-${language}-${BUILD}.js`);
  const count = failures.get(file) ?? 0;
  try {
    return ((await import(count ? `${file}?${count}` : file)) as { default: unknown }).default;
  } catch (error) {
    failures.set(file, count + 1);
    throw error;
  }
}

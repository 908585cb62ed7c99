/** Texts as tests have them (`texts:load`): all of a language, from the sources. */
import { TEXTS } from "./sources.ts";

export default async function load(_page: string, language: string): Promise<unknown> {
  return Object.fromEntries(TEXTS.map(({ name, languages }) => [name, languages[language]]));
}

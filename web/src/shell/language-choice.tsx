/** The language, switched at once. */
import { LANGUAGES, type Language, language, unavailable } from "../i18n.ts";
import { settings } from "../state/settings.ts";

export function LanguageChoice() {
  void unavailable.value; // A language that cannot be loaded is not the one that is shown.
  return (
    <select value={language.value} onChange={(event) => (settings.language.value = event.currentTarget.value as Language)}>
      {Object.entries(LANGUAGES).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
    </select>
  );
}

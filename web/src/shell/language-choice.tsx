/** The language, switched at once. */
import { LANGUAGES, type Language, language, unavailable } from "../i18n.ts";
import { settings } from "../state/settings.ts";

export function LanguageChoice() {
  void unavailable.value; // Render again when the chosen language cannot be loaded, so that the select shows the other one.
  return (
    <select value={language.value} onChange={(event) => (settings.language.value = event.currentTarget.value as Language)}>
      {Object.entries(LANGUAGES).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
    </select>
  );
}

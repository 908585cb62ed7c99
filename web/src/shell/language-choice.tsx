/** The choice of the language, which changes the page immediately. */
import { LANGUAGES, type Language, language, speakAgain, unavailable } from "../i18n.ts";
import { settings } from "../state/settings.ts";

export function LanguageChoice() {
  return (
    <select
      value={language.value}
      onChange={(event) => {
        const chosen = event.currentTarget.value as Language;
        event.currentTarget.value = language.value; // Until the texts are there.
        if (chosen === unavailable.peek()) void speakAgain();
        settings.language.value = chosen;
      }}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A button that reads a sentence aloud, for children who cannot read yet; only where the browser has a voice. */
import { t } from "../i18n.ts";
import { Icon } from "../ui/icon.tsx";

const canSpeak = (): boolean => "speechSynthesis" in globalThis;

function readAloud(text: string): void {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

/** `say`: what is read; it may also show something. */
export function Listen({ say }: { say(): string }) {
  if (!canSpeak()) return null;
  return (
    <button
      type="button"
      class="tool listen"
      aria-label={t("listen")}
      title={t("listen")}
      onClick={() => readAloud(say())}
    >
      <Icon name="sound" />
    </button>
  );
}

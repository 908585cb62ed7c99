/** What happens, for ears: a live region that everything may speak through. */
import { signal } from "@preact/signals";

const spoken = signal<{ text: string; urgent: boolean }>({ text: "", urgent: false });

/** Say a sentence. The same sentence twice is heard twice. */
export function announce(text: string, urgent = false): void {
  const again = spoken.value.text === text ? `${text}\u00a0` : text;
  spoken.value = { text: again, urgent };
}

export function Announcer() {
  const { text, urgent } = spoken.value;
  return (
    <>
      <div class="hidden" role="status" aria-live="polite" id="announcer">{urgent ? "" : text}</div>
      <div class="hidden" role="alert" aria-live="assertive">{urgent ? text : ""}</div>
    </>
  );
}

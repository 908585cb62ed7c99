/** For times without a server: what is fetched ahead while nobody waits for it, and what is sent once the server is back. */
import { effect } from "@preact/signals";
import { sendFinds } from "../alone/finds.ts";
import { keepWeek } from "../alone/week.ts";
import { OURS } from "../data.ts";
import { speakAgain, unavailable } from "../i18n.ts";
import { about, PAUSES } from "../net/again.ts";
import { away, Refused } from "../net/api.ts";
import { problems } from "../net/problems.ts";
import { today } from "../problems/days.ts";
import { settings } from "../state/settings.ts";

/** Texts and rules in the language that was chosen; what could not be fetched is fetched when the server is back. */
function keepTexts(worker: ServiceWorker): void {
  effect(() => {
    if (away.value) return;
    const language = settings.language.value;
    const paths = OURS.map(({ name }) => `/api/rules/${encodeURIComponent(name)}?language=${language}`);
    (navigator.serviceWorker.controller ?? worker).postMessage({ keep: { language, paths } });
  });
}

/** While the server is away, somebody looks whether it is back; then it hears what happened meanwhile. */
function watch(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = PAUSES.first;
  const lookLater = () => {
    pause = Math.min(PAUSES.longest, 2 * pause);
    clearTimeout(timer);
    timer = setTimeout(look, about(pause));
  };
  const look = () =>
    problems
      .foundBy("turn", today())
      .then(speakAgain)
      .then(
        () => {
          if (unavailable.peek()) lookLater(); // The server answers, but its texts did not come in time.
        },
        (error: unknown) => {
          if (!(error instanceof Refused)) throw error;
          lookLater();
        },
      );
  effect(() => {
    clearTimeout(timer);
    if (away.value || unavailable.value) timer = setTimeout(look, about((pause = PAUSES.first)));
    if (!away.value) void sendFinds();
  });
  addEventListener("online", () => void look());
}

/** Once the page is there. Whoever saves data has nothing fetched ahead. */
export async function keepForLater(): Promise<void> {
  watch();
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
  } catch {
    return;
  }
  const { active } = await navigator.serviceWorker.ready;
  if (connection?.saveData) return;
  keepTexts(active!);
  await keepWeek(new AbortController().signal).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

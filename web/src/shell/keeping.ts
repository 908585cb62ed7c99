/**
 * For times without a server: what is fetched ahead while the player waits for nothing, and what is sent once the
 * server is back.
 */
import { effect } from "@preact/signals";
import { sendFinds } from "../alone/finds.ts";
import { keepWeek } from "../alone/week.ts";
import { hrefOf, isStatic, rulesFile } from "../base.ts";
import { OURS } from "../data.ts";
import { speakAgain, unavailable } from "../i18n.ts";
import { Backoff, retry, sleep } from "../net/retry.ts";
import { Refused } from "../net/backend.ts";
import { isOffline } from "../net/server-backend.ts";
import { problems } from "../net/problems.ts";
import { today } from "../problems/dates.ts";
import { settings } from "../state/settings.ts";
import { remember } from "../state/storage.ts";

/** Texts and rules in the language that was chosen; what could not be fetched is fetched when the server is back. */
function keepTexts(worker: ServiceWorker): void {
  effect(() => {
    if (isOffline.value) return;
    const language = settings.language.value;
    const paths = OURS.map(({ name }) => rulesAddress(name, language));
    (navigator.serviceWorker.controller ?? worker).postMessage({ keep: { language, paths } });
  });
}

const rulesAddress = (game: string, language: string): string =>
  isStatic ? rulesFile(game, language) : `/api/rules/${encodeURIComponent(game)}?language=${language}`;

/** The texts of the page did not come, although the server answers. */
class TextsMissing extends Error {}

/** A request that shows whether the server is back; then it gets what waits for it. */
async function checkServer(): Promise<void> {
  if (!isStatic) await problems.foundBy("turn", today());
  await speakAgain();
  if (unavailable.peek()) throw new TextsMissing();
}

/** While the server is away, it is tried again and again. */
function watchServer(): void {
  let watching = new AbortController();
  const watch = async (isImmediate: boolean) => {
    watching.abort();
    const { signal: stop } = (watching = new AbortController());
    const backoff = new Backoff();
    const isTemporary = (error: unknown) => error instanceof Refused || error instanceof TextsMissing;
    try {
      if (!isImmediate) await sleep(backoff.next(), stop);
      await retry(checkServer, { stop, isTemporary, timeoutMs: Infinity, backoff });
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  };
  effect(() => {
    if (isOffline.value || unavailable.value) void watch(false);
    else watching.abort();
    if (!isStatic && !isOffline.value) void sendFinds();
  });
  addEventListener("online", () => void watch(true));
}

/** Of the tables for one player that older editions kept here: the list of one's own says that they have ended. */
const RETIRED_STORAGE = "here";

/** Fetch what may be needed without a server, once the page is there. Browsers that save data fetch nothing ahead. */
export async function keepForLater(): Promise<void> {
  watchServer();
  remember(RETIRED_STORAGE, null);
  const { connection } = navigator as { connection?: { saveData?: boolean; type?: string } };
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register(hrefOf("/worker.js"));
  } catch {
    return;
  }
  const { active } = await navigator.serviceWorker.ready;
  if (connection?.saveData) return;
  if (active) keepTexts(active);
  if (isStatic) {
    // The engine has 6 MB, and answers the questions of the week at any time.
    if (connection?.type !== "cellular") active?.postMessage({ keepEngine: true });
    return;
  }
  await keepWeek(new AbortController().signal).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
  });
}

/** Calls to a hidden page: a notification where that is wanted, a badge on the app and on the tab. */
import { hrefOf } from "../base.ts";
import { settings } from "../state/settings.ts";

/** Tables that wait for a player whose page is hidden. */
const waiting = new Set<string>();

/** Call the player to a table; one who looks at it needs no call. */
export function callBack(table: string, title: string, body: string): void {
  if (document.visibilityState === "visible") return;
  waiting.add(table);
  badge();
  if (settings.notify.peek() && canNotify() && Notification.permission === "granted") void notify(table, title, body);
}

/** The player looks at the page, or has played. */
export function stopCalling(table: string): void {
  if (!waiting.delete(table)) return;
  badge();
  void worker().then(async (registration) => {
    for (const one of (await registration?.getNotifications({ tag: table })) ?? []) one.close();
  });
}

/** Whether this browser has notifications. */
export const canNotify = (): boolean => "Notification" in globalThis;

/** Ask the browser for permission; only after the player has switched notifications on. */
export async function mayNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

/** On telephones only a worker may notify. */
async function notify(table: string, title: string, body: string): Promise<void> {
  const icon = hrefOf("/icon-192.png");
  const options = { body, tag: table, icon, badge: icon, data: { url: hrefOf(`/t/${table}`) } };
  const registration = await worker();
  if (registration?.active) await registration.showNotification(title, options);
  else {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      shown.close();
    };
  }
}

const worker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker?.getRegistration().catch(() => undefined);

function badge(): void {
  const count = waiting.size;
  // The title of the page says it, too.
  document.getElementById("icon")?.setAttribute("href", hrefOf(count ? "/icon-turn.svg" : "/icon.svg"));
  if ("setAppBadge" in navigator)
    void (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

/** Milliseconds until the page is loaded again after a part of it could not be loaded. */
export const RELOAD_DELAY_MS = 1_000;

/** Milliseconds after which a page that was about to be left has stayed. */
export const LEAVING_MS = 30_000;

/**
 * Load a part of this page; if that fails, load the page again: a newer build may be there, and the old files gone. The
 * promise then stays pending.
 *
 * Firefox also fails to load what a page still waits for when it is left. Loading it again would then cancel the way to
 * the next page, which takes long on a slow line.
 */
export async function loadOrRenew<T>(load: () => Promise<T>, isWanted: () => boolean = () => true): Promise<T> {
  let isLeaving = false;
  const leave = () => (isLeaving = true);
  // Only while something is loading: Firefox does not cache pages that listen to this event.
  addEventListener("beforeunload", leave);
  try {
    return await load();
  } catch {
    if (isWanted()) setTimeout(() => location.reload(), isLeaving ? LEAVING_MS : RELOAD_DELAY_MS);
    return new Promise(() => undefined);
  } finally {
    removeEventListener("beforeunload", leave);
  }
}

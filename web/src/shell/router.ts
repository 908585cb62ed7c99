/** Addresses: `/t/ID` and so on, without loading the page again. */
import { signal } from "@preact/signals";

export const address = signal({ path: location.pathname, hash: location.hash, search: location.search });

function read(): void {
  address.value = { path: location.pathname, hash: location.hash, search: location.search };
}

addEventListener("popstate", read);
addEventListener("hashchange", read);

/** The page that a path asks for, and what it says after that, decoded; null if it is no text at all. */
export function readPath(path: string): { name: string; argument: string } | null {
  const [name = "", ...rest] = path.split("/").slice(1);
  try {
    return { name, argument: decodeURIComponent(rest.join("/")) };
  } catch {
    return null; // A link that was cut in half.
  }
}

/** Go to another page of ours; `replace` leaves no step to go back to. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  read();
  scrollTo(0, 0);
}

/** Links inside the application need no loading; all others are left alone. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (
    link.origin !== location.origin
    || link.target
    || link.hasAttribute("download")
    || link.pathname.startsWith("/api/")
  )
    return;
  if (link.getAttribute("href")!.startsWith("#")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

/** Addresses: `/t/ID` and so on, without loading the page again. */
import { computed, signal } from "@preact/signals";
import { type Address, base, hrefOf } from "../base.ts";

/** Milliseconds without a change until the browser's own address follows: browsers refuse many changes in a row. */
const QUIET_MS = 250;

/** No page has this path. */
const NOWHERE: Address = { path: "//", search: "", hash: "" };

const readLocation = (): Address => base.fromBrowser(location) ?? NOWHERE;

/** The address of what is shown. `location` is the same, or follows in a moment. */
export const address = signal(readLocation());
export const pagePath = computed(() => address.value.path);

let writing: ReturnType<typeof setTimeout> | undefined;
/** The browser's address from which `address` was read or amended. */
let known = location.href;

function read(): void {
  known = location.href;
  clearTimeout(writing);
  writing = undefined;
  address.value = readLocation();
}

/** Give the browser the address that it does not have yet. */
function write(): void {
  if (writing === undefined) return;
  clearTimeout(writing);
  writing = undefined;
  const { path, search, hash } = address.peek();
  history.replaceState(null, "", hrefOf(path + search + hash));
  known = location.href;
}

/** Follow the browser; events that say nothing new do not undo an address that it does not have yet. */
function followBrowser(): void {
  if (writing === undefined || location.href !== known) read();
}

addEventListener("popstate", followBrowser);
addEventListener("hashchange", followBrowser);

/** The page that a path asks for, and what it says after that, decoded; null if it is no text at all. */
export function readPath(path: string): { name: string; argument: string } | null {
  const [name = "", ...rest] = path.split("/").slice(1);
  try {
    return { name, argument: decodeURIComponent(rest.join("/")) };
  } catch {
    return null; // A link that was cut in half.
  }
}

/** Change what the address says of the page that is shown; this leaves no step to go back to. */
export function amend(to: string): void {
  const { pathname, hash, search } = new URL(to, location.href);
  const before = address.peek();
  if (before.path === pathname && before.hash === hash && before.search === search) return;
  address.value = { path: pathname, hash, search };
  clearTimeout(writing);
  writing = setTimeout(write, QUIET_MS);
}

/** Go to another page of ours; `replace` leaves no step to go back to. */
export function go(to: string, { replace = false } = {}): void {
  write();
  if (replace) history.replaceState(null, "", hrefOf(to));
  else history.pushState(null, "", hrefOf(to));
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
    || link.getAttribute("href")?.startsWith("#")
  )
    return;
  const to = base.fromBrowser(link);
  if (!to) return;
  event.preventDefault();
  go(to.path + to.search + to.hash);
}

/** Milliseconds after which a page that is being left is gone. */
const LEFT = 1_000;

/**
 * Load this page anew: a part of it cannot be loaded, because a newer build is there and the old files are gone. Firefox
 * also fails to load what a page still waits for when it is left; such a page must not come back.
 */
export function renew(): void {
  setTimeout(() => location.reload(), LEFT);
}

// Web push, a part of the worker: the server says that it is somebody's turn, and no page may be open.
const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const placeOf = (url) => new URL(url, location.origin);

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  const url = /^\/t\/[\w-]+$/.test(told.url) ? told.url : "/";
  event.waitUntil(
    pages().then((open) => {
      // Whoever looks at the table needs no call.
      if (open.some((page) => page.visibilityState === "visible" && placeOf(page.url).pathname === url)) return undefined;
      return self.registration.showNotification(told.title ?? "Dalapapa", {
        body: told.body ?? "", tag: told.tag ?? url, icon: "/icon-192.png", badge: "/icon-192.png", data: { url },
      });
    }),
  );
});

// Whoever touches the news that it is their turn comes to the table: to its page, or to a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = placeOf(event.notification.data.url);
  event.waitUntil(
    pages().then((open) => open.find((page) => isAt(page, url))?.focus() ?? self.clients.openWindow(url.href)),
  );
});

/** In the static edition, the id of a table is in the query. */
function isAt(page, { pathname, search }) {
  const place = placeOf(page.url);
  return place.pathname === pathname && (!search || place.search === search);
}

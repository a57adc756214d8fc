// Shows alerts, and the notifications of an open board: Chrome on Android shows none without a
// service worker. It answers no requests and keeps no files.
"use strict";

self.addEventListener("install", () => self.skipWaiting());

// A message of the server: a title, which may appear on a locked screen, and the page about it.
self.addEventListener("push", (event) => {
  const { title, tag, language, page } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, {
    tag, lang: language, renotify: true, data: new URL(page, self.location.origin).href,
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

async function showPage(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const path = new URL(address).pathname;
  const open = windows.find(({ url }) => url === address)
    ?? windows.find(({ url }) => new URL(url).pathname === path);
  return open ? open.focus() : self.clients.openWindow(address);
}

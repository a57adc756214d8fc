// Shows the notifications of an open board: Chrome on Android shows none without a service worker.
// It answers no requests and keeps no files.
"use strict";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showBoard(event.notification.data));
});

async function showBoard(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => url === address)
    ?? windows.find(({ url }) => new URL(url).pathname === "/");
  return open ? open.focus() : self.clients.openWindow(address);
}

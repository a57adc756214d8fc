// Keeps the page's files, so that it opens at once and without a network. A new version of the
// server has other files and another script here, and replaces them all together.
"use strict";

const version = "{{version}}";
const cacheName = `shiftguard-${version}`;
const files = [
  "/app", "/app/manifest.webmanifest",
  ..."{{assets}}".split(" ").map((name) => `/app/${version}/${name}`),
];
const rules = "/app/rules.wasm";
const isTexts = (path) => path.startsWith("/app/texts/");

async function fetchAll() {
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  // While the server is replaced, one version may answer for `/app` and the other for the rest.
  const page = await (await cache.match("/app")).text();
  if (!page.includes(`data-version="${version}"`)) {
    await caches.delete(cacheName);
    throw new Error("the page is of another version");
  }
  // A server without the rules for browsers answers 404, and the page works without them.
  await cache.add(rules).catch(() => {});
  // Languages that were used before must be there offline with the new version, too.
  for (const path of await keptTexts()) await cache.add(path).catch(() => {});
}

async function keptTexts() {
  const paths = new Set();
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) {
      const { pathname } = new URL(request.url);
      if (isTexts(pathname)) paths.add(pathname);
    }
  }
  return paths;
}

async function removeOldCaches() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("shiftguard-") && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function answer(request, path) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(path);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && isTexts(path)) await cache.put(path, response.clone());
  return response;
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(fetchAll());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOurs = pathname === "/app" || pathname.startsWith("/app/");
  if (event.request.method === "GET" && origin === self.location.origin && isOurs) {
    event.respondWith(answer(event.request, pathname));
  }
});

// A message of the server: title and text, which may appear on a locked screen, and no position.
self.addEventListener("push", (event) => {
  const { title, body, tag, language } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, {
    body, tag, lang: language, icon: `/app/${version}/icon-512.png`,
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage());
});

async function showPage() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === "/app");
  return open ? open.focus() : self.clients.openWindow("/app");
}

// Keeps the page for offline use, by the service worker.

import { byId } from "./tools.js";

// The registration of the service worker, and whether it has files of a newer version than this
// page.
export let worker = null;
export let isOutdated = false;

export async function keepForOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    let hadOne = Boolean(serviceWorker.controller);
    const changed = new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", () => {
        isOutdated = hadOne;
        hadOne = true;
        resolve();
      });
    });
    worker = await serviceWorker.register("/app/service-worker.js", { scope: "/app" });
    // The texts were loaded, or may be on their way, before the worker could keep them.
    if (!serviceWorker.controller) await changed;
    await fetch(`/app/texts/${byId("language").value}.json`);
  } catch { /* The page works, but not offline. */ }
}

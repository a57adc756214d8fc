// The employee's page: clock actions, permission reports and pings from a browser. All data comes
// from /v1 with the device token, and every text from /app/texts.

import { restartAlerts } from "./alerts.js";
import { isVisible } from "./browser.js";
import { drawWith, render, watchPresses } from "./elements.js";
import { offerCode, takeCodeFromAddress } from "./enrolment.js";
import { sendEvents } from "./events.js";
import { showLocalDecision } from "./guidance.js";
import "./handle.js";
import { keepForOffline } from "./offline.js";
import { subscribe } from "./push.js";
import { countQueue } from "./queue.js";
import { setOffline } from "./requests.js";
import { sendQueue } from "./sending.js";
import { state } from "./state.js";
import { refreshStatus, takeStored } from "./status.js";
import { isForeign, openStorage, stored } from "./storage.js";
import { language, loadSomeTexts, loadTexts } from "./texts.js";
import { byId, second } from "./tools.js";
import { drawPage } from "./views.js";
import { everyMinute, pageHidden, pageShown, startWork } from "./work.js";

async function switchLanguage(wanted) {
  stored.set("language", wanted);
  await loadTexts(wanted).catch(() => { byId("language").value = language; });
  if (state.token) {
    showLocalDecision();
    refreshStatus();
    restartAlerts();
  }
  render();
}

function listen() {
  watchPresses();
  byId("language").addEventListener("change", ({ target }) => switchLanguage(target.value));
  addEventListener("hashchange", () => {
    state.loaded = {};
    const code = takeCodeFromAddress();
    if (code) offerCode(code);
    render();
    byId("main").focus();
  });
  document.addEventListener("visibilitychange", () => {
    if (isVisible()) pageShown();
    else pageHidden();
  });
  // A page that comes back from the cache of the browser was never loaded.
  addEventListener("pageshow", ({ persisted }) => { if (persisted) pageShown(); });
  addEventListener("storage", ({ key }) => {
    if (isForeign()) location.reload();
    else if (key === "shiftguard.me") takeStored();
  });
  addEventListener("online", () => { sendQueue(); sendEvents(); refreshStatus(); });
  addEventListener("offline", () => setOffline(true));
  setInterval(everyMinute, 60 * second);
}

async function start() {
  drawWith(drawPage);
  const code = takeCodeFromAddress();
  listen();
  await Promise.all([loadSomeTexts(), openStorage()]);
  if (!state.texts) return;
  await countQueue();
  if (code) offerCode(code);
  render();
  if (state.token) await startWork();
  await keepForOffline();
  // Only now the employee can be asked about push messages.
  render();
  subscribe().catch(() => {});
}

start();

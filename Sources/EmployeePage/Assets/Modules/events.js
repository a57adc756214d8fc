// What the page reports about itself for `GET /v1/statistics`: what it showed, and what the
// employee did. Events wait in the database until they are sent, apart from the records, which they
// must not delay. Without a database nothing is reported.

import { isOwn } from "./queue.js";
import { request } from "./requests.js";
import { appSession, state } from "./state.js";
import { stored, within } from "./storage.js";
import { inOneTab, instant, second } from "./tools.js";
import { meaning } from "./uploads.js";

// The server takes 1,000 a day and 100 at once.
const eventsMax = 500;
const sizeMax = 100;
// Several events come together, such as the opening and the banner.
const delay = 2 * second;
const pauseAfterRefusal = 60 * second;
let sendTimer = 0;
// In the time of `performance.now`.
let pausedUntil = 0;

export async function noteEvent(kind, fields = {}) {
  if (!state.token || state.isRevoked) return;
  const event = { kind, appSession, recordedAt: instant(Date.now()), ...fields };
  await within("events", "readwrite", (store) => {
    store.count().onsuccess = ({ target }) => {
      if (target.result < eventsMax) store.add({ employee: state.employee, body: event });
    };
  }).catch(() => {});
  clearTimeout(sendTimer);
  sendTimer = setTimeout(sendEvents, delay);
}

// Sends what waits, in one tab at a time. A failure is repeated with the next event or minute.
export function sendEvents() {
  return inOneTab("shiftguard-events", () => sendWaiting().catch(() => {}));
}

async function sendWaiting() {
  while (state.token && !state.isRevoked && performance.now() >= pausedUntil) {
    const items = await within("events", "readonly", (store) => store.getAll(null, sizeMax));
    if (!items.length) return;
    const own = items.filter(isOwn);
    if (own.length && !await sendOwn(own)) return;
    await within("events", "readwrite", (store) => {
      for (const { place } of items) store.delete(place);
    });
  }
}

// False if they must be sent again later.
async function sendOwn(items) {
  const answer = await request("POST", "/v1/me/app-events",
    { sentAt: instant(Date.now()), events: items.map(({ body }) => body) });
  if (["stored", "refused"].includes(meaning(items, answer))) return true;
  pausedUntil = performance.now() + Math.max(pauseAfterRefusal, answer.retryAfter * second);
  return false;
}

// Calls `body` once what was drawn is on the screen, which is never while the page is hidden.
export function onScreen(body) {
  requestAnimationFrame(() => requestAnimationFrame(body));
}

// When the page was opened or came into view, in the time of `performance.now`.
let openedAt = 0;
export const noteOpening = () => { openedAt = performance.now(); };

// From when on the banner is owed; null if it is not.
let owedSince = null;
let isInsufficient = false;

// Compares a decision of the rules in the page with the one before.
export function noteDecision(decision, isOpening) {
  const was = isInsufficient;
  isInsufficient = Boolean(decision) && decision.verdict !== "allow";
  if (!isInsufficient) owedSince = null;
  else if (isOpening) owedSince = openedAt;
  else if (!was) owedSince = performance.now();
  if (isInsufficient && isOpening) noteEvent("permission_insufficient");
}

export function noteIndicator() {
  if (owedSince === null) return;
  const since = owedSince;
  owedSince = null;
  onScreen(() => noteEvent("indicator_shown", { after: Math.round(performance.now() - since) }));
}

// A grant after a denial, in the settings or by another dialog, is a restoration.
export function noteAuthorization(authorization) {
  if (authorization === "denied") {
    stored.set("wasDenied", true);
  } else if (authorization === "when_in_use" && stored.get("wasDenied")) {
    stored.remove("wasDenied");
    noteEvent("restored", { authorization });
  }
}

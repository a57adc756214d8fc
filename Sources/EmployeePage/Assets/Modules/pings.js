// Positions during a shift, while the page is on the screen.

import { isVisible } from "./browser.js";
import { evidence, mayAsk, outcome, requestPosition } from "./evidence.js";
import { addToQueue } from "./queue.js";
import { check } from "./reports.js";
import { request, whenRevoked } from "./requests.js";
import { queuePing } from "./sending.js";
import { isStopped, presentShift, tracks } from "./shift.js";
import { state } from "./state.js";
import { whenStatus } from "./status.js";
import { installation, stored } from "./storage.js";
import { instant, second } from "./tools.js";

let pingTimer = 0;
let wakeLock = null;
let isLocking = false;

// Seconds between two positions, until one counts.
const awaitedEvery = 5;

// A position that was found before the restoration or the start does not show that the shift is
// tracked after it.
function isFixAwaited() {
  const { reason } = state.me?.trackingState || {};
  return outcome?.fix && (reason === "resuming" || reason === "waiting_first_fix");
}

export function planPings() {
  clearTimeout(pingTimer);
  keepScreenOn();
  if (!tracks(presentShift())) return;
  if (!isVisible()) {
    // A shift that begins or goes on while the page is out of view.
    if (!state.isHiddenSaid) stopPings();
    return;
  }
  if (isStopped()) return;
  const usual = state.me?.tracking?.pingInterval || 60;
  const interval = isFixAwaited() ? Math.min(usual, awaitedEvery) : usual;
  const elapsed = Date.now() - (stored.get("pingedAt") || 0);
  // A clock that was set back must not stop the pings.
  const wait = elapsed < 0 ? 0 : Math.max(0, interval * second - elapsed);
  pingTimer = setTimeout(locateAndPing, wait);
}

whenStatus(({ commands }) => {
  if ((commands || []).includes("send_fix_now")) setTimeout(locateAndPing);
  planPings();
});

whenRevoked(planPings);

let isLocating = false;

// A fix, or a sign of life without one; a denial is reported instead.
export async function locateAndPing() {
  if (isLocating || !isVisible() || !tracks(presentShift())) return;
  isLocating = true;
  stored.set("pingedAt", Date.now());
  const before = JSON.stringify(evidence());
  // No dialog comes without its explanation. After a permission for one time, Firefox still says
  // that it would ask.
  const isPrepared = outcome?.authorization === "when_in_use" || !mayAsk();
  const fix = isPrepared ? await requestPosition(20 * second) : null;
  isLocating = false;
  // Out of view that has been said, and anything later would take it back.
  if (!isVisible()) return;
  if (!tracks(presentShift())) return planPings();
  if (JSON.stringify(evidence()) !== before) await check("change");
  await queuePing(fix || { recordedAt: instant(Date.now()) });
  planPings();
}

// Out of view the page cannot record. One ping says so: from the queue if the request is lost.
export function stopPings() {
  clearTimeout(pingTimer);
  if (!state.token || state.isRevoked || !tracks(presentShift())) return;
  state.isHiddenSaid = true;
  const ping = { recordedAt: instant(Date.now()), hidden: true };
  addToQueue({ kind: "ping", body: ping });
  const head = { sentAt: instant(Date.now()), installation: installation() };
  request("POST", "/v1/pings", { ...head, ...ping }, true).catch(() => {});
}

async function keepScreenOn() {
  const isWanted = isVisible() && tracks(presentShift());
  if (!isWanted && wakeLock) {
    wakeLock.release();
    wakeLock = null;
  }
  if (!isWanted || wakeLock || isLocking || !navigator.wakeLock) return;
  isLocking = true;
  try {
    const lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { wakeLock = null; });
    wakeLock = lock;
  } catch { /* Low battery, or not allowed: the text about the screen still holds. */ }
  isLocking = false;
  // The shift may have ended meanwhile.
  if (wakeLock && !tracks(presentShift())) keepScreenOn();
}

// From the start of the page to its end: what is done at the start, each minute, and when the page
// comes into view or leaves it.

import { restartAlerts, stopAlerts } from "./alerts.js";
import { isVisible, isWebKit } from "./browser.js";
import { noteOpening, sendEvents } from "./events.js";
import { forgetOutcome, outcome } from "./evidence.js";
import { showGuidance } from "./guidance.js";
import { isOutdated, worker } from "./offline.js";
import { locateAndPing, stopPings } from "./pings.js";
import { hasUnstored } from "./queue.js";
import { check, watchAgain, watchPermission } from "./reports.js";
import { request } from "./requests.js";
import { dropOldResult } from "./results.js";
import { askAboutReview } from "./review.js";
import { loadRules, rules } from "./rules.js";
import { sendQueue } from "./sending.js";
import { keptActions, presentShift, tracks } from "./shift.js";
import { refreshShift } from "./shifts-view.js";
import { state } from "./state.js";
import { refreshStatus } from "./status.js";
import { isForeign } from "./storage.js";
import { byId, go, route, second } from "./tools.js";

const reportAgainAfter = 240 * second;

export async function startWork() {
  state.loaded = {};
  await Promise.all([loadRules(), watchPermission()]);
  if (state.me?.guidance && !rules) showGuidance(state.me.guidance);
  await check("launch");
  await refreshStatus();
  restartAlerts();
  showUnreadNotice();
  if (tracks(presentShift())) locateAndPing();
}

// Opens an unread privacy notice at the start, and after enrolment.
export async function showUnreadNotice() {
  const { noticesRead } = state;
  try {
    const { status, body } = await request("GET", "/v1/me/privacy-notice");
    // The answer may be older than a confirmation.
    const isOld = noticesRead !== state.noticesRead;
    if (status !== 200 || body.readAt || isOld || route() !== "/") return;
    state.isNoticeDue = true;
    go("/privacy");
  } catch { /* The next start asks again. */ }
}

// Once a minute: the permission is reported again before it counts as out of date.
export function everyMinute() {
  if (!isVisible() || !state.token || state.isRevoked) return;
  // A clock that was set back must not stop the reports.
  if (Math.abs(Date.now() - state.checkedAt) > reportAgainAfter) check("timer");
  // What was done on another phone, such as the end of a break.
  refreshStatus();
  refreshShift();
  dropOldResult();
  if (keptActions().length) askAboutReview().then(sendQueue).catch(() => {});
  if (state.waitingCount) sendQueue();
  sendEvents();
}

export function pageHidden() {
  stopAlerts();
  stopPings();
}

export async function pageShown() {
  // Anything under way would be lost, and a page out of view cannot be in use.
  const isInUse = state.busy || byId("sheet").open || hasUnstored();
  if (isOutdated && !isInUse || isForeign()) return location.reload();
  worker?.update().catch(() => {});
  state.isHiddenSaid = false;
  if (!state.token || state.isRevoked) return;
  noteOpening();
  await watchAgain();
  // It may have been allowed in the settings meanwhile, and WebKit does not say so.
  if (isWebKit && outcome?.authorization === "denied") forgetOutcome();
  restartAlerts();
  await check("foreground");
  if (tracks(presentShift())) locateAndPing();
  else refreshStatus();
}

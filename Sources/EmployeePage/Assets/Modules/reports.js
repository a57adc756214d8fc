// Permission reports.

import { isVisible, isWebKit } from "./browser.js";
import {
  forgetOutcome, newReport, notePermission, outcome, permission, requestPosition,
} from "./evidence.js";
import { noteDecision } from "./events.js";
import { showLocalDecision } from "./guidance.js";
import { addToQueue } from "./queue.js";
import { queuePing, sendQueue } from "./sending.js";
import { presentShift, tracks } from "./shift.js";
import { state } from "./state.js";
import { second } from "./tools.js";

export async function watchPermission() {
  try {
    const status = await navigator.permissions.query({ name: "geolocation" });
    notePermission(status.state);
    status.addEventListener("change", () => permissionChanged(status.state));
  } catch { notePermission("unknown"); }
}

// A change is newer than the last outcome. If no dialog can appear, a request shows what it means.
async function permissionChanged(now) {
  notePermission(now);
  if (isWebKit || !state.token) return;
  forgetOutcome();
  if (now !== "prompt") await requestPosition(10 * second);
  await check("change");
  if (outcome?.fix && tracks(presentShift())) queuePing(outcome.fix);
}

// Browsers may freeze a hidden page and miss a change of permission.
export async function watchAgain() {
  try {
    const { state: now } = await navigator.permissions.query({ name: "geolocation" });
    if (now !== permission) await permissionChanged(now);
  } catch { /* There is no Permissions API. */ }
}

// Reports the present state, and shows at once what it means.
export async function check(trigger) {
  if (!state.token || state.isRevoked || !isVisible() && state.isHiddenSaid) return;
  const report = newReport(trigger);
  state.isUnchanged = false;
  noteDecision(showLocalDecision(report), ["launch", "foreground"].includes(trigger));
  await addToQueue({ kind: "report", body: report });
  await sendQueue();
}

// Sends the queue, in order.

import { render } from "./elements.js";
import { addToQueue, countQueue, isOwn, readQueue, removeFromQueue } from "./queue.js";
import { noteRefusals } from "./refusals.js";
import { request } from "./requests.js";
import { showAnswer } from "./results.js";
import { keepForReview, keptClockIns, noteReview } from "./review.js";
import { state } from "./state.js";
import { applyStatus, refreshStatus } from "./status.js";
import { isForeign, stored } from "./storage.js";
import { inOneTab, instant, second } from "./tools.js";
import { groupMax, meaning, upload } from "./uploads.js";

export const backOffMax = 60 * second;
const backOffMin = 2 * second;
let backOff = backOffMin;
let retryTimer = 0;

// Until then the server wants no request, in the time of `performance.now`, which nobody can move.
let refusedUntil = 0;
let sending = null;

// Clock actions that the page waits for: what to call with the answer, by action id.
export const awaited = new Map();

// Sends everything in order, in one tab at a time.
export function sendQueue() {
  if (!state.token || state.isRevoked) return Promise.resolve();
  sending = (sending || Promise.resolve()).then(() => inOneTab("shiftguard", sendGroups));
  return sending;
}

async function sendGroups() {
  if (performance.now() < refusedUntil) return;
  clearTimeout(retryTimer);
  try {
    for (;;) {
      const items = await readQueue(groupMax.ping);
      if (isForeign()) return location.reload();
      if (await removeForeign(items)) continue;
      if (!items.length || state.isRevoked) return await noteEnd();
      const { kind } = items[0];
      const end = items.findIndex((item) => item.kind !== kind);
      const group = items.slice(0, Math.min(end < 0 ? items.length : end, groupMax[kind]));
      if (!await sendGroup(kind, group)) return;
      backOff = backOffMin;
    }
  } catch {
    retryLater(0);
  }
}

async function removeForeign(items) {
  const foreign = items.filter((item) => !isOwn(item));
  if (foreign.length) await removeFromQueue(foreign);
  state.deletedCount += foreign.length;
  return foreign.length > 0;
}

// Another tab may have sent everything: then only the server knows what came of the clock actions.
async function noteEnd() {
  const hasWaited = state.waiting.length > 0;
  await countQueue();
  if (hasWaited && !state.waiting.length) await refreshStatus();
}

// Sends records of one kind; false if they must be sent again later.
async function sendGroup(kind, group) {
  const { path, body } = upload(kind, group);
  const clockIns = keptClockIns();
  const answer = await request("POST", path, body);
  const outcome = meaning(group, answer);
  if (outcome === "revoked") return false;
  // Once is nothing to tell.
  state.isStuck = outcome === "later" && backOff > backOffMin;
  if (outcome === "later") {
    refusedUntil = performance.now() + retryLater(answer.retryAfter * second);
    render();
    return false;
  }
  if (kind === "ping") {
    const results = outcome === "refused" ? group.map(() => ({ reason: "invalid" }))
      : answer.body.results || [];
    noteRefusals(group, results);
    await keepForReview(group, results, clockIns);
  }
  if (kind === "clock") noteReview(group[0], answer, outcome);
  await removeFromQueue(group);
  if (outcome === "stored" || answer.body.decision) applyStatus(answer.body);
  else if (answer.body.tracking) applyStatus({ tracking: answer.body.tracking });
  if (kind === "clock") {
    const { actionId } = group[0].body;
    if (awaited.has(actionId)) awaited.get(actionId)(answer);
    else showAnswer(group[0], answer);
    await refreshStatus();
  }
  // A position may end a time without tracking, and the answer to pings does not say so.
  if (kind === "ping" && state.me?.trackingState?.state === "not_tracked") await refreshStatus();
  return true;
}

function retryLater(atLeast) {
  clearTimeout(retryTimer);
  const wait = Math.max(atLeast, backOff * (0.5 + Math.random() / 2));
  retryTimer = setTimeout(() => {
    refusedUntil = 0;
    sendQueue();
  }, wait);
  backOff = Math.min(2 * backOff, backOffMax);
  return wait;
}

// A browser may give the same position twice, also to two tabs: then it is only a sign of life.
export async function queuePing(ping) {
  const isRepeated = "latitude" in ping && stored.get("lastFix") === ping.recordedAt;
  if ("latitude" in ping) stored.set("lastFix", ping.recordedAt);
  const body = isRepeated ? { recordedAt: instant(Date.now()) } : ping;
  await addToQueue({ kind: "ping", body });
  await sendQueue();
}

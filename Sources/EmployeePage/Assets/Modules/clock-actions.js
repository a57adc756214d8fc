// Clock actions: what happens between a tap and its result.

import { render } from "./elements.js";
import { evidence, mayAsk, newReport, outcome, requestPosition } from "./evidence.js";
import { noteDecision } from "./events.js";
import { guidanceFor, showLocalDecision } from "./guidance.js";
import { planPings } from "./pings.js";
import { addToQueue, queueMax, readQueue } from "./queue.js";
import { check } from "./reports.js";
import { request } from "./requests.js";
import { showAnswer, showResult } from "./results.js";
import { blocksEveryPage, claim, decide } from "./rules.js";
import { awaited, sendQueue } from "./sending.js";
import { explain } from "./sheets.js";
import { presentShift, waits } from "./shift.js";
import { state } from "./state.js";
import { refreshStatus } from "./status.js";
import { instant, newId, second } from "./tools.js";
import { meaning, upload } from "./uploads.js";

export async function clockAction(path, overrideReason) {
  if (state.busy) return;
  state.busy = path;
  state.result = null;
  render();
  try {
    const isStart = path === "/v1/clock-in" || path === "/v1/take-over";
    if (isStart && !await positionBeforeStart(path)) return;
    if (endsTracking(path) && outcome?.fix) await requestPosition(4 * second);
    await queueClockAction(path, isStart, overrideReason);
  } finally {
    state.busy = null;
    render();
  }
}

// Requests a position, after the explanation where the browser may ask. False when the employee
// postponed it and the shift could not begin without: they are back where they were.
async function positionBeforeStart(path) {
  const asks = mayAsk();
  // A tap may come before the team's rules.
  if (asks && !state.me?.rules && !state.isOffline) await refreshStatus();
  // A permission would not help, so it is not asked for. The manager learns of the attempt.
  if (asks && path === "/v1/clock-in" && blocksEveryPage()) return true;
  if (asks && !await explain()) {
    await check("clock_in");
    const decision = decide({ ...evidence(), recordedAt: instant(Date.now()) });
    return decision ? decision.verdict !== "block" : true;
  }
  await requestPosition(10 * second, asks);
  return true;
}

async function queueClockAction(path, isStart, overrideReason) {
  const report = isStart ? newReport("clock_in") : undefined;
  const hasFix = (isStart || endsTracking(path)) && outcome?.fix && isRecent(outcome.fix);
  const fix = hasFix ? outcome.fix : undefined;
  const local = report
    && showLocalDecision(report, path === "/v1/clock-in" ? { fix } : undefined);
  if (local) noteDecision(local, false);
  const body = {
    actionId: newId(), occurredAt: instant(Date.now()), report, overrideReason,
    localDecision: path === "/v1/clock-in" ? claim(local) : undefined, fix,
  };
  const shift = presentShift();
  const item = {
    kind: "clock", path, body, local, startedAt: shift?.startedAt,
    isConfirmation: path === "/v1/clock-in" && waits(shift),
  };
  // Until the answer: what the rules in the page say.
  if (local) state.result = { path, decision: local, guidance: guidanceFor(local), isLocal: true };
  const answer = await sendAndWait(item);
  if (answer) showAnswer(item, answer);
  else {
    showResult({ path, decision: local, guidance: local && guidanceFor(local), isStored: true });
  }
  planPings();
}

// Positions on a break are nobody's business.
const endsTracking = (path) => path === "/v1/clock-out" && !presentShift()?.onBreakSince;

const isRecent = (fix) => Date.now() - Date.parse(fix.recordedAt) < 60 * second;

// The answer, or null when it takes too long: the clock action is in the queue.
async function sendAndWait(item) {
  const answered = new Promise((resolve) => awaited.set(item.body.actionId, resolve));
  await addToQueue(item);
  const given = sendQueue().then(() => null);
  const late = new Promise((resolve) => setTimeout(() => resolve(null), 10 * second));
  const answer = await Promise.race([answered, given, late]);
  awaited.delete(item.body.actionId);
  return answer || repeatIfSent(item);
}

// The answer to a clock action that another tab has sent: the same one again.
async function repeatIfSent(item) {
  try {
    const items = await readQueue(queueMax);
    if (items.some(({ body }) => body.actionId === item.body.actionId)) return null;
    const { path, body } = upload("clock", [item]);
    const answer = await request("POST", path, body);
    await refreshStatus();
    return ["stored", "refused"].includes(meaning([item], answer)) ? answer : null;
  } catch {
    return null;
  }
}

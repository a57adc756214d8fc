// What came of a clock action.

import { render } from "./elements.js";
import { noteDifference } from "./rules.js";
import { state } from "./state.js";
import { byId, second } from "./tools.js";

export function showAnswer(item, { status, body }) {
  const { path, body: { actionId, localDecision, occurredAt }, startedAt, isConfirmation } = item;
  // Other answers carry the decision about the present, not about this clock-in.
  if (path === "/v1/clock-in" && [201, 409].includes(status)) {
    noteDifference(actionId, localDecision, body);
  }
  const isAside = body.code === "too_many_waiting";
  const isKept = status === 202 || isAside;
  showResult({
    path, actionId, startedAt, occurredAt, isConfirmation, isKept,
    isRefused: status >= 400 && !isAside,
    problem: body.code,
    reason: isAside ? body.code : isKept ? body.reason : undefined, review: body.review,
    decision: body.decision, guidance: body.guidance,
    overriddenBy: status < 400 ? body.shift?.overriddenBy : undefined,
  });
}

export function showResult(result) {
  state.result = { ...result, shownAt: Date.now() };
  render();
  queueMicrotask(() => {
    byId("result")?.focus({ preventScroll: true });
    byId("result")?.scrollIntoView({ block: "nearest" });
  });
}

export const isBlocked = (result) => result?.decision?.verdict === "block" && !result.isKept
  && Boolean(result.isRefused || result.isLocal || result.isStored);

// The place of a clock-in is judged when it is made: nothing that is read later takes that back.
const isAboutPlace = ({ code, severity }) =>
  severity === "block" && ["off_site", "site_unknown", "mock_location"].includes(code);

// A refusal is over as soon as location is allowed: the steps to it would be wrong now.
export function noteUnblocked() {
  const { result } = state;
  if (!state.busy && isBlocked(result) && result.isRefused
    && !result.decision.findings.some(isAboutPlace)) {
    state.result = { path: result.path, isUnblocked: true };
  }
}

// Whether the shift is as a clock action left it. Somebody else may have changed it since.
const isAsLeft = {
  "/v1/clock-in": (shift) => shift,
  "/v1/take-over": (shift) => shift?.device === state.me.device?.number,
  "/v1/break-start": (shift) => shift?.onBreakSince,
  "/v1/break-end": (shift) => shift && !shift.onBreakSince,
  "/v1/clock-out": (shift) => !shift,
};

// What came of a clock action is over when the shift is no longer so, or a blocked clock-in was
// accepted meanwhile.
export function noteShift() {
  const { me: { shift }, result } = state;
  if (state.busy || !result) return;
  const { path, isLocal, isRefused, isKept, isStored, isUnblocked } = result;
  const isOpened = path === "/v1/clock-in" && isBlocked(result)
    && shift?.startedAt && !shift.waitsForConfirmation;
  const isDone = !isLocal && !isRefused && !isKept && !isStored && !isUnblocked;
  if (isOpened || isDone && isAsLeft[path] && !isAsLeft[path](shift)) state.result = null;
}

// What went well is old news after a minute.
export function dropOldResult() {
  const { result } = state;
  if (!result || isBlocked(result)) return;
  const { isRefused, isKept, isStored, isUnblocked, shownAt } = result;
  if (isRefused || isKept || isStored || isUnblocked || Date.now() - shownAt < 60 * second) return;
  state.result = null;
  render();
}

// What came of a clock action.

import { render } from "./elements.js";
import { noteDifference } from "./rules.js";
import { state } from "./state.js";
import { byId } from "./tools.js";

export function showAnswer({ path, body: { actionId, localDecision } }, { status, body }) {
  // Other answers carry the decision about the present, not about this clock-in.
  if (path === "/v1/clock-in" && [201, 409].includes(status)) {
    noteDifference(actionId, localDecision, body);
  }
  const isKept = status === 202;
  showResult({
    path, actionId, isRefused: status >= 400, isKept, problem: body.code,
    reason: isKept ? body.reason : undefined, review: body.review,
    decision: body.decision, guidance: body.guidance,
    overriddenBy: status < 400 ? body.shift?.overriddenBy : undefined,
  });
}

export function showResult(result) {
  state.result = result;
  render();
  queueMicrotask(() => byId("result")?.focus());
}

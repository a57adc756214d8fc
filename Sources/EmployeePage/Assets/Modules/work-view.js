// The view of the present shift, with its buttons, and of what came of the last tap.

import { clockAction } from "./clock-actions.js";
import { button, make, render } from "./elements.js";
import { enrolledNote } from "./enrolment.js";
import { noteEvent, onScreen } from "./events.js";
import { canAskForPush, pushCard } from "./push.js";
import { actions } from "./remedies.js";
import { remedyText } from "./sheets.js";
import { presentShift, tracks } from "./shift.js";
import { state } from "./state.js";
import { clockTime, dayAndTime, findingTitle, text } from "./texts.js";
import { byId } from "./tools.js";

export function workView() {
  const shift = presentShift();
  return [
    make("h1", { class: "hidden" }, text("work")), enrolledNote(), shiftCard(shift), resultCard(),
    !shift && make("p", { class: "aside" }, text("onlyOnScreen")),
    canAskForPush() && pushCard(),
  ];
}

function shiftCard(shift) {
  const isElsewhere = shift && shift.device !== state.me?.device?.number;
  const facts = [
    shift && [text("since"), dayAndTime(shift.startedAt)],
    shift?.onBreakSince && [text("breakSince"), clockTime(shift.onBreakSince)],
    shift && !shift.isWaiting && !state.isOffline && [text("tracking"), trackingWords()],
  ].filter(Boolean);
  return make("section", { class: "card", id: "shift" },
    make("h2", {}, text(!shift ? "offShift" : shift.isKept ? "keptTitle"
      : shift.onBreakSince ? "onBreak" : "onShift")),
    make("dl", {}, facts.map(([name, value]) => make("div", {}, make("dt", {}, name),
      make("dd", {}, value)))),
    shift?.overriddenBy && overrideNote(shift.overriddenBy),
    state.waiting.length > 0 && make("p", { class: "aside" }, text("notSentYet")),
    isElsewhere && make("p", {}, text("elsewhere")),
    tracks(shift) && make("p", { class: "aside" }, text("keepOpen")),
    make("p", { class: "actions" }, shiftButtons(shift, isElsewhere)));
}

function trackingWords() {
  const { state: code, reason } = state.me?.trackingState || {};
  if (!code) return text("unknown");
  const words = text(`state_${code}`);
  return reason ? `${words}: ${findingTitle(reason)}` : words;
}

function shiftButtons(shift, isElsewhere) {
  // A disabled button would lose the focus.
  const act = (key, path, isMain) => button(
    state.busy === path ? "wait" : key, () => clockAction(path),
    { id: key, class: isMain && "main", "aria-disabled": state.busy && "true" });
  if (!shift) return [act("clockIn", "/v1/clock-in", true)];
  // A clock-in that succeeds makes the review unnecessary.
  if (shift.isKept) return [act("clockIn", "/v1/clock-in", true), act("clockOut", "/v1/clock-out")];
  return [
    isElsewhere && act("takeOver", "/v1/take-over", true),
    shift.onBreakSince
      ? act("breakEnd", "/v1/break-end", !isElsewhere) : act("breakStart", "/v1/break-start"),
    act("clockOut", "/v1/clock-out", !isElsewhere && !shift.onBreakSince),
  ].filter(Boolean);
}

const overrideNote = ({ author, by, reason }) => make("p", {},
  text(author === "manager" ? "allowedBy" : "allowedBySelf"), " ",
  author === "manager" ? `${by}: ` : "", reason);

// What came of the last clock action.
function resultCard() {
  const { result } = state;
  if (!result) return null;
  if (result.path === "/v1/clock-in" && result.actionId && !result.isNoted) {
    result.isNoted = true;
    onScreen(() => noteEvent("answer_shown", { actionId: result.actionId }));
  }
  const isBlocked = result.decision?.verdict === "block" && !result.isKept
    && (result.isRefused || result.isLocal || result.isStored);
  const isBad = isBlocked || result.isRefused;
  return make("section", { id: "result", tabindex: "-1", class: isBad ? "card bad" : "card" },
    make("h2", {}, resultTitle(result, isBlocked)),
    result.isStored && make("p", {}, text(isBlocked ? "storedBlocked" : "stored")),
    result.isKept && make("p", {}, text(`kept_${result.reason}`)),
    result.overriddenBy && overrideNote(result.overriddenBy),
    result.isLocal && make("p", { class: "aside" }, text("askingServer")),
    isBlocked && result.guidance?.remedies.filter(({ severity }) => severity === "block")
      .map(remedyText),
    isBlocked && mayOverrideSelf() && selfOverrideForm(),
    make("p", { class: "actions" }, resultButtons(result, isBlocked)));
}

function resultTitle({ path, isRefused, isKept, isStored, isLocal, problem }, isBlocked) {
  if (isBlocked) return text("blocked");
  if (isRefused) return text(`problem_${problem}`) || text("problem_other");
  if (isKept) return text("keptTitle");
  if (isLocal) return text("wait");
  if (isStored) return text("storedTitle");
  const done = { "clock-in": "clockedIn", "clock-out": "clockedOut", "break-start": "breakStarted",
    "break-end": "breakEnded", "take-over": "tookOver" };
  return text(done[path.slice(4)]);
}

function resultButtons({ problem, isLocal, guidance }, isBlocked) {
  const [first] = guidance?.remedies || [];
  return [
    problem === "open_elsewhere"
      && button("takeOver", () => clockAction("/v1/take-over"), { class: "main", id: "take-over" }),
    isBlocked && first && actions[first.action] && make(
      "button", { type: "button", class: "main", id: "result-remedy",
        onclick: () => actions[first.action]() }, state.texts.actions[first.action]),
    !isLocal && button("close", () => { state.result = null; render(); }, { id: "close-result" }),
  ].filter(Boolean);
}

const mayOverrideSelf = () => state.me?.rules?.selfOverride === "with_reason";

function selfOverrideForm() {
  const submit = (event) => {
    event.preventDefault();
    const reason = byId("override-reason").value.trim();
    if (reason) clockAction("/v1/clock-in", reason);
  };
  return make("form", { onsubmit: submit },
    make("label", { for: "override-reason" }, text("overrideReason")),
    make("textarea", { id: "override-reason", rows: 2, maxlength: 500, required: true }),
    make("button", { id: "override" }, text("clockInAnyway")));
}

// The view of the present shift, with its buttons, and of what came of the last tap.

import { clockAction } from "./clock-actions.js";
import { button, make, render, unlessBusy } from "./elements.js";
import { enrolledNote } from "./enrolment.js";
import { noteEvent, onScreen } from "./events.js";
import { outcome } from "./evidence.js";
import { load } from "./loading.js";
import { judgesPlace } from "./place.js";
import { canAskForPush, pushCard } from "./push.js";
import { refusalsCard } from "./refusals.js";
import { actions } from "./remedies.js";
import { isBlocked } from "./results.js";
import { openSheet, remedyText } from "./sheets.js";
import { isInApp, otherTracker, presentShift, tracks, waits } from "./shift.js";
import { shiftsToConfirm } from "./shifts-view.js";
import { state } from "./state.js";
import { clockTime, dayAndTime, duration, findingTitle, span, text } from "./texts.js";
import { byId } from "./tools.js";

export function workView() {
  const shift = presentShift();
  return [
    make("h1", { class: "hidden" }, text("work")), resultCard(shift),
    waits(shift) ? waitingCard(shift) : shiftCard(shift), !shift && shiftsToConfirm(),
    (!shift || waits(shift)) && make("p", { class: "aside" }, text("onlyOnScreen")),
    enrolledNote(), refusalsCard(), canAskForPush() && pushCard(),
  ];
}

// A shift that a manager or a plan has opened: nothing is recorded before the employee confirms it.
function waitingCard(shift) {
  const isPlanned = shift.openedBy === "plan";
  const { by, reason } = load(`shift ${shift.number}`, `/v1/me/shifts/${shift.number}`)
    .body?.opening || {};
  const facts = [
    [text("since"), dayAndTime(shift.startedAt)],
    by && [text("openedBy"), by], reason && [text("reason"), reason],
  ].filter(Boolean);
  return make("section", { class: "card", id: "shift" },
    make("h2", {}, text(isPlanned ? "openedByPlan" : "openedByManager")), factList(facts),
    make("p", {}, text("confirmWhy")),
    make("p", { class: "actions" }, act("confirmShift", "/v1/clock-in", true),
      act("declineShift", "/v1/decline", false, decline)));
}

async function decline() {
  if (state.busy) return;
  const isSure = await openSheet(text("declineShift"), [make("p", {}, text("declineWhy"))],
    [[text("declineShift"), true, true], [text("cancel"), null]]);
  if (isSure) clockAction("/v1/decline");
}

const factList = (facts) => make("dl", {}, facts.map(([name, value]) => make("div", {},
  make("dt", {}, name), make("dd", {}, value))));

function shiftCard(shift) {
  const isElsewhere = shift && shift.device !== state.me?.device?.number;
  // What waits for a review leaves the next clock-in to be allowed.
  const overriddenBy = (shift && !shift.isKept ? shift : state.me)?.overriddenBy;
  const facts = [
    shift && [text("since"), dayAndTime(shift.startedAt)],
    shift?.onBreakSince && [text("breakSince"), clockTime(shift.onBreakSince)],
    shift && !shift.isWaiting && !state.isOffline && !state.isStuck
      && [text("tracking"), trackingWords()],
  ].filter(Boolean);
  return make("section", { class: "card", id: "shift" },
    make("h2", {}, text(!shift ? "offShift" : shift.isKept ? "keptTitle"
      : shift.onBreakSince ? "onBreak" : "onShift")),
    factList(facts),
    tracks(shift) && findsNoPosition() && make("p", { class: "warning" }, text("noPosition")),
    overriddenBy && overrideNote(overriddenBy),
    state.waiting.length > 0 && make("p", { class: "aside" }, text("notSentYet")),
    isElsewhere && make("p", {}, text(otherTracker(shift))),
    tracks(shift) && make("p", { class: "aside" }, text("keepOpen")),
    !shift && judgesPlace() && make("p", { class: "aside" }, text("placeWhy")),
    make("p", { class: "actions" }, shiftButtons(shift, isElsewhere)));
}

function trackingWords() {
  const { state: code, reason } = state.me?.trackingState || {};
  if (!code) return text("unknown");
  return [text(`state_${code}`),
    reason && make("span", { class: "aside" }, ` (${findingTitle(reason)})`)].filter(Boolean);
}

// The page may locate, and the last request found nothing.
const findsNoPosition = () => outcome?.authorization === "when_in_use" && !outcome.fix;

// A button for a clock action.
const act = (key, path, isMain, action = () => clockAction(path)) => button(
  state.busy === path ? "wait" : key, action,
  { id: key, class: isMain && "main", ...unlessBusy() });

function shiftButtons(shift, isElsewhere) {
  if (!shift) return [act("clockIn", "/v1/clock-in", true)];
  // A clock-in that succeeds makes the review unnecessary.
  if (shift.isKept) return [act("clockIn", "/v1/clock-in", true), act("clockOut", "/v1/clock-out")];
  // An app tracks better than a page, which is asked for only if the app does not.
  const isApp = isInApp(shift);
  const isLost = isApp && state.me?.trackingState?.state === "not_tracked";
  const isMain = isApp || !isElsewhere;
  return [
    isElsewhere && !isApp && act("takeOver", "/v1/take-over", true),
    shift.onBreakSince
      ? act("breakEnd", "/v1/break-end", isMain) : act("breakStart", "/v1/break-start"),
    act("clockOut", "/v1/clock-out", isMain && !shift.onBreakSince),
    isLost && act("takeBack", "/v1/take-over"),
  ].filter(Boolean);
}

const overrideNote = ({ author, by, reason }) => make("p", {},
  text(author === "manager" ? "allowedBy" : "allowedBySelf"), " ",
  author === "manager" ? `${by}: ` : "", reason);

// What came of the last clock action.
function resultCard(shift) {
  const { result } = state;
  if (!result) return null;
  if (result.isUnblocked) return shift && !waits(shift) ? null : unblockedCard(shift);
  if (result.path === "/v1/clock-in" && result.actionId && !result.isNoted) {
    result.isNoted = true;
    onScreen(() => noteEvent("answer_shown", { actionId: result.actionId }));
  }
  const isBad = isBlocked(result) || result.isRefused;
  return make("section", { id: "result", tabindex: "-1", class: isBad ? "card bad" : "card" },
    make("h2", {}, resultTitle(result)),
    result.isStored && make("p", {}, text(state.cannotStore ? "unstoredWhy"
      : isBlocked(result) ? "storedBlocked" : "stored")),
    hasEnded(result) && make("p", {}, span(result.startedAt, result.occurredAt), " · ",
      duration(Date.parse(result.occurredAt) - Date.parse(result.startedAt))),
    result.isKept && make("p", {}, text(`kept_${result.reason}`)),
    result.overriddenBy && overrideNote(result.overriddenBy),
    result.isLocal && make("p", { class: "aside" }, text("askingServer")),
    isBlocked(result) && result.guidance?.remedies.filter(({ severity }) => severity === "block")
      .map(remedyText),
    !isBad && result.guidance?.remedies.filter(isOfClockIn)
      .map(({ title, why }) => make("p", { class: "warning" }, `${title}. ${why}`)),
    isBlocked(result) && mayOverrideSelf() && selfOverrideForm(),
    make("p", { class: "actions" }, resultButtons(result)));
}

// What a clock-in was warned of that the banner, which is about the phone, does not say first.
const isOfClockIn = ({ finding, severity }) => severity === "warn"
  && ["mock_location", "site_unknown", "off_site", "not_planned", "too_early"].includes(finding);

const unblockedCard = (shift) => make("section", { id: "result", tabindex: "-1", class: "card" },
  make("h2", {}, text(state.me?.overriddenBy ? "mayClockIn" : "unblocked")),
  make("p", {}, text(waits(shift) ? "confirmWhy" : "nowClockIn")));

// A clock-out that ended a shift. A declined shift was not worked.
const hasEnded = ({ path, isRefused, isKept, startedAt, occurredAt }) =>
  path === "/v1/clock-out" && !isRefused && !isKept && startedAt && occurredAt;

function resultTitle(result) {
  const { path, isRefused, isKept, isStored, isLocal, isConfirmation, problem } = result;
  if (isBlocked(result)) return text("blocked");
  if (isRefused) return text(`problem_${problem}`) || text("problem_other");
  if (isKept) return text("keptTitle");
  if (isLocal) return text("wait");
  if (isStored) return text(state.cannotStore ? "unstoredTitle" : "storedTitle");
  if (isConfirmation) return text("confirmed");
  const done = { "clock-in": "clockedIn", "clock-out": "clockedOut", "break-start": "breakStarted",
    "break-end": "breakEnded", "take-over": "tookOver", decline: "declined" };
  return text(done[path.slice(4)]);
}

function resultButtons(result) {
  const { problem, isLocal, guidance } = result;
  const [first] = guidance?.remedies || [];
  return [
    problem === "open_elsewhere"
      && button("takeOver", () => clockAction("/v1/take-over"),
        { class: "main", id: "take-over", ...unlessBusy() }),
    isBlocked(result) && first && actions[first.action] && make(
      "button", { type: "button", class: "main", id: "result-remedy",
        onclick: () => actions[first.action]() }, state.texts.actions[first.action]),
    hasEnded(result)
      && make("a", { class: "button", href: "#/shifts", id: "to-shifts" }, text("myShifts")),
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
    make("button", { id: "override", ...unlessBusy() }, text("clockInAnyway")));
}

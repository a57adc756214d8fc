// The view of the employee's own shifts.

import { button, make, render, speak } from "./elements.js";
import { load, loadAgain, section, waitNote } from "./loading.js";
import { request } from "./requests.js";
import { openSheet } from "./sheets.js";
import { state } from "./state.js";
import { clockTime, dayAndTime, duration, fieldText, findingTitle, format, language, span, text,
  typedTimes } from "./texts.js";
import { byId, instant, route, second } from "./tools.js";

export function shiftsView() {
  const loading = loadShifts();
  const title = make("h1", {}, text("myShifts"));
  if (!loading.body) return [title, waitNote(loading)];
  const { shifts } = loading.body;
  if (!shifts.length) return [title, make("p", {}, text("noShifts"))];
  return [title, rows(shifts)];
}

// The shifts that wait for the employee's word; nothing while nobody knows of any.
export function shiftsToConfirm() {
  const shifts = loadShifts().body?.shifts.filter(isUnconfirmed);
  return shifts?.length > 0 && rows(shifts);
}

const loadShifts = () => load("shifts", "/v1/me/shifts?limit=50");

const rows = (shifts) => make("ul", { class: "rows" }, shifts.map((shift) => make("li", {},
  make("a", { href: `#/shifts/${shift.number}`, id: `shift-${shift.number}` },
    make("b", {}, format(shift.startedAt, { weekday: "long", day: "numeric", month: "long" })),
    make("span", {}, spanAndLength(shift)),
    isUnconfirmed(shift) && make("strong", { class: "wanted" }, text("toConfirm"))))));

// Added by a manager, and waiting for the employee's word.
const isUnconfirmed = ({ times }) => times?.state === "unconfirmed";

const spanAndLength = ({ startedAt, endedAt }) => span(startedAt, endedAt)
  + (endedAt ? ` · ${duration(Date.parse(endedAt) - Date.parse(startedAt))}` : "");

const placeOf = (number) => [`shift ${number}`, `/v1/me/shifts/${number}`];

// A shift that is open goes on while it is looked at.
export function refreshShift() {
  const [, name, number] = route().split("/");
  if (name === "shifts" && number) {
    loadAgain(...placeOf(Number(number)), ({ endedAt }) => !endedAt);
  }
}

export function shiftView(number) {
  const loading = load(...placeOf(number));
  const back = make("p", { class: "actions" },
    make("a", { class: "button", href: "#/shifts", id: "back" }, text("allShifts")));
  if (!loading.body) return [back, make("h1", {}, text("shift")), waitNote(loading)];
  const shift = loading.body;
  const { coverage } = shift;
  const rate = coverage.trackingRate === undefined ? "–"
    : new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 })
      .format(coverage.trackingRate / 100);
  return [
    back,
    make("h1", {}, format(shift.startedAt, { weekday: "long", day: "numeric", month: "long" })),
    make("p", {}, spanAndLength(shift)), openingNote(shift),
    make("p", {}, make("b", {}, rate), " ", text("ofShiftTracked")),
    coverageBar(coverage), legend(coverage), isEndAsked(shift) && endForm(shift),
    timesCard(shift), section("whatHappened", shift.story.map((entry) => told(entry, shift))
      .filter(Boolean)),
  ];
}

// An entry of the shift's story in words; nothing for what stands above or is not the employee's.
function told(entry, shift) {
  const { at, until, kind } = entry;
  const day = shift.startedAt;
  const time = clockTime(at, day);
  switch (entry.entry) {
    case "opened": return `${time} · ${startWords(entry, shift)}`;
    case "ended": return `${time} · ${endWords(entry)}`
      + (entry.endedOffSite === "yes" ? ` · ${text("offSite")}` : "");
    case "confirmed": return `${time} · ${text("confirmed")}`;
    case "took_over":
      return `${time} · ${text(isThisPhone(entry) ? "thisPhone" : "anotherPhone")}`;
    case "spent": return spentRow(entry, shift);
    case "impaired": return `${span(at, until, day)} · ${findingTitle(kind)}`;
    case "offline": return `${span(at, until, day)} · ${text("phoneOffline")}`;
    case "notified": return notifiedWords(entry, day);
    // Nobody knows when the phone left a site, only when it was last seen there.
    case "visited":
      return `${time} · ${entry.name}, ${text("lastSeen")} ${clockTime(until, at)}`;
    case "away": return `${span(at, until, day)} · ${text("offSite")}`;
    case "noted": return noteWords(shift.notes.find(({ number }) => number === entry.note), day);
    case "corrected":
      return correctionWords(
        shift.corrections.find(({ number }) => number === entry.correction), day);
    default: return null;
  }
}

const startWords = ({ openedBy }, { added }) => text(added ? "addedByManager"
  : { manager: "openedByManager", plan: "openedByPlan" }[openedBy] ?? "clockedIn");

const endWords = ({ endedBy, confirmed }) => text(confirmed ? "endConfirmed"
  : { limit: "endedAtLimit", manager: "endedByManager", declined: "declined" }[endedBy]
    ?? "clockedOut");

const isThisPhone = ({ device }) => device === state.me?.device?.number;

// To employees, gaps are what they can explain.
function spentRow(entry, shift) {
  const { at, until, reason } = entry;
  const time = span(at, until, shift.startedAt);
  const state = entry.atRisk ? "state_at_risk" : "state_tracked";
  if (isTracked(entry)) return `${time} · ${text(state)}`;
  if (reason === "on_break") return `${time} · ${text("onBreak")}`;
  return [
    make("span", {}, `${time} · ${reasonWords(entry)}`),
    button("addNote", () => addNote(shift, at, until ?? shift.coverage.asOf),
      { id: `note-${at}` }),
  ];
}

// What the employee was told about tracking, and whether managers were.
function notifiedWords({ at, topic, kind, attempts }, day) {
  const time = clockTime(at, day);
  const reached = attempts.filter(({ outcome }) => ["accepted", "in_digest"].includes(outcome));
  const [own, managers] = [true, false].map((isOwn) =>
    reached.some(({ step }) => (step !== "managers") === isOwn));
  const isAlarm = ["incident", "unstable"].includes(topic) && kind;
  if (!own && !managers || !isAlarm && topic !== "restored") return null;
  if (!own) return [time, text("managersTold"), kind && findingTitle(kind)]
    .filter(Boolean).join(" · ");
  const isEnd = topic === "restored";
  return [time, isEnd ? text("notifiedEnd") : `${text("notified")}: ${findingTitle(kind)}`,
    managers && text("managersToo")].filter(Boolean).join(" · ");
}

const noteWords = (note, day) => `${span(note.from, note.to, day)} · ${text("note")}: ${note.text}`;

export const correctionWords = (correction, day) => {
  const { before, after, breaksBefore, breaksAfter, reason, by, at } = correction;
  const times = [before, after].map(({ startedAt, endedAt }) => span(startedAt, endedAt, day));
  const breaks = breaksAfter && [breaksBefore, breaksAfter].map((list) =>
    list.map(({ from, to }) => span(from, to, day)).join(", ") || "–");
  return [
    dayAndTime(at), `${text("correctedBy")} ${by}`,
    (times[0] !== times[1] || !breaks) && times.join(" → "),
    breaks && `${text("breaks")}: ${breaks.join(" → ")}`, reason,
  ].filter(Boolean).join(" · ");
};

const isTracked = ({ reason }) => reason === "tracked";

function reasonWords({ reason, likely }) {
  const why = findingTitle(reason);
  return likely ? `${why} (${text("likely")} ${findingTitle(likely)})` : why;
}

// Who opened a shift for the employee, and why.
function openingNote({ openedBy, opening, added }) {
  const by = text(added ? "addedBy" : "openedBy");
  if (opening) return make("p", {}, by, ` ${opening.by}: ${opening.reason}`);
  return openedBy === "plan" && make("p", {}, text("openedByPlan"));
}

const partKind = (segment) => isTracked(segment) ? segment.atRisk ? "risk" : "tracked"
  : segment.reason === "on_break" ? "pause"
    : ["not_asked", "service_unavailable"].includes(segment.reason) ? "other" : "lost";

// What the colours of the bar mean, of those that it has.
function legend({ segments }) {
  const names = { tracked: "state_tracked", risk: "state_at_risk", pause: "onBreak",
    other: "notCounted", lost: "notTracked" };
  const shown = new Set(segments.map(partKind));
  return make("p", { class: "legend aside", "aria-hidden": "true" },
    Object.keys(names).filter((kind) => shown.has(kind))
      .map((kind) => make("span", {}, make("i", { class: kind }), text(names[kind]))));
}

// The picture repeats the list below, so screen readers skip it.
function coverageBar({ segments }) {
  const parts = segments.map((segment) => {
    const part = make("span", { class: partKind(segment) });
    part.style.flexGrow = String(segment.milliseconds);
    return part;
  });
  return make("div", { class: "bar", "aria-hidden": "true" }, parts);
}

// What the employee writes into a sheet; nothing if it is closed.
async function askWords(title, label, ...above) {
  const field = make("textarea", { id: "words", rows: 3, maxlength: 500 });
  const content = [...above, make("label", { for: "words" }, text(label)), field];
  const saves = await openSheet(text(title), content,
    [[text("save"), true, true], [text("cancel"), null]]);
  return saves ? field.value.trim() : "";
}

async function addNote(shift, from, to) {
  const words = await askWords("addNote", "note",
    make("p", {}, span(from, to, shift.startedAt)), make("p", {}, text("noteWho")));
  if (!words) return;
  await change(`/v1/me/shifts/${shift.shift.number}/notes`, { from, to, text: words }, shift);
}

// Sends a change of a shift and shows it again; says so if it failed. A shift that is not as it was
// seen is shown as it is: the same change would be refused each time.
async function change(path, body, shift) {
  let status = 0;
  try {
    ({ status } = await request("POST", path, body));
  } catch { /* Said below. */ }
  const isDone = status >= 200 && status < 300;
  if (isDone || status === 409) delete state.loaded[placeOf(shift.shift.number)[0]];
  const outcome = text(isDone ? "saved" : status === 409 ? "changedMeanwhile" : "notSaved");
  speak(outcome);
  if (!isDone) await openSheet(outcome, [], [[text("close"), null]]);
  render();
}

// The times as they are paid, with buttons to agree with them or to object.
function timesCard(shift) {
  const { times } = shift;
  if (times?.workedMinutes === undefined) return null;
  if (times.state === "in_review") {
    return shift.objection && make("section", { class: "card" },
      make("h2", {}, text("workingTime")), objectionNote(shift, "objectionWaits"));
  }
  const { approval, timesConfirmedAt } = times;
  const path = `/v1/me/shifts/${shift.shift.number}/confirm-times`;
  const agree = () => change(path, { revision: times.revision }, shift);
  return make("section", { class: "card" },
    make("h2", {}, text("workingTime")),
    make("p", {}, make("b", {}, duration(times.workedMinutes * 60 * second)),
      ` ${text("withoutBreaks")}`),
    (times.paidMinutes ?? times.workedMinutes) !== times.workedMinutes && [
      make("p", {}, `${text("paidTime")}: `,
        make("b", {}, duration(times.paidMinutes * 60 * second))),
      make("p", { class: "aside" }, text("paidTimeWhy"))],
    approval && make("p", {}, `${text("timesApproved")} ${approval.by}, ${dayAndTime(approval.at)}`),
    objectionNote(shift, "objectionDecided"),
    timesConfirmedAt
      ? make("p", {}, `${text("timesConfirmed")}, ${dayAndTime(timesConfirmedAt)}`)
      : [button("confirmTimes", agree, { id: "confirm-times" }),
        !approval && button("objectToTimes", () => object(shift), { id: "object-to-times" }),
        make("p", { class: "aside" },
          text(isUnconfirmed(shift) ? "addedWhy" : "confirmTimesWhy"))]);
}

const objectionNote = ({ objection }, outcome) => objection && make("p", {},
  `${text("objected")}, ${dayAndTime(objection.at)}: “${objection.reason}”. ${text(outcome)}`);

async function object(shift) {
  const reason = await askWords("objectToTimes", "objectWhy");
  if (!reason) return;
  await change(`/v1/me/shifts/${shift.shift.number}/object-to-times`,
    { revision: shift.times.revision, reason }, shift);
}

const isEndAsked = ({ endedBy, review, objection }) =>
  endedBy === "limit" && review && !objection;

// A shift that ended at its limit: the employee says when work really ended.
function endForm(shift) {
  // What was typed outlives the next drawing of the page.
  const typed = `end of shift ${shift.shift.number}`;
  const submit = async (event) => {
    event.preventDefault();
    const time = await meantTime(byId("end").value);
    if (!time) return;
    change("/v1/confirm-end", { shift: shift.shift.number, endedAt: instant(time) }, shift);
  };
  return make("form", { class: "card", onsubmit: submit },
    make("label", { for: "end" }, text("whenEnded")),
    make("input", { id: "end", type: "datetime-local", required: true,
      min: fieldText(shift.startedAt), max: fieldText(shift.endedAt),
      value: state.loaded[typed] ?? fieldText(shift.endedAt),
      oninput: ({ target }) => { state.loaded[typed] = target.value; } }),
    make("p", { class: "aside" }, text("whenEndedWhy")),
    make("button", { class: "main", id: "confirm-end" }, text("confirmEnd")));
}

// The time that was typed. Where the clock shows it twice or never, the employee chooses, or goes
// back to the form.
async function meantTime(typed) {
  const { times, neighbours } = typedTimes(typed);
  if (times.length === 1) return times[0];
  const choices = [...times, ...neighbours].map((time) => [dayAndTime(time), time]);
  return openSheet(text(times.length ? "timeTwice" : "timeSkipped"), [],
    [...choices, [text("cancel"), null]]);
}

// Connects the browser to an employee by a code.

import { stopAlerts } from "./alerts.js";
import { describeBrowser } from "./browser.js";
import { button, make, render } from "./elements.js";
import { noteOpening } from "./events.js";
import { acknowledged } from "./guidance.js";
import { subscribe, unsubscribe } from "./push.js";
import { forgetSites } from "./place.js";
import { clearQueue } from "./queue.js";
import { request } from "./requests.js";
import { forgetReviews } from "./review.js";
import { forgetKnown } from "./rules.js";
import { openSheet } from "./sheets.js";
import { actionsSetAside } from "./shift.js";
import { state } from "./state.js";
import { storeOwner, stored } from "./storage.js";
import { text } from "./texts.js";
import { byId, go, second } from "./tools.js";
import { showUnreadNotice, startWork } from "./work.js";

// The code of a link such as /app#7-4KQW-8M2R. It is removed from the address, so that it stays out
// of the history; views begin with a slash, which no code does.
export function takeCodeFromAddress() {
  const fragment = location.hash.slice(1);
  if (!fragment || fragment.startsWith("/")) return "";
  history.replaceState(null, "", "/app");
  try { return decodeURIComponent(fragment); } catch { return fragment; }
}

// A new code on a connected phone: the employee decides whether to connect again.
export function offerCode(code) {
  state.enrolment = { code };
  if (!state.token || state.isRevoked) return;
  openSheet(text("connectAgain"), [make("p", {}, text("connectAgainWhy"))],
    [[text("connectButton"), true, true], [text("cancel"), null]])
    .then((wants) => { state.enrolment = null; if (wants) enrol(code); });
}

async function enrol(code) {
  const enrolment = { code, isBusy: true };
  state.enrolment = enrolment;
  render();
  try {
    const { status, body } = await request(
      "POST", "/v1/enrolments", { code, platform: "web", ...describeBrowser() });
    enrolment.isBusy = false;
    if (status === 201) return await begin(body, code);
    enrolment.error = status === 404 ? "codeUnknown" : status === 429 ? "tooMany" : "serverTrouble";
  } catch {
    enrolment.isBusy = false;
    enrolment.error = "noNetwork";
  }
  render();
}

// The number alone does not name an employee: that of an erased one may be another's now.
const ownerKey = ({ employee, employeeSince }) => `${employee} since ${employeeSince}`;

// Whether this browser is that employee's already. If it knows no more than the number, because it
// was connected by an earlier version, the last report is evidence: it is the employee's if it was
// made after they were added. Both times are the server's. Without evidence the answer is no: the
// employee is told what is deleted, and records sent as another's could not be taken back.
function isOwner(key, { employee, employeeSince }) {
  const known = stored.get("owner") ?? state.employee;
  if (known !== employee) return known === key;
  return Date.parse(state.me?.report?.effectiveAt) >= Date.parse(employeeSince);
}

async function begin(body, code) {
  stopAlerts();
  const unsubscribed = unsubscribe().catch(() => {});
  // Records of another employee must not be sent with this token.
  const owner = ownerKey(body);
  const isOther = !isOwner(owner, body);
  const deletedCount = isOther ? await clearQueue() + actionsSetAside().length : 0;
  if (isOther) acknowledged.clear();
  else await forgetReviews().catch(() => {});
  await storeOwner({ owner, employee: isOther ? owner : state.employee, token: body.token });
  // Browsers short of space delete what they were not asked to keep.
  navigator.storage?.persist?.().catch(() => {});
  for (const name of ["me", "lastEvent", "wasDenied"]) stored.remove(name);
  forgetKnown();
  forgetSites();
  // Of the same employee: another one has none.
  stored.set("kept", actionsSetAside());
  if (isOther) stored.remove("refused");
  Object.assign(state, {
    me: null, isRevoked: false, result: null, alerts: [], deletedCount: 0,
    enrolment: {
      done: code, doneAt: Date.now(), hasReplaced: Boolean(body.replacedDevice), deletedCount,
    },
  });
  noteOpening();
  go("/");
  if (body.privacyNotice) await showUnreadNotice();
  await startWork();
  unsubscribed.then(subscribe).catch(() => {});
}

export function enrolmentView() {
  const enrolment = state.enrolment || {};
  const submit = (event) => {
    event.preventDefault();
    // A pasted link ends with the code.
    const code = byId("code").value.split("#").pop().trim();
    if (code && !enrolment.isBusy) enrol(code);
  };
  return [
    make("h1", {}, text("connect")),
    state.isRevoked && make("p", { role: "alert", class: "alert" }, text("revoked")),
    state.isRevoked && state.waitingCount > 0
      && [make("p", { id: "unsent" }, text("recordsKept"), " ", state.waitingCount),
        make("p", {}, text("recordsKeptWhy"))],
    make("p", {}, text("connectHow")),
    make("form", { onsubmit: submit },
      make("label", { for: "code" }, text("code")),
      make("input", { id: "code", value: enrolment.code || "", autocomplete: "off",
        autocapitalize: "characters", spellcheck: "false", maxlength: 200, required: true,
        oninput: ({ target }) => { state.enrolment = { ...state.enrolment, code: target.value }; },
        "aria-describedby": enrolment.error && "code-error" }),
      enrolment.error
        && make("p", { id: "code-error", class: "error", role: "alert" }, text(enrolment.error)),
      make("button", { class: "main", id: "connect", disabled: enrolment.isBusy },
        text(enrolment.isBusy ? "wait" : "connectButton"))),
  ];
}

// How long a code can be used once more.
const codeWorksAgain = 600 * second;

// After enrolment: a page on the Home Screen does not see what the browser has stored.
export function enrolledNote() {
  const { done, doneAt, hasReplaced, deletedCount } = state.enrolment || {};
  if (!done) return null;
  const worksAgain = Date.now() - doneAt < codeWorksAgain;
  return make("section", { class: "card" },
    make("h2", {}, text("connected")),
    hasReplaced && make("p", {}, text("replaced")),
    deletedCount > 0 && make("p", {}, text("recordsDeleted"), " ", deletedCount),
    worksAgain && make("p", {}, text("homeScreen")),
    worksAgain && make("p", { class: "code" }, done),
    button("close", () => { state.enrolment = null; render(); }, { id: "enrolled" }));
}

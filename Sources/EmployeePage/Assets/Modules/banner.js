// The banner: whether a clock-in would be possible now, and what helps.

import { button, make, render, speak } from "./elements.js";
import { noteIndicator } from "./events.js";
import { acknowledged, showGuidance } from "./guidance.js";
import { actions, checkNow } from "./remedies.js";
import { request } from "./requests.js";
import { isBlocked } from "./results.js";
import { showSteps } from "./sheets.js";
import { isElsewhere, presentShift, waits } from "./shift.js";
import { appSession, state } from "./state.js";
import { applyStatus } from "./status.js";
import { language, sinceWhen, text } from "./texts.js";
import { byId, route } from "./tools.js";

// The language, level and title that were read out last.
let lastSpoken = "";

export function renderBanner() {
  const place = byId("banner");
  const { guidance } = state;
  // What this page may do says nothing about the phone that tracks.
  const shift = presentShift();
  const isOther = !waits(shift) && isElsewhere(shift);
  place.hidden = !guidance?.banner || !state.token || state.isRevoked || isOther;
  if (place.hidden) return;
  const { level, title, body } = guidance.banner;
  const spoken = `${language} ${level} ${title}`;
  // Before the first answer the level is that of the standard rules, which may not be the team's.
  const isKnown = state.me || state.isOffline || state.isStuck;
  if (isKnown && spoken !== lastSpoken) {
    speak(`${text(`level_${level}`)} ${title}`);
    lastSpoken = spoken;
  }
  if (level !== "quiet") noteIndicator();
  const [first] = [...guidance.remedies].sort((one, other) => rank(one) - rank(other));
  // A refusal below the banner says the same, and other views are about something else.
  const isBrief = level === "quiet" || state.isAcknowledged && level !== "required"
    || route() !== "/" || isBlocked(state.result);
  place.className = `banner ${level}`;
  place.setAttribute("aria-label", text("status"));
  const parts = [
    make("h2", {}, make("span", { class: "level" }, text(`level_${level}`)), " ", title),
    !isBrief && make("p", {}, bannerWords(first, body)),
    make("p", { class: "aside" }, text("lastChecked"), " ", sinceWhen(state.checkedAt),
      state.isUnchanged && ` · ${text("unchanged")}`),
    make("p", { class: "actions" }, bannerButtons(guidance.remedies, first, isBrief, level)),
  ];
  place.replaceChildren(...parts.filter((part) => part && part.childNodes.length));
}

// Where a button or a single step is enough, nobody is sent to the steps.
function bannerWords(first, body) {
  if (!first) return body;
  if (actions[first.action]) return first.why;
  return hasSteps(first) ? body : `${first.why} ${first.steps[0]}`;
}

const hasSteps = ({ steps }) => steps.length > 1;

function bannerButtons(remedies, first, isBrief, level) {
  const check = () => button(state.isChecking ? "wait" : "checkNow", checkNow,
    { id: "check", "aria-disabled": state.isChecking && "true" });
  if (!first) return [check()];
  const isSteps = !actions[first.action];
  const hasMore = remedies.some((one) => one.severity === first.severity && hasSteps(one));
  return [
    !isSteps && make("button", { type: "button", id: "remedy", class: isBrief ? "" : "main",
      onclick: () => actions[first.action]() }, state.texts.actions[first.action]),
    hasMore && button("showSteps", () => showSteps(remedies), { id: "steps" }),
    isSteps && hasMore && (!isBrief || level === "required") && check(),
    !isBrief && level === "suggestion" && button("gotIt", acknowledge, { id: "acknowledge" }),
  ].filter(Boolean);
}

const rank = ({ severity }) => ["block", "warn", "advice"].indexOf(severity);

async function acknowledge() {
  const findings = state.guidance.remedies.map(({ finding }) => finding);
  findings.forEach((finding) => acknowledged.add(finding));
  showGuidance(state.guidance);
  (byId("steps") || byId("main")).focus();
  render();
  await request("POST", "/v1/acknowledgements", { appSession, findings })
    .then(({ status, body }) => status === 200 && applyStatus(body)).catch(() => {});
}

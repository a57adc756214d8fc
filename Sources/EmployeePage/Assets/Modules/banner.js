// The banner: whether a clock-in would be possible now, and what helps.

import { button, make, render, speak } from "./elements.js";
import { noteIndicator } from "./events.js";
import { acknowledged, showGuidance } from "./guidance.js";
import { actions, checkNow } from "./remedies.js";
import { request } from "./requests.js";
import { showSteps } from "./sheets.js";
import { appSession, state } from "./state.js";
import { applyStatus } from "./status.js";
import { language, sinceWhen, text } from "./texts.js";
import { byId } from "./tools.js";

// The language and title that were read out last.
let lastSpoken = "";

export function renderBanner() {
  const place = byId("banner");
  const { guidance } = state;
  place.hidden = !guidance?.banner || !state.token || state.isRevoked;
  if (place.hidden) return;
  const { level, title, body } = guidance.banner;
  const spoken = `${language} ${title}`;
  if (spoken !== lastSpoken) speak(`${text(`level_${level}`)} ${title}`);
  lastSpoken = spoken;
  if (level !== "quiet") noteIndicator();
  const isBrief = level === "quiet" || state.isAcknowledged && level !== "required";
  place.className = `banner ${level}`;
  place.setAttribute("aria-label", text("status"));
  const parts = [
    make("h2", {}, make("span", { class: "level" }, text(`level_${level}`)), " ", title),
    !isBrief && make("p", {}, body),
    make("p", { class: "aside" }, text("lastChecked"), " ", sinceWhen(state.checkedAt)),
    make("p", { class: "actions" }, bannerButtons(guidance.remedies, isBrief, level)),
  ];
  place.replaceChildren(...parts.filter(Boolean));
}

function bannerButtons(remedies, isBrief, level) {
  const [first] = [...remedies].sort((one, other) => rank(one) - rank(other));
  if (!first) return [button("checkNow", checkNow, { id: "check" })];
  const isSteps = !actions[first.action];
  return [
    !isSteps && make("button", { type: "button", id: "remedy", class: isBrief ? "" : "main",
      onclick: () => actions[first.action]() }, state.texts.actions[first.action]),
    button("showSteps", () => showSteps(remedies), { id: "steps" }),
    isSteps && !isBrief && button("checkNow", checkNow, { id: "check" }),
    !isBrief && level === "suggestion" && button("gotIt", acknowledge, { id: "acknowledge" }),
  ].filter(Boolean);
}

const rank = ({ severity }) => ["block", "warn", "advice"].indexOf(severity);

async function acknowledge() {
  const findings = state.guidance.remedies.map(({ finding }) => finding);
  findings.forEach((finding) => acknowledged.add(finding));
  showGuidance(state.guidance);
  byId("steps")?.focus();
  render();
  await request("POST", "/v1/acknowledgements", { appSession, findings })
    .then(({ status, body }) => status === 200 && applyStatus(body)).catch(() => {});
}

// What the employee reads about a decision.

import { isInstalled, isWebKit } from "./browser.js";
import { render } from "./elements.js";
import { evidence } from "./evidence.js";
import { noteUnblocked } from "./results.js";
import { distance } from "./place.js";
import { decide } from "./rules.js";
import { closeOldSteps } from "./sheets.js";
import { state } from "./state.js";
import { clockTime } from "./texts.js";
import { instant } from "./tools.js";

// What the server would say about a decision of ours, from the texts of the page.
export function guidanceFor(decision) {
  const { findings, levels, ready, stuck, explanation } = state.texts;
  const { nearest, from } = decision;
  const names = {
    off_site: nearest && `${nearest.name}, ${distance(nearest.meters)}`,
    too_early: from && clockTime(from),
  };
  const needsAlways = (state.me?.rules || state.texts.standard).blocking.includes("when_in_use");
  const remedies = decision.findings.map(({ code, severity }) => {
    const finding = findings.find((one) => one.code === code);
    const isStrict = severity === "block" && needsAlways && finding.always;
    const { title, why, steps, action } = {
      ...finding, ...isInstalled() && finding.installedSteps && { steps: finding.installedSteps },
      ...isStrict && finding.always,
    };
    return {
      finding: code, severity, title, action,
      why: names[code] ? finding.namedWhy.replace("{}", () => names[code]) : why,
      steps: severity === "block" ? [...steps, stuck] : steps, isNotable: finding.isNotable,
    };
  });
  const order = ["block", "warn", "advice"];
  const lead = order.map((one) => remedies.find((remedy) => remedy.severity === one)).find(Boolean);
  if (!lead) return { banner: { level: "quiet", ...ready }, remedies };
  const level = decision.verdict === "block" ? "required"
    : decision.verdict === "warn" ? "suggestion" : lead.isNotable ? "optional" : "quiet";
  const banner = {
    level: level === "optional" ? "suggestion" : level, title: lead.title,
    body: `${lead.why} ${levels[level]}`,
  };
  return { banner, remedies, explanation };
}

export function showLocalDecision(
  report = { ...evidence(), recordedAt: instant(Date.now()) }, clockIn) {
  const decision = decide(report, clockIn);
  state.checkedAt = Date.parse(report.recordedAt);
  if (decision) showGuidance(guidanceFor(decision));
  render();
  return decision;
}

// Until the page is opened again; anything new shows the whole banner.
export const acknowledged = new Set();

export function showGuidance(given) {
  const guidance = beforeFirstRequest(given);
  state.guidance = guidance;
  closeOldSteps(guidance.remedies);
  if (!guidance.remedies.some(({ severity }) => severity === "block")) noteUnblocked();
  state.isAcknowledged = guidance.remedies.every(({ finding }) => acknowledged.has(finding));
}

// WebKit does not say what was chosen until a position is requested: what helps is that request, as
// for a permission that nobody has decided on. A denial from before may be over.
function beforeFirstRequest(guidance) {
  if (!isWebKit || evidence().authorization !== "unknown") return guidance;
  const unread = guidance.remedies.find(
    ({ finding }) => ["unreadable", "denied"].includes(finding));
  if (!unread) return guidance;
  const { severity } = unread;
  const verdict = severity === "advice" ? "allow" : severity;
  return guidanceFor({ verdict, findings: [{ code: "not_determined", severity }] });
}

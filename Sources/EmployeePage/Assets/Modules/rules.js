// The rules of the server, compiled to WebAssembly: they decide at once and offline, until the
// server has decided.

import { heldSites, judge, judgesPlace } from "./place.js";
import { request } from "./requests.js";
import { state } from "./state.js";
import { stored } from "./storage.js";
import { second, version } from "./tools.js";

export let rules = null;

export async function loadRules() {
  try {
    const response = await fetch("/app/rules.wasm");
    if (!response.ok) return;
    rules = (await WebAssembly.instantiate(await response.arrayBuffer(), {})).instance.exports;
  } catch { /* Without them the server decides. */ }
}

export const codes = {
  authorization: ["unknown", "not_determined", "restricted", "denied", "when_in_use", "always"],
  grantPath: ["unknown", "prompt", "settings", "administrator"],
  accuracy: ["unknown", "full", "reduced"],
  services: ["unknown", "off", "on"],
};

// By dimension, the value that a report said last, and when. Without storage it is the page's own.
let known = {};
const lastKnown = () => stored.get("known") || known;
const dimensions = ["authorization", "accuracy", "services"];

export function learn(report) {
  known = { ...lastKnown() };
  for (const name of dimensions) {
    if (report[name] !== "unknown") {
      known[name] = { value: report[name], at: Date.parse(report.recordedAt) };
    }
  }
  stored.set("known", known);
}

export function forgetKnown() {
  known = {};
  stored.remove("known");
}

// The report with what it leaves unknown as reported shortly before, as on the server.
function completed(report, freshFor) {
  const fresh = Object.entries(lastKnown()).filter(([name, { at }]) => {
    const age = Date.now() - at;
    return report[name] === "unknown" && age >= 0 && age <= freshFor;
  });
  return { ...report, ...Object.fromEntries(fresh.map(([name, { value }]) => [name, value])) };
}

// The report in the bits that `Packing.swift` defines: a report (1) of a web page (3).
function phoneWord(report, skew) {
  const code = (name) => Math.max(0, codes[name].indexOf(report[name]));
  const fields = code("authorization") | code("grantPath") << 4 | code("accuracy") << 8
    | code("services") << 10 | 3 << 24 | 1 << 28 | (skew === undefined ? 0 : 1 << 30);
  return fields >>> 0;
}

function bits(findings) {
  return state.texts.findings.filter((finding) => findings.includes(finding.code))
    .reduce((set, finding) => set | 1 << finding.bit, 0);
}

// The decision of the rules in the page, in the shape of the server's, with what else its texts
// name; null without the rules. `clockIn` has the position of a clock-in.
export function decide(report, clockIn) {
  if (!rules || !state.texts) return null;
  const policy = state.me?.rules || state.texts.standard;
  const skew = state.me?.clock?.skewMs;
  const freshFor = policy.freshFor * second;
  const { found, nearest, from } = judge(rules, clockIn, Date.now() + (skew || 0));
  const word = rules.shiftguard_decide(
    phoneWord(completed(report, freshFor), skew), BigInt(Date.parse(report.recordedAt)),
    BigInt(Date.now()), BigInt(skew || 0), BigInt(freshFor), bits(policy.blocking),
    bits(policy.warning), bits(policy.ignored || []), found);
  const severities = [null, "advice", "warn", "block"];
  const severity = ({ bit }) => severities[Number(word >> BigInt(2 * bit) & 3n)];
  return {
    verdict: ["allow", "warn", "block"][Number(word >> 60n & 3n)],
    findings: state.texts.findings.filter(severity)
      .map((finding) => ({ code: finding.code, severity: severity(finding) })),
    nearest, from,
  };
}

// The decision as the server keeps it with a clock-in; undefined if it was made under the standard
// table because the team's policy was not known.
export function claim(local) {
  const policyVersion = state.me?.rules?.policyVersion;
  const sitesVersion = judgesPlace() ? heldSites().version : undefined;
  return local && policyVersion
    ? { findings: local.findings, policyVersion, sitesVersion } : undefined;
}

// Whether no page may clock in, whatever it is allowed: the team's rules want more than a page can
// have, and nobody allows it in spite of that.
export function blocksEveryPage() {
  const { rules: policy, overriddenBy } = state.me || {};
  return Boolean(policy?.blocking.includes("when_in_use")) && !overriddenBy
    && policy.selfOverride !== "with_reason";
}

// Reports that the server decided otherwise under the same policy, which should never happen. A
// plan may have changed since, or begin in the seconds between, and sites have versions.
export function noteDifference(actionId, local, { decision: server, tracking, sitesVersion }) {
  const isSamePlace = local?.sitesVersion === sitesVersion;
  const depends = ["not_planned", "too_early", ...isSamePlace ? [] : ["off_site", "site_unknown"]];
  const words = ({ findings }) => findings.filter(({ code }) => !depends.includes(code))
    .map(({ code, severity }) => `${code} ${severity}`).join();
  if (!local || !server || server.overridden || words(local) === words(server)) return;
  if (tracking && tracking.policyVersion !== local.policyVersion) return;
  const findings = server.findings.map(({ code, severity }) => ({ code, severity }));
  request("POST", "/v1/me/rule-differences",
    { actionId, rulesVersion: version, local, server: { findings } }).catch(() => {});
}

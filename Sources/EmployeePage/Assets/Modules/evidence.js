// What shows whether the page may locate: the last position request, and the Permissions API.

import { describeBrowser, isWebKit } from "./browser.js";
import { noteAuthorization, noteEvent } from "./events.js";
import { learn } from "./rules.js";
import { nextSequence, stored } from "./storage.js";
import { instant, second, version } from "./tools.js";

// Browsers round an approximate location to kilometres.
const approximateFrom = 1000;

// What the last position request of this page load showed: it outranks the Permissions API.
export let outcome = null;

// What the Permissions API says: granted, prompt, denied or unknown.
export let permission = "unknown";

export const notePermission = (now) => { permission = now; };
export const forgetOutcome = () => { outcome = null; };

export function evidence() {
  if (outcome) {
    const { authorization, grantPath, accuracy, services } = outcome;
    return { authorization, grantPath, accuracy, services };
  }
  const unknown = { grantPath: "unknown", accuracy: "unknown", services: "unknown" };
  if (permission === "granted") return { ...unknown, authorization: "when_in_use" };
  if (permission === "denied") {
    return { ...unknown, authorization: "denied", grantPath: isWebKit ? "unknown" : "settings" };
  }
  if (permission === "prompt" && !isWebKit) {
    return { ...unknown, authorization: "not_determined", grantPath: "prompt" };
  }
  return { ...unknown, authorization: "unknown" };
}

// Resolves with a fix or without one; never fails.
// `asks`: the employee was prepared for a dialog of the browser.
export function requestPosition(timeout, asks = false) {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(null);
    const answer = (fix) => {
      if (asks) noteEvent("dialog_answered", { authorization: outcome.authorization });
      resolve(fix);
    };
    // The time that a dialog waits for an answer does not count, and some are never answered.
    setTimeout(() => resolve(null), timeout + 60 * second);
    navigator.geolocation.getCurrentPosition(
      (position) => answer(noteFix(position)), (error) => answer(noteError(error)),
      { enableHighAccuracy: true, maximumAge: 0, timeout });
  });
}

function noteFix({ coords, timestamp }) {
  const isPlausible = Math.abs(Date.now() - timestamp) < 60 * second;
  const fix = {
    recordedAt: instant(isPlausible ? timestamp : Date.now()),
    latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy,
  };
  for (const name of ["speed", "heading", "altitude"]) {
    if (Number.isFinite(coords[name])) fix[name] = coords[name];
  }
  outcome = {
    authorization: "when_in_use", grantPath: "unknown", services: "on", fix,
    accuracy: coords.accuracy >= approximateFrom ? "reduced" : "full",
  };
  stored.set("hasExplained", true);
  return fix;
}

// Code 1 is a denial. Codes 2 and 3 mean that the page may locate and found no position.
function noteError({ code }) {
  const isDenied = code === 1;
  const paths = { denied: "settings", prompt: "prompt" };
  outcome = {
    authorization: isDenied ? "denied" : "when_in_use",
    grantPath: isDenied && !isWebKit ? paths[permission] || "unknown" : "unknown",
    accuracy: "unknown", services: "unknown", fix: null,
  };
  return null;
}

// Whether the browser may show its dialog at the next request.
export function mayAsk() {
  if (isWebKit) return !stored.get("hasExplained") || outcome?.authorization === "denied";
  return permission === "prompt";
}

export function newReport(trigger) {
  noteAuthorization(evidence().authorization);
  const report = {
    sequence: nextSequence(), recordedAt: instant(Date.now()), trigger, ...evidence(),
    app: `Page ${version}`, ...describeBrowser(),
  };
  learn(report);
  return report;
}

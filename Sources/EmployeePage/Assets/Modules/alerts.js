// Notifications of the server, while the page is on the screen.

import { isVisible } from "./browser.js";
import { clockAction } from "./clock-actions.js";
import { button, list, make, render, speak, unlessBusy } from "./elements.js";
import { isRevocation, noteRevoked, readBody, request } from "./requests.js";
import { backOffMax } from "./sending.js";
import { isElsewhere, isInApp, otherTracker, presentShift, waits } from "./shift.js";
import { correctionWords } from "./shifts-view.js";
import { appSession, state } from "./state.js";
import { applyStatus, refreshStatus, whenStatus } from "./status.js";
import { isForeign, stored } from "./storage.js";
import { language, text } from "./texts.js";
import { byId, route, second } from "./tools.js";

const alertsMax = 5;
// So long after the last time that location went off and on, it is no longer unstable.
const unstableFor = 600 * second;
// The end of an interruption is news for so long.
const restoredFor = 60 * second;
// An override serves no longer.
const allowedFor = 12 * 3600 * second;
const steadyAfter = 30 * second;
const eventSilenceMax = 45 * second;
let alertsAbort = null;

export function restartAlerts() {
  stopAlerts();
  if (!state.token || state.isRevoked || !isVisible()) return;
  alertsAbort = new AbortController();
  readAlerts(alertsAbort.signal);
}

export function stopAlerts() {
  alertsAbort?.abort();
  alertsAbort = null;
}

async function readAlerts(signal) {
  let pause = 2 * second;
  while (!signal.aborted && !state.isRevoked) {
    const begin = performance.now();
    try {
      await readStream(signal);
    } catch { /* Connected again after a pause. */ }
    // Two windows end each other's streams at once, which must not go on at that pace.
    if (performance.now() - begin > steadyAfter) pause = 2 * second;
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    pause = Math.min(2 * pause, backOffMax);
  }
}

// Reads one stream to its end. EventSource cannot send the token.
async function readStream(signal) {
  const { token } = state;
  const headers = { Authorization: `Bearer ${token}`, "Accept-Language": language };
  const last = stored.get("lastEvent");
  if (last) headers["Last-Event-ID"] = last;
  const response = await fetch(`/v1/me/events?appSession=${appSession}`, {
    headers, signal, cache: "no-store", credentials: "omit",
  });
  if (!response.ok) {
    const { status } = response;
    const isRefused = isRevocation({ status, body: await readBody(response) });
    if (isRefused && token === state.token) noteRevoked();
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    // A stream that was stopped meanwhile cannot be cancelled again.
    const silence = setTimeout(() => reader.cancel().catch(() => {}), eventSilenceMax);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done || isForeign()) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    blocks.forEach(readEvent);
  }
}

async function readEvent(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) || [];
    if (name) fields[name] = value;
  }
  // Also where the stream begins.
  if (fields.id) stored.set("lastEvent", fields.id);
  // Another phone, tab or manager may have changed what this page shows.
  if (fields.event === "state") refreshStatus();
  if (fields.event !== "notification") return;
  const alert = { ...JSON.parse(fields.data), shownAt: Date.now() };
  if (alert.topic === "shift_corrected") alert.change = await newestCorrection(alert.subject.shift);
  state.alerts = [alert, ...state.alerts.filter((other) => !replaces(alert, other))]
    .slice(0, alertsMax);
  if (alert.topic === "shift_opened") {
    spokenRequest = alert.title;
    speak(spokenRequest);
  } else render();
  refreshStatus();
}

// Both times and the reason; nothing if they cannot be read now: they stand in the shift too.
async function newestCorrection(number) {
  try {
    const { startedAt, corrections } = (await request("GET", `/v1/me/shifts/${number}`)).body;
    return correctionWords(corrections.at(-1), startedAt);
  } catch { return null; }
}

// A newer notification about the same thing takes the place of the older one, and after an
// interruption it is not the time to say that the one before has ended.
const replaces = (alert, other) => alert.notification === other.notification
  || JSON.stringify(alert.subject) === JSON.stringify(other.subject)
  || alert.topic === "clock_in_allowed" && other.topic === alert.topic
  || alert.topic === "incident" && other.topic === "restored";

// What must be true now for an alert to stay. Others say what was done to a shift.
const holds = {
  incident: isLeft,
  unstable: ({ shownAt }) => state.me.shift && Date.now() - shownAt < unstableFor,
  restored: (alert) => isLeft(alert) && Date.now() - alert.shownAt < restoredFor,
  clock_out_reminder: ({ subject }) => subject.shift === state.me.shift?.number,
  long_break: () => state.me.shift?.onBreakSince,
  app_took_over: () => isInApp(presentShift()),
  away: () => state.me.shift?.awaySince,
  arrival_blocked: () => !state.me.shift,
  clock_in_allowed: isAllowed,
};

// An answer that is older than the permission does not take it back.
function isAllowed(alert) {
  const { overriddenBy, shift } = state.me;
  const isWithdrawn = alert.isInForce && !overriddenBy;
  alert.isInForce ||= Boolean(overriddenBy);
  const isOld = Date.now() - alert.shownAt >= allowedFor;
  return !isWithdrawn && !isOld && (!shift || waits(presentShift()));
}

// By the kind: what is left of an interruption that has ended comes under its number.
function isLeft({ kind }) {
  const { shift, incidents } = state.me;
  return shift && (!kind || incidents?.some((incident) => incident.kind === kind));
}

// The request to confirm a shift that was read out last.
let spokenRequest = "";

whenStatus(({ decision }) => {
  // Only such an answer names the shift and its incidents; that of a ping may be older.
  if (!decision) return;
  state.alerts = state.alerts.filter((alert) => !holds[alert.topic] || holds[alert.topic](alert));
  if (!spokenRequest || waits(presentShift())) return;
  if (byId("spoken").textContent === spokenRequest) speak("");
  spokenRequest = "";
});

// What is drawn already: drawn again, it would be read out again.
let lastDrawn = "";

export function renderAlerts() {
  const alerts = state.alerts.filter(isDue);
  const takeBack = byId("take-back");
  if (takeBack) takeBack.ariaDisabled = state.busy ? "true" : null;
  const isOther = isElsewhere(presentShift());
  const drawn = [language, isOther, ...alerts.map(({ notification }) => notification)].join();
  if (drawn === lastDrawn) return;
  lastDrawn = drawn;
  byId("alerts").replaceChildren(...alerts.map((alert) => make(
    "section", { role: "alert", class: alert.urgent ? "alert urgent" : "alert" },
    make("h2", {}, alert.title), make("p", {}, alert.body),
    alert.change && make("p", {}, alert.change),
    // The steps are for the phone that tracks.
    isOther && alert.topic === "incident" ? make("p", {}, text(otherTracker(presentShift())))
      : alert.steps.length > 0 && list("ol", alert.steps),
    make("p", { class: "actions" },
      alert.subject.shift && !holds[alert.topic] && !alert.isRequest
        && make("a", { class: "button", href: `#/shifts/${alert.subject.shift}` },
          text("openShift")),
      alert.isRequest && make("a", { class: "button", href: "#/" }, text("openShift")),
      alert.action === "take_over"
        && button("takeBack", () => clockAction("/v1/take-over"),
          { class: "main", id: "take-back", ...unlessBusy() }),
      button("dismiss", () => dismissAlert(alert), { id: `alert-${alert.notification}` })))));
}

// That a shift waits to be confirmed is said by the card of the shift, where that is on the screen.
function isDue(alert) {
  const isWaiting = waits(presentShift());
  if (alert.topic === "shift_opened" && isWaiting) alert.isRequest = true;
  return !alert.isRequest || isWaiting && route() !== "/";
}

function dismissAlert(alert) {
  state.alerts = state.alerts.filter((other) => other !== alert);
  render();
  byId("main").focus();
  const isFinding = state.texts.findings.some(({ code }) => code === alert.kind);
  if (!isFinding || alert.topic !== "incident") return;
  request("POST", "/v1/acknowledgements", { appSession, findings: [alert.kind] })
    .then(({ status, body }) => status === 200 && applyStatus(body)).catch(() => {});
}

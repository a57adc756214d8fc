// The employee's page: clock actions, permission reports and pings from a browser. All data comes
// from /v1 with the device token, and every text from /app/texts. The rules are those of the server,
// compiled to WebAssembly: they decide at once and offline, until the server has decided.
"use strict";

// ---- Tools -------------------------------------------------------------------------------------

const version = document.documentElement.dataset.version;
const byId = (id) => document.getElementById(id);
const instant = (milliseconds) => new Date(milliseconds).toISOString();
const second = 1000;

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What outlives the page and is small. Another tab or a full disk must not stop the page. Browsers
// write `localStorage` to the disk some seconds later, and those that kill pages may lose it: what the
// employee cannot do without is also in the database, which decides at the next start.
const durable = ["token", "employee", "installation", "kept"];
const stored = {
  get(name) {
    try { return JSON.parse(localStorage.getItem(`shiftguard.${name}`)); } catch { return null; }
  },
  set(name, value) {
    try {
      localStorage.setItem(`shiftguard.${name}`, JSON.stringify(value));
    } catch {
      state.cannotStore = true;
    }
    keepSetting(name, value);
  },
  remove(name) {
    try { localStorage.removeItem(`shiftguard.${name}`); } catch { /* It was never stored. */ }
    keepSetting(name, null);
  },
};

function keepSetting(name, value) {
  if (!durable.includes(name)) return;
  within("settings", "readwrite", (store) => store.put({ name, value })).catch(() => {});
}

async function restoreSettings() {
  const settings = await within("settings", "readonly", (store) => store.getAll());
  for (const { name, value } of settings) {
    try {
      localStorage.setItem(`shiftguard.${name}`, JSON.stringify(value));
    } catch { state.cannotStore = true; }
  }
  state.token = stored.get("token");
}

// An element; attributes that begin with `on` are listeners, and `false` or `undefined` is left out.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value || value === "" || value === 0) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

function button(key, action, attributes = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, text(key));
}

const list = (tag, items, attributes) =>
  make(tag, attributes, items.map((item) => make("li", {}, item)));

// ---- State -------------------------------------------------------------------------------------

const appSession = newId();
const state = {
  texts: null,
  token: stored.get("token"),
  // The server's last status; without a network the stored one.
  me: stored.get("me"),
  // The guidance on show: that of the rules in the page until the server has answered.
  guidance: null,
  checkedAt: 0,
  isAcknowledged: false,
  // Clock actions in the queue, in order, and the number of all its records.
  waiting: [],
  waitingCount: 0,
  isFull: false,
  isOffline: false,
  isRevoked: false,
  cannotStore: false,
  // The clock action under way, and what came of the last one.
  busy: null,
  result: null,
  alerts: [],
  // The contents of the view: loaded lists and what is wrong with them.
  loaded: {},
  enrolment: null,
};

function installation() {
  if (!stored.get("installation")) stored.set("installation", newId());
  return stored.get("installation");
}

// Not below the time: a browser that was killed may have lost the last number, and the server takes
// a report with a number that it has seen for a repetition.
function nextSequence() {
  const next = Math.max((stored.get("sequence") || 0) + 1, Date.now());
  stored.set("sequence", next);
  return next;
}

// ---- Language ----------------------------------------------------------------------------------

const languages = ["en", "de", "fr", "pl"];
let language = "en";

const text = (key) => state.texts?.page[key] ?? "";

function preferredLanguage() {
  const wanted = [stored.get("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((code) => languages.includes(code)) || "en";
}

async function loadTexts(wanted) {
  const response = await fetch(`/app/texts/${wanted}.json`);
  if (!response.ok) throw new Error(`texts: ${response.status}`);
  state.texts = await response.json();
  language = wanted;
  lastAlerts = null;
  lastTitle = "";
  document.documentElement.lang = wanted;
  byId("language").value = wanted;
  byId("language-label").textContent = text("language");
}

// Offline, any language is better than none.
async function loadSomeTexts() {
  for (const wanted of [preferredLanguage(), ...languages]) {
    try { return await loadTexts(wanted); } catch { /* The next one may be kept. */ }
  }
  byId("main").textContent =
    "No connection · Keine Verbindung · Pas de connexion · Brak połączenia";
}

async function switchLanguage(wanted) {
  stored.set("language", wanted);
  await loadTexts(wanted).catch(() => { byId("language").value = language; });
  if (state.token) {
    showLocalDecision();
    refreshStatus();
    restartAlerts();
  }
  render();
}

const format = (time, options) => new Intl.DateTimeFormat(language, options).format(new Date(time));
const clockTime = (time) => format(time, { hour: "2-digit", minute: "2-digit" });
const dayAndTime = (time) =>
  format(time, { weekday: "short", day: "numeric", month: "short", hour: "2-digit",
    minute: "2-digit" });
// With the day unless it is less than a day ago.
const sinceWhen = (time) =>
  Math.abs(Date.now() - time) < 24 * 3600 * second ? clockTime(time) : dayAndTime(time);
const span = (from, to) => `${clockTime(from)} – ${to ? clockTime(to) : text("now")}`;

// Hours and minutes, such as 7:45 h.
function duration(milliseconds) {
  const minutes = Math.max(0, Math.round(milliseconds / (60 * second)));
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}

// ---- Requests ----------------------------------------------------------------------------------

// The answer as { status, body, retryAfter } in seconds; throws without a network.
async function request(method, path, body, isKeptAlive = false) {
  const headers = { "Accept-Language": language };
  const { token } = state;
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), 20 * second);
  try {
    const response = await fetch(path, {
      method, headers, body: body && JSON.stringify(body), cache: "no-store", credentials: "omit",
      keepalive: isKeptAlive, signal: abort.signal,
    });
    const content = await response.text();
    // An answer to the token before says nothing about the present one.
    if (response.status === 401 && token && token === state.token) noteRevoked();
    setOffline(false);
    return {
      status: response.status,
      body: content ? JSON.parse(content) : {},
      retryAfter: Number(response.headers.get("Retry-After")) || 0,
    };
  } catch (error) {
    setOffline(true);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function noteRevoked() {
  state.isRevoked = true;
  render();
}

function setOffline(isOffline) {
  if (state.isOffline === isOffline) return;
  state.isOffline = isOffline;
  render();
}

// Takes over what an answer says about the present.
function applyStatus(body) {
  const me = state.me || {};
  const names = ["decision", "incidents", "report", "tracking", "trackingState", "employee",
    "device", "rules", "clock"];
  for (const name of names) if (body[name]) me[name] = body[name];
  if (body.decision) {
    // Without a wrong clock the answer has no `clock`. An ended shift is only a number.
    me.clock = body.clock;
    if (body.trackingState) me.shift = body.shift?.startedAt ? body.shift : undefined;
    me.overriddenBy = body.overriddenBy;
  }
  if (body.guidance) {
    me.guidance = body.guidance;
    showGuidance(body.guidance);
  }
  state.me = me;
  stored.set("me", me);
  if ((body.commands || []).includes("send_fix_now")) setTimeout(locateAndPing);
  planPings();
  render();
}

async function refreshStatus() {
  try {
    const { status, body } = await request("GET", `/v1/me?appSession=${appSession}`);
    if (status === 200) applyStatus(body);
  } catch { /* The page says that it is offline. */ }
  render();
}

// ---- Enrolment ---------------------------------------------------------------------------------

// The code of a link such as /app#7-4KQW-8M2R. It is removed from the address, so that it stays out
// of the history; views begin with a slash, which no code does.
function takeCodeFromAddress() {
  const fragment = decodeURIComponent(location.hash.slice(1));
  if (!fragment || fragment.startsWith("/")) return "";
  history.replaceState(null, "", "/app");
  return fragment;
}

function describeBrowser() {
  const agent = navigator.userAgent;
  // Most browsers also call themselves Chrome or Safari, so these come last.
  const names = { Edg: "Edge", OPR: "Opera", SamsungBrowser: "Samsung Internet", Firefox: "Firefox",
    FxiOS: "Firefox", CriOS: "Chrome", Chrome: "Chrome", Version: "Safari" };
  const token = Object.keys(names).find((name) => agent.includes(`${name}/`));
  const number = token ? agent.split(`${token}/`)[1].split(/\D/)[0] : "";
  const system = /Android [\d.]+|(iPhone )?OS \d+_\d+|Windows NT [\d.]+|Linux/.exec(agent);
  return {
    model: `${names[token] || "Browser"} ${number}`.trim(),
    osVersion: (system ? system[0] : "").replace(/_/g, ".").slice(0, 50) || undefined,
  };
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

async function begin(body, code) {
  // Records of another employee must not be sent with this token.
  const isOther = stored.get("employee") !== body.employee;
  const deletedCount = isOther ? state.waitingCount : 0;
  if (isOther) await clearQueue();
  stored.set("employee", body.employee);
  stored.set("token", body.token);
  for (const name of ["me", "lastEvent", "kept"]) stored.remove(name);
  Object.assign(state, {
    token: body.token, me: null, isRevoked: false, result: null, alerts: [],
    enrolment: { done: code, hasReplaced: Boolean(body.replacedDevice), deletedCount },
  });
  go(body.privacyNotice ? "/privacy" : "/");
  await startWork();
  subscribe().catch(() => {});
}

// ---- Evidence ----------------------------------------------------------------------------------

// WebKit says `prompt` whatever the employee has chosen, so there it means nothing.
const isWebKit = /AppleWebKit\//.test(navigator.userAgent)
  && !/Chrom(e|ium)\//.test(navigator.userAgent);
// Browsers round an approximate location to kilometres.
const approximateFrom = 1000;

// What the last position request of this page load showed: it outranks the Permissions API.
let outcome = null;
// What the Permissions API says: granted, prompt, denied or unknown.
let permission = "unknown";

async function watchPermission() {
  try {
    const status = await navigator.permissions.query({ name: "geolocation" });
    permission = status.state;
    status.addEventListener("change", () => permissionChanged(status.state));
  } catch { permission = "unknown"; }
}

// A change is newer than the last outcome. If no dialog can appear, a request shows what it means.
async function permissionChanged(now) {
  permission = now;
  if (isWebKit || !state.token) return;
  outcome = null;
  if (now !== "prompt") await requestPosition(10 * second);
  await check("change");
  if (outcome?.fix && tracks(presentShift())) queuePing(outcome.fix);
}

function evidence() {
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
function requestPosition(timeout) {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(null);
    // The time that a dialog waits for an answer does not count, and some are never answered.
    setTimeout(() => resolve(null), timeout + 60 * second);
    navigator.geolocation.getCurrentPosition(
      (position) => resolve(noteFix(position)), (error) => resolve(noteError(error)),
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
function mayAsk() {
  if (isWebKit) return !stored.get("hasExplained") || outcome?.authorization === "denied";
  return permission === "prompt";
}

function newReport(trigger) {
  return {
    sequence: nextSequence(), recordedAt: instant(Date.now()), trigger, ...evidence(),
    app: `Page ${version}`, osVersion: describeBrowser().osVersion,
  };
}

// Reports the present state, and shows at once what it means.
async function check(trigger) {
  if (!state.token || state.isRevoked) return;
  const report = newReport(trigger);
  showLocalDecision(report);
  await addToQueue({ kind: "report", body: report });
  await sendQueue();
}

// ---- Rules -------------------------------------------------------------------------------------

let rules = null;

async function loadRules() {
  try {
    const response = await fetch("/app/rules.wasm");
    if (!response.ok) return;
    rules = (await WebAssembly.instantiate(await response.arrayBuffer(), {})).instance.exports;
  } catch { /* Without them the server decides. */ }
}

const codes = {
  authorization: ["unknown", "not_determined", "restricted", "denied", "when_in_use", "always"],
  grantPath: ["unknown", "prompt", "settings", "administrator"],
  accuracy: ["unknown", "full", "reduced"],
  services: ["unknown", "off", "on"],
};

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

// The decision of the rules in the page, in the shape of the server's; null without the rules.
function decide(report) {
  if (!rules || !state.texts) return null;
  const policy = state.me?.rules || state.texts.standard;
  const skew = state.me?.clock?.skewMs;
  const word = rules.shiftguard_decide(
    phoneWord(report, skew), BigInt(Date.parse(report.recordedAt)), BigInt(Date.now()),
    BigInt(skew || 0), BigInt(policy.freshFor * second), bits(policy.blocking),
    bits(policy.warning));
  const has = (finding, place) => (word >> BigInt(place + finding.bit) & 1n) === 1n;
  const severity = (finding) =>
    has(finding, 0) ? "block" : has(finding, 20) ? "warn" : has(finding, 40) ? "advice" : null;
  return {
    verdict: ["allow", "warn", "block"][Number(word >> 60n & 3n)],
    findings: state.texts.findings.filter(severity)
      .map((finding) => ({ code: finding.code, severity: severity(finding) })),
  };
}

// What the server would say about a decision of ours, from the texts of the page.
function guidanceFor(decision) {
  const { findings, levels, ready, stuck, explanation } = state.texts;
  const needsAlways = (state.me?.rules || state.texts.standard).blocking.includes("when_in_use");
  const remedies = decision.findings.map(({ code, severity }) => {
    const finding = findings.find((one) => one.code === code);
    const isStrict = severity === "block" && needsAlways && finding.always;
    const { why, steps, action } = isStrict ? finding.always : finding;
    return {
      finding: code, severity, title: finding.title, why, action,
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

function showLocalDecision(report = { ...evidence(), recordedAt: instant(Date.now()) }) {
  const decision = decide(report);
  state.checkedAt = Date.parse(report.recordedAt);
  if (decision) showGuidance(guidanceFor(decision));
  render();
  return decision;
}

// The decision as the server keeps it with a clock-in; undefined if it was made under the standard
// table because the team's policy was not known.
function claim(local) {
  const policyVersion = state.me?.rules?.policyVersion;
  return local && policyVersion ? { findings: local.findings, policyVersion } : undefined;
}

// Reports that the server decided otherwise under the same policy, which should never happen.
function noteDifference(actionId, local, { decision: server, tracking }) {
  const words = ({ findings }) => findings.map(({ code, severity }) => `${code} ${severity}`).join();
  if (!local || !server || server.overridden || words(local) === words(server)) return;
  if (tracking && tracking.policyVersion !== local.policyVersion) return;
  const findings = server.findings.map(({ code, severity }) => ({ code, severity }));
  request("POST", "/v1/me/rule-differences",
    { actionId, rulesVersion: version, local, server: { findings } }).catch(() => {});
}

// ---- Queue -------------------------------------------------------------------------------------

// One FIFO of clock actions, reports and pings in IndexedDB, and beside it the pings that wait for a
// manager's review of an offline clock-in.
const queueMax = 5000;
let database = null;

function openDatabase() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("shiftguard", 1);
    opening.onupgradeneeded = () => {
      for (const name of ["queue", "kept"]) {
        opening.result.createObjectStore(name, { keyPath: "place", autoIncrement: true });
      }
      opening.result.createObjectStore("settings", { keyPath: "name" });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

// Runs `body(store)` in one transaction, which is on the disk when it ends; resolves with the result
// of the request that it returns.
function within(name, mode, body) {
  return new Promise((resolve, reject) => {
    if (!database) return reject(new Error("no database"));
    const transaction = database.transaction(name, mode, { durability: "strict" });
    const asked = body(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(asked?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

// What could not be stored: it is sent, but lost with the page.
let unstored = [];

async function readQueue(count) {
  const items = database
    ? await within("queue", "readonly", (store) => store.getAll(null, count)) : [];
  return [...items, ...unstored].slice(0, count);
}

// Adds a record. A report that repeats the last record only renews it, under a new place, because
// that record may be on its way already. Clock actions are always taken.
async function addToQueue(item) {
  try {
    await within("queue", "readwrite", (store) => {
      store.count().onsuccess = ({ target }) => {
        state.isFull = target.result >= queueMax;
        if (state.isFull && item.kind !== "clock") return;
        store.openCursor(null, "prev").onsuccess = ({ target: { result: last } }) => {
          if (last && repeats(item, last.value)) last.delete();
          store.add(item);
        };
      };
    });
  } catch {
    state.cannotStore = true;
    if (unstored.length < queueMax) unstored.push(item);
  }
  await countQueue();
}

function repeats(item, last) {
  if (item.kind !== last.kind) return false;
  if (item.kind === "ping") return item.body.recordedAt === last.body.recordedAt;
  const names = Object.keys(codes);
  return item.kind === "report" && names.every((name) => item.body[name] === last.body[name]);
}

async function removeFromQueue(items) {
  unstored = unstored.filter((item) => !items.includes(item));
  const places = items.map(({ place }) => place).filter(Boolean);
  if (places.length) {
    await within("queue", "readwrite", (store) => places.forEach((place) => store.delete(place)));
  }
  await countQueue();
}

async function clearQueue() {
  unstored = [];
  for (const name of ["queue", "kept"]) {
    await within(name, "readwrite", (store) => store.clear()).catch(() => {});
  }
  await countQueue();
}

async function countQueue() {
  try {
    const items = await readQueue(queueMax + 100);
    state.waiting = items.filter((item) => item.kind === "clock");
    state.waitingCount = items.length;
    state.isFull = items.length >= queueMax;
  } catch {
    state.cannotStore = true;
  }
  render();
}

// ---- Sending -----------------------------------------------------------------------------------

const groupMax = { clock: 1, report: 50, ping: 200 };
const backOffMax = 60 * second;
let backOff = 2 * second;
let retryTimer = 0;
// Until then the server wants no request, in the time of `performance.now`, which nobody can move.
let refusedUntil = 0;
let sending = null;
// Clock actions that the page waits for: what to call with the answer, by action id.
const awaited = new Map();

// Sends everything in order, in one tab at a time.
function sendQueue() {
  if (!state.token || state.isRevoked) return Promise.resolve();
  sending = (sending || Promise.resolve()).then(() =>
    navigator.locks ? navigator.locks.request("shiftguard", sendGroups) : sendGroups());
  return sending;
}

async function sendGroups() {
  if (performance.now() < refusedUntil) return;
  clearTimeout(retryTimer);
  try {
    for (;;) {
      const items = await readQueue(groupMax.ping);
      // Another tab may have sent everything.
      if (!items.length || state.isRevoked) return await countQueue();
      const { kind } = items[0];
      const end = items.findIndex((item) => item.kind !== kind);
      const group = items.slice(0, Math.min(end < 0 ? items.length : end, groupMax[kind]));
      if (!await sendGroup(kind, group)) return;
      backOff = 2 * second;
    }
  } catch {
    retryLater(0);
  }
}

// Sends records of one kind; false if they must be sent again later.
async function sendGroup(kind, group) {
  const { path, body } = upload(kind, group);
  const answer = await request("POST", path, body);
  if (answer.status === 401) return false;
  if (answer.status >= 500 || answer.status === 429) {
    refusedUntil = performance.now() + retryLater(answer.retryAfter * second);
    return false;
  }
  if (kind === "ping") await keepForReview(group, answer.body.results || []);
  if (kind === "clock") noteReview(group[0], answer);
  await removeFromQueue(group);
  if (answer.status < 300 || answer.body.decision) applyStatus(answer.body);
  else if (answer.body.tracking) applyStatus({ tracking: answer.body.tracking });
  if (kind === "clock") {
    const { actionId } = group[0].body;
    if (awaited.has(actionId)) awaited.get(actionId)(answer);
    else showAnswer(group[0], answer);
    await refreshStatus();
  }
  return true;
}

function upload(kind, group) {
  const head = { sentAt: instant(Date.now()), installation: installation() };
  const bodies = group.map((item) => item.body);
  switch (kind) {
    case "clock": return { path: group[0].path, body: { ...head, ...bodies[0] } };
    case "report": return { path: "/v1/permission-reports", body: { ...head, reports: bodies } };
    default: return { path: "/v1/pings", body: { ...head, pings: bodies } };
  }
}

function retryLater(atLeast) {
  clearTimeout(retryTimer);
  const wait = Math.max(atLeast, backOff * (0.5 + Math.random() / 2));
  retryTimer = setTimeout(() => {
    refusedUntil = 0;
    sendQueue();
  }, wait);
  backOff = Math.min(2 * backOff, backOffMax);
  return wait;
}

// Until a manager has reviewed an offline clock-in, the pings of its shift are refused, and kept.
const reviewDays = 7;

function noteReview(item, answer) {
  const kept = stored.get("kept");
  if (kept && item.path === "/v1/clock-out") stored.set("kept", { ...kept, hasEnded: true });
  if (item.path !== "/v1/clock-in") return;
  if (answer.status === 202 && answer.body.review === "pending") {
    stored.set("kept", { item, until: Date.now() + reviewDays * 24 * 3600 * second });
  }
}

async function keepForReview(group, results) {
  if (!stored.get("kept")) return;
  const refused = group.filter((_, index) => results[index]?.reason === "no_shift");
  await within("kept", "readwrite", (store) => {
    for (const { kind, body } of refused) store.add({ kind, body });
  });
}

// The same clock-in again answers how the review ended.
async function askAboutReview() {
  const kept = stored.get("kept");
  if (!kept || state.isRevoked) return;
  const { path, body: again } = upload("clock", [kept.item]);
  const { status, body } = await request("POST", path, again);
  const isOver = Date.now() > kept.until;
  if (!isOver && (status >= 300 || body.review === "pending")) return;
  stored.remove("kept");
  const pings = await within("kept", "readonly", (store) => store.getAll());
  await within("kept", "readwrite", (store) => store.clear());
  if (isOver || body.review === "dismissed") return;
  for (const { kind, body: ping } of pings) await addToQueue({ kind, body: ping });
  await sendQueue();
}

// ---- Shift: clock actions ----------------------------------------------------------------------

// A shift whose clock-in waits for a review: its pings are recorded and kept.
function keptShift() {
  const kept = stored.get("kept");
  if (!kept || kept.hasEnded) return undefined;
  const { occurredAt } = kept.item.body;
  return { startedAt: occurredAt, device: state.me?.device?.number, isWaiting: true, isKept: true };
}

// The open shift as it will be once the queue is sent; undefined off shift.
function presentShift() {
  return state.waiting.reduce((shift, { path, body, local }) => {
    const at = body.occurredAt;
    switch (path) {
      case "/v1/clock-in":
        return shift || local?.verdict === "block"
          ? shift : { startedAt: at, device: state.me?.device?.number, isWaiting: true };
      case "/v1/clock-out": return undefined;
      case "/v1/break-start": return shift && { ...shift, onBreakSince: shift.onBreakSince || at };
      case "/v1/break-end": return shift && { ...shift, onBreakSince: undefined };
      default: return shift && { ...shift, device: state.me?.device?.number };
    }
  }, state.me?.shift || keptShift());
}

const tracks = (shift) =>
  Boolean(shift) && shift.device === state.me?.device?.number && !shift.onBreakSince;

async function clockAction(path, overrideReason) {
  if (state.busy) return;
  state.busy = path;
  state.result = null;
  render();
  try {
    const isStart = path === "/v1/clock-in" || path === "/v1/take-over";
    if (isStart && !await positionBeforeStart()) return;
    if (path === "/v1/clock-out" && outcome?.fix) await requestPosition(4 * second);
    await queueClockAction(path, isStart, overrideReason);
  } finally {
    state.busy = null;
    render();
  }
}

// Requests a position, after the explanation where the browser may ask. False when the employee
// postponed it and the shift could not begin without: they are back where they were.
async function positionBeforeStart() {
  if (mayAsk() && !await explain()) {
    await check("clock_in");
    const decision = decide({ ...evidence(), recordedAt: instant(Date.now()) });
    return decision ? decision.verdict !== "block" : true;
  }
  await requestPosition(10 * second);
  return true;
}

async function queueClockAction(path, isStart, overrideReason) {
  const report = isStart ? newReport("clock_in") : undefined;
  const local = report && showLocalDecision(report);
  const body = {
    actionId: newId(), occurredAt: instant(Date.now()), report, overrideReason,
    localDecision: path === "/v1/clock-in" ? claim(local) : undefined,
  };
  const hasFix = isStart || path === "/v1/clock-out";
  if (hasFix && outcome?.fix && isRecent(outcome.fix)) body.fix = outcome.fix;
  const item = { kind: "clock", path, body, local };
  // Until the answer: what the rules in the page say.
  if (local) state.result = { path, decision: local, guidance: guidanceFor(local), isLocal: true };
  const answer = await sendAndWait(item);
  if (answer) showAnswer(item, answer);
  else showResult({ path, decision: local, guidance: local && guidanceFor(local), isStored: true });
  planPings();
}

const isRecent = (fix) => Date.now() - Date.parse(fix.recordedAt) < 60 * second;

// The answer, or null when it takes too long: the clock action is in the queue.
async function sendAndWait(item) {
  const answered = new Promise((resolve) => awaited.set(item.body.actionId, resolve));
  await addToQueue(item);
  const given = sendQueue().then(() => null);
  const late = new Promise((resolve) => setTimeout(() => resolve(null), 10 * second));
  const answer = await Promise.race([answered, given, late]);
  awaited.delete(item.body.actionId);
  return answer || repeatIfSent(item);
}

// The answer to a clock action that another tab has sent: the same one again.
async function repeatIfSent(item) {
  try {
    const items = await readQueue(queueMax);
    if (items.some(({ body }) => body.actionId === item.body.actionId)) return null;
    const { path, body } = upload("clock", [item]);
    const answer = await request("POST", path, body);
    await refreshStatus();
    return answer;
  } catch {
    return null;
  }
}

function showAnswer({ path, body: { actionId, localDecision } }, { status, body }) {
  // Other answers carry the decision about the present, not about this clock-in.
  if (path === "/v1/clock-in" && [201, 409].includes(status)) {
    noteDifference(actionId, localDecision, body);
  }
  const isKept = status === 202;
  showResult({
    path, isRefused: status >= 400, isKept, problem: body.code,
    reason: isKept ? body.reason : undefined, review: body.review,
    decision: body.decision, guidance: body.guidance,
    overriddenBy: status < 400 ? body.shift?.overriddenBy : undefined,
  });
}

function showResult(result) {
  state.result = result;
  render();
  queueMicrotask(() => byId("result")?.focus());
}

// ---- Shift: pings ------------------------------------------------------------------------------

let pingTimer = 0;
let wakeLock = null;

const isVisible = () => document.visibilityState === "visible";

function planPings() {
  clearTimeout(pingTimer);
  keepScreenOn();
  if (!isVisible() || !tracks(presentShift())) return;
  const interval = state.me?.tracking?.pingInterval || 60;
  const elapsed = Date.now() - (stored.get("pingedAt") || 0);
  // A clock that was set back must not stop the pings.
  const wait = elapsed < 0 ? 0 : Math.max(0, interval * second - elapsed);
  pingTimer = setTimeout(locateAndPing, wait);
}

let isLocating = false;

// A fix, or a sign of life without one; a denial is reported instead.
async function locateAndPing() {
  if (isLocating || !isVisible() || !tracks(presentShift())) return;
  isLocating = true;
  stored.set("pingedAt", Date.now());
  const before = JSON.stringify(evidence());
  const fix = await requestPosition(20 * second);
  isLocating = false;
  if (JSON.stringify(evidence()) !== before) await check("change");
  await queuePing(fix || { recordedAt: instant(Date.now()) });
  planPings();
}

async function queuePing(body) {
  await addToQueue({ kind: "ping", body });
  await sendQueue();
}

// Out of view the page cannot record. One ping says so: from the queue if the request is lost.
function pageHidden() {
  clearTimeout(pingTimer);
  stopAlerts();
  if (!state.token || state.isRevoked || !tracks(presentShift())) return;
  const ping = { recordedAt: instant(Date.now()), hidden: true };
  addToQueue({ kind: "ping", body: ping });
  const head = { sentAt: instant(Date.now()), installation: installation() };
  request("POST", "/v1/pings", { ...head, ...ping }, true).catch(() => {});
}

async function pageShown() {
  // Anything under way would be lost, and a page out of view cannot be in use.
  if (isOutdated && !state.busy) return location.reload();
  worker?.update().catch(() => {});
  if (!state.token) return;
  await watchAgain();
  restartAlerts();
  await check("foreground");
  if (tracks(presentShift())) locateAndPing();
  else refreshStatus();
}

// Browsers may freeze a hidden page and miss a change of permission.
async function watchAgain() {
  try {
    const { state: now } = await navigator.permissions.query({ name: "geolocation" });
    if (now !== permission) await permissionChanged(now);
  } catch { /* There is no Permissions API. */ }
}

async function keepScreenOn() {
  const isWanted = isVisible() && tracks(presentShift());
  if (!isWanted && wakeLock) {
    wakeLock.release();
    wakeLock = null;
  }
  if (!isWanted || wakeLock || !navigator.wakeLock) return;
  try {
    const lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { wakeLock = null; });
    wakeLock = lock;
  } catch { /* Low battery, or not allowed: the text about the screen still holds. */ }
}

// ---- Banner ------------------------------------------------------------------------------------

// The title that was read out last.
let lastTitle = "";

function showGuidance(given) {
  const guidance = beforeFirstRequest(given);
  state.guidance = guidance;
  state.isAcknowledged = guidance.remedies.every(({ finding }) => acknowledged.has(finding));
}

// WebKit does not say what was chosen until a position is requested: what helps is that request, as
// for a permission that nobody has decided on.
function beforeFirstRequest(guidance) {
  const unreadable = guidance.remedies.find(({ finding }) => finding === "unreadable");
  if (!isWebKit || outcome || !unreadable) return guidance;
  const { severity } = unreadable;
  const verdict = severity === "advice" ? "allow" : severity;
  return guidanceFor({ verdict, findings: [{ code: "not_determined", severity }] });
}

function renderBanner() {
  const place = byId("banner");
  const { guidance } = state;
  place.hidden = !guidance?.banner || !state.token || state.isRevoked;
  if (place.hidden) return;
  const { level, title, body } = guidance.banner;
  if (title !== lastTitle) speak(`${text(`level_${level}`)} ${title}`);
  lastTitle = title;
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

// What a button can do. The steps are shown for every other action: a page cannot open settings.
const actions = {
  request_permission: () => askForLocation(),
  send_report: () => askForLocation(),
  send_fix: () => askForLocation(),
  take_over: () => clockAction("/v1/take-over"),
};

async function checkNow() {
  if (!mayAsk()) await requestPosition(10 * second);
  await check("manual");
  speak(text("checked"));
}

async function askForLocation() {
  if (mayAsk() && !await explain()) return;
  await requestPosition(10 * second);
  await check("request");
  if (evidence().authorization === "denied") showSteps(state.guidance?.remedies || []);
  else if (tracks(presentShift())) locateAndPing();
}

// Until the page is opened again; anything new shows the whole banner.
const acknowledged = new Set();

async function acknowledge() {
  const findings = state.guidance.remedies.map(({ finding }) => finding);
  findings.forEach((finding) => acknowledged.add(finding));
  showGuidance(state.guidance);
  byId("steps")?.focus();
  render();
  await request("POST", "/v1/acknowledgements", { appSession, findings })
    .then(({ status, body }) => status === 200 && applyStatus(body)).catch(() => {});
}

// ---- Sheets: explanation and steps -------------------------------------------------------------

// Shows a sheet over the page. Resolves with the chosen value, or null when it was dismissed: then
// everything is as before, and so is the focus.
function openSheet(title, content, choices) {
  const sheet = byId("sheet");
  const before = document.activeElement.id;
  return new Promise((resolve) => {
    let chosen = null;
    const buttons = choices.map(([label, value, isMain]) => make(
      "button",
      { type: "button", class: isMain && "main", onclick: () => { chosen = value; sheet.close(); } },
      label));
    sheet.replaceChildren(
      make("h2", { id: "sheet-title" }, title), ...content,
      make("p", { class: "actions" }, buttons));
    sheet.onclose = () => {
      // The element that opened the sheet may have been drawn again.
      if (before) byId(before)?.focus();
      resolve(chosen);
    };
    sheet.showModal();
  });
}

// True when the employee wants to go on to the browser's dialog.
async function explain() {
  const explanation = state.guidance?.explanation || state.texts.explanation;
  const { title, why, benefits, platformNotes, proceed, later } = explanation;
  const content = [
    make("p", {}, why), list("ul", benefits), ...platformNotes.map((note) => make("p", {}, note)),
  ];
  const goesOn = await openSheet(title, content, [[proceed, true, true], [later, null]]);
  if (goesOn) stored.set("hasExplained", true);
  return goesOn;
}

const showSteps = (remedies) =>
  openSheet(text("whatToDo"), remedies.map(remedyText), [[text("close"), null]]);

const remedyText = ({ title, why, steps, severity }) => make(
  "section", { class: `remedy ${severity}` }, make("h3", {}, title), make("p", {}, why),
  list("ol", steps));

// ---- Alerts ------------------------------------------------------------------------------------

const alertsMax = 5;
const eventSilenceMax = 45 * second;
let alertsAbort = null;

function restartAlerts() {
  stopAlerts();
  if (!state.token || state.isRevoked || !isVisible()) return;
  alertsAbort = new AbortController();
  readAlerts(alertsAbort.signal);
}

function stopAlerts() {
  alertsAbort?.abort();
  alertsAbort = null;
}

async function readAlerts(signal) {
  let pause = 2 * second;
  while (!signal.aborted && !state.isRevoked) {
    try {
      if (await readStream(signal)) pause = 2 * second;
    } catch { /* Connected again after a pause. */ }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    pause = Math.min(2 * pause, backOffMax);
  }
}

// Reads one stream to its end. EventSource cannot send the token.
async function readStream(signal) {
  const headers = { Authorization: `Bearer ${state.token}`, "Accept-Language": language };
  const last = stored.get("lastEvent");
  if (last) headers["Last-Event-ID"] = last;
  const response = await fetch(`/v1/me/events?appSession=${appSession}`, {
    headers, signal, cache: "no-store", credentials: "omit",
  });
  if (response.status === 401) noteRevoked();
  if (!response.ok) return false;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    // A stream that was stopped meanwhile cannot be cancelled again.
    const silence = setTimeout(() => reader.cancel().catch(() => {}), eventSilenceMax);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return true;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    blocks.forEach(readEvent);
  }
}

function readEvent(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) || [];
    if (name) fields[name] = value;
  }
  if (fields.event !== "notification") return;
  stored.set("lastEvent", fields.id);
  const alert = JSON.parse(fields.data);
  state.alerts = [alert, ...state.alerts.filter((other) => !replaces(alert, other))]
    .slice(0, alertsMax);
  render();
  refreshStatus();
}

// A newer notification about the same thing takes the place of the older one.
const replaces = (alert, other) => alert.notification === other.notification
  || JSON.stringify(alert.subject) === JSON.stringify(other.subject);

let lastAlerts = null;

function renderAlerts() {
  if (state.alerts === lastAlerts) return;
  lastAlerts = state.alerts;
  byId("alerts").replaceChildren(...state.alerts.map((alert) => make(
    "article", { role: "alert", class: alert.urgent ? "alert urgent" : "alert" },
    make("h2", {}, alert.title), make("p", {}, alert.body), list("ol", alert.steps),
    make("p", { class: "actions" },
      alert.topic === "ended_at_limit" && alert.subject.shift
        && make("a", { class: "button", href: `#/shifts/${alert.subject.shift}` },
          text("openShift")),
      button("dismiss", () => dismissAlert(alert), { id: `alert-${alert.notification}` })))));
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

function speak(words) { byId("spoken").textContent = words; }

// ---- Views -------------------------------------------------------------------------------------

const route = () => location.hash.startsWith("#/") ? location.hash.slice(1) : "/";

function go(path) {
  if (route() !== path) location.hash = path === "/" ? "#/" : `#${path}`;
}

let isRendering = false;
// Between finger down and click nothing is drawn: a button that was replaced would not be tapped.
let isPressed = false;
const afterTap = 100;

function watchPresses() {
  const release = () => setTimeout(() => {
    isPressed = false;
    render();
  }, afterTap);
  addEventListener("pointerdown", () => { isPressed = true; });
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);
}

// Draws the page from the state, once however much has changed. The focus stays on the element
// with the same id.
function render() {
  if (isRendering) return;
  isRendering = true;
  queueMicrotask(() => {
    isRendering = false;
    if (!state.texts || isPressed) return;
    const focused = document.activeElement?.id;
    const typed = document.activeElement?.value;
    renderBanner();
    renderAlerts();
    renderTroubles();
    renderMenu();
    byId("name").textContent = state.me?.employee?.name || "ShiftGuard";
    byId("main").replaceChildren(...view().flat().filter(Boolean));
    const again = focused && focused !== "main" && byId(focused);
    if (again && document.activeElement !== again) {
      if (typed && /INPUT|TEXTAREA/.test(again.tagName)) again.value = typed;
      again.focus();
    }
  });
}

function view() {
  if (!state.token || state.isRevoked) return enrolmentView();
  const [, name, number] = route().split("/");
  if (name === "shifts") return number ? shiftView(Number(number)) : shiftsView();
  if (name === "privacy") return privacyView();
  return workView();
}

function renderMenu() {
  const menu = byId("menu");
  menu.hidden = !state.token || state.isRevoked;
  menu.setAttribute("aria-label", text("menu"));
  const entries = [["/", "work"], ["/shifts", "myShifts"], ["/privacy", "privacy"]];
  const current = `/${route().split("/")[1]}`;
  menu.replaceChildren(...entries.map(([path, key]) => make(
    "a", { href: `#${path}`, id: `menu-${key}`, "aria-current": path === current && "page" },
    text(key))));
}

let lastTroubles = "";

function renderTroubles() {
  const { me } = state;
  const skewed = me?.clock?.trust === "wrong" || me?.clock?.trust === "skewed";
  const troubles = [
    state.isOffline && text("offline"),
    state.isFull && text("queueFull"),
    state.cannotStore && text("cannotStore"),
    state.waitingCount > 1 && state.isOffline && `${text("waitingRecords")} ${state.waitingCount}`,
    skewed && text("clockOff"),
  ].filter(Boolean);
  // Replaced only when different, or a screen reader would repeat it.
  if (troubles.join() === lastTroubles) return;
  lastTroubles = troubles.join();
  byId("troubles").replaceChildren(...troubles.map((trouble) => make("p", {}, trouble)));
}

// ---- View: enrolment ---------------------------------------------------------------------------

function enrolmentView() {
  const enrolment = state.enrolment || {};
  const submit = (event) => {
    event.preventDefault();
    const code = byId("code").value.trim();
    if (code && !enrolment.isBusy) enrol(code);
  };
  return [
    make("h1", {}, text("connect")),
    state.isRevoked && make("p", { role: "alert", class: "alert" }, text("revoked")),
    state.isRevoked && state.waitingCount > 0
      && make("p", { id: "unsent" }, text("recordsKept"), " ", state.waitingCount),
    make("p", {}, text("connectHow")),
    make("form", { onsubmit: submit },
      make("label", { for: "code" }, text("code")),
      make("input", { id: "code", value: enrolment.code || "", autocomplete: "off",
        autocapitalize: "characters", spellcheck: "false", maxlength: 64, required: true,
        oninput: ({ target }) => { state.enrolment = { ...state.enrolment, code: target.value }; },
        "aria-describedby": enrolment.error && "code-error" }),
      enrolment.error
        && make("p", { id: "code-error", class: "error", role: "alert" }, text(enrolment.error)),
      make("button", { class: "main", id: "connect", disabled: enrolment.isBusy },
        text(enrolment.isBusy ? "wait" : "connectButton"))),
  ];
}

// After enrolment: a page on the Home Screen does not see what the browser has stored.
function enrolledNote() {
  const { done, hasReplaced, deletedCount } = state.enrolment || {};
  if (!done) return null;
  return make("section", { class: "card" },
    make("h2", {}, text("connected")),
    hasReplaced && make("p", {}, text("replaced")),
    deletedCount > 0 && make("p", {}, text("recordsDeleted"), " ", deletedCount),
    make("p", {}, text("homeScreen")), make("p", { class: "code" }, done),
    button("close", () => { state.enrolment = null; render(); }, { id: "enrolled" }));
}

// ---- View: work --------------------------------------------------------------------------------

function workView() {
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

// ---- View: my shifts ---------------------------------------------------------------------------

// Loads what a view shows, once until the view is opened again.
function load(name, path) {
  const entry = state.loaded[name];
  if (entry) return entry;
  const loading = {};
  state.loaded[name] = loading;
  request("GET", path).then(
    ({ status, body }) => Object.assign(loading, status < 300 ? { body } : { error: "notThere" }),
    () => Object.assign(loading, { error: "noNetwork" })).then(render);
  return loading;
}

const waitNote = ({ error }) => make("p", { class: "aside" }, text(error || "wait"));

function shiftsView() {
  const loading = load("shifts", "/v1/me/shifts?limit=50");
  const title = make("h1", {}, text("myShifts"));
  if (!loading.body) return [title, waitNote(loading)];
  const { shifts } = loading.body;
  if (!shifts.length) return [title, make("p", {}, text("noShifts"))];
  return [title, make("ul", { class: "rows" }, shifts.map((shift) => make("li", {},
    make("a", { href: `#/shifts/${shift.number}`, id: `shift-${shift.number}` },
      make("b", {}, format(shift.startedAt, { weekday: "long", day: "numeric", month: "long" })),
      make("span", {}, span(shift.startedAt, shift.endedAt),
        shift.endedAt ? ` · ${duration(Date.parse(shift.endedAt) - Date.parse(shift.startedAt))}`
          : "")))))];
}

function shiftView(number) {
  const loading = load(`shift ${number}`, `/v1/me/shifts/${number}`);
  const back = make("p", {}, make("a", { href: "#/shifts", id: "back" }, text("allShifts")));
  if (!loading.body) return [back, make("h1", {}, text("shift")), waitNote(loading)];
  const shift = loading.body;
  const { coverage } = shift;
  const rate = coverage.trackingRate === undefined ? "–"
    : new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 })
      .format(coverage.trackingRate / 100);
  return [
    back,
    make("h1", {}, format(shift.startedAt, { weekday: "long", day: "numeric", month: "long" })),
    make("p", {}, span(shift.startedAt, shift.endedAt)),
    make("p", {}, make("b", {}, rate), " ", text("ofShiftTracked")),
    coverageBar(coverage), shift.endedBy === "limit" && shift.review && endForm(shift),
    section("notTracked", gaps(coverage).map((gap) => gapRow(shift, gap)), "noGaps"),
    section("interruptions", shift.incidents.map(interruptionRow), "noInterruptions"),
    section("notes", shift.notes.map((note) => [span(note.from, note.to), ": ", note.text]),
      "noNotes"),
    shift.corrections.length > 0
      && section("corrections", shift.corrections.map((one) => one.reason || ""), "noNotes"),
  ];
}

const section = (key, rows, none) => make("section", {}, make("h2", {}, text(key)),
  rows.length ? list("ul", rows, { class: "rows" }) : make("p", { class: "aside" }, text(none)));

const isTracked = ({ reason }) => reason === "tracked";
const gaps = ({ segments }) =>
  segments.filter((segment) => !isTracked(segment) && segment.reason !== "on_break");

function reasonWords({ reason, likely }) {
  const why = findingTitle(reason);
  return likely ? `${why} (${text("likely")} ${findingTitle(likely)})` : why;
}

// What a finding, an interruption or the reason of a gap is called.
const findingTitle = (code) =>
  state.texts.findings.find((finding) => finding.code === code)?.title || text(`reason_${code}`);

// The picture repeats the list below, so screen readers skip it.
function coverageBar({ segments }) {
  const kind = (segment) => isTracked(segment) ? segment.atRisk ? "risk" : "tracked"
    : ["on_break", "not_asked", "service_unavailable"].includes(segment.reason) ? "pause" : "lost";
  const parts = segments.map((segment) => {
    const part = make("span", { class: kind(segment) });
    part.style.flexGrow = String(segment.milliseconds);
    return part;
  });
  return make("div", { class: "bar", "aria-hidden": "true" }, parts);
}

function gapRow(shift, gap) {
  return [
    make("span", {}, `${span(gap.from, gap.to)} · ${reasonWords(gap)}`),
    button("addNote", () => addNote(shift, gap), { id: `note-${gap.from}` }),
  ];
}

const interruptionRow = (incident) =>
  `${span(incident.openedAt, incident.closedAt)} · ${findingTitle(incident.kind)}`;

async function addNote(shift, { from, to }) {
  const field = make("textarea", { id: "note", rows: 3, maxlength: 500 });
  const content = [
    make("p", {}, span(from, to)), make("p", {}, text("noteWho")),
    make("label", { for: "note" }, text("note")), field,
  ];
  const saves = await openSheet(text("addNote"), content,
    [[text("save"), true, true], [text("cancel"), null]]);
  const words = field.value.trim();
  if (!saves || !words) return;
  await change(`/v1/me/shifts/${shift.shift.number}/notes`, { from, to, text: words }, shift);
}

// Sends a change of a shift and shows it again; says so if it failed.
async function change(path, body, shift) {
  let isDone = false;
  try {
    const { status } = await request("POST", path, body);
    isDone = status < 300;
  } catch { /* Said below. */ }
  if (isDone) delete state.loaded[`shift ${shift.shift.number}`];
  speak(text(isDone ? "saved" : "notSaved"));
  if (!isDone) await openSheet(text("notSaved"), [], [[text("close"), null]]);
  render();
}

// A shift that ended at its limit: the employee says when work really ended.
function endForm(shift) {
  const local = (time) => {
    const date = new Date(time);
    return instant(date.getTime() - date.getTimezoneOffset() * 60 * second).slice(0, 16);
  };
  const submit = (event) => {
    event.preventDefault();
    const endedAt = instant(new Date(byId("end").value).getTime());
    change("/v1/confirm-end", { shift: shift.shift.number, endedAt }, shift);
  };
  return make("form", { class: "card", onsubmit: submit },
    make("label", { for: "end" }, text("whenEnded")),
    make("input", { id: "end", type: "datetime-local", required: true,
      min: local(shift.startedAt), max: local(shift.endedAt), value: local(shift.endedAt) }),
    make("p", { class: "aside" }, text("whenEndedWhy")),
    make("button", { class: "main", id: "confirm-end" }, text("confirmEnd")));
}

// ---- View: privacy -----------------------------------------------------------------------------

function privacyView() {
  const notice = load("privacy notice", "/v1/me/privacy-notice");
  const audit = load("audit", "/v1/me/audit?limit=100");
  return [
    make("h1", {}, text("privacy")), enrolledNote(),
    make("h2", {}, text("privacyNotice")), noticeText(notice),
    section("whoLooked", looks(audit), audit.body ? "nobodyLooked" : audit.error || "wait"),
  ];
}

function noticeText(loading) {
  if (!loading.body) return waitNote(loading);
  const { version: number, text: words, readAt, createdAt } = loading.body;
  if (!number) return make("p", { class: "aside" }, text("noNotice"));
  return make("section", { class: "card" },
    words.split(/\n+/).map((paragraph) => make("p", {}, paragraph)),
    make("p", { class: "aside" }, text("noticeOf"), " ", dayAndTime(createdAt)),
    readAt ? make("p", { class: "aside" }, text("readAt"), " ", dayAndTime(readAt))
      : button("confirmRead", () => confirmNotice(number), { class: "main", id: "confirm-read" }));
}

async function confirmNotice(number) {
  try {
    const { status } = await request("POST", "/v1/me/privacy-notice", { version: number });
    if (status >= 300) throw new Error(`privacy notice: ${status}`);
    delete state.loaded["privacy notice"];
    speak(text("saved"));
  } catch {
    await openSheet(text("notSaved"), [], [[text("close"), null]]);
  }
  render();
}

// Opens an unread privacy notice at the start, as after enrolment.
async function showUnreadNotice() {
  try {
    const { status, body } = await request("GET", "/v1/me/privacy-notice");
    if (status === 200 && !body.readAt && route() === "/") go("/privacy");
  } catch { /* The next start asks again. */ }
}

function looks({ body }) {
  const shown = ["track_viewed", "track_exported", "employee_exported"];
  return (body?.entries || []).filter((entry) => shown.includes(entry.action)).map((entry) => [
    make("b", {}, `${dayAndTime(entry.at)} · ${entry.by}`),
    make("span", {}, text(`audit_${entry.action}`), entry.reason ? ` “${entry.reason}”` : ""),
  ]);
}

// ---- Start -------------------------------------------------------------------------------------

const reportAgainAfter = 240 * second;

// Once a minute: the permission is reported again before it counts as out of date.
function everyMinute() {
  if (!isVisible() || !state.token || state.isRevoked) return;
  if (Date.now() - state.checkedAt > reportAgainAfter) check("timer");
  if (stored.get("kept")) askAboutReview().catch(() => {});
  if (state.waitingCount) sendQueue();
}

async function startWork() {
  state.loaded = {};
  await Promise.all([loadRules(), watchPermission()]);
  if (state.me?.guidance && !rules) showGuidance(state.me.guidance);
  await check("launch");
  await refreshStatus();
  restartAlerts();
  showUnreadNotice();
  if (tracks(presentShift())) locateAndPing();
}

function listen() {
  watchPresses();
  byId("language").addEventListener("change", ({ target }) => switchLanguage(target.value));
  addEventListener("hashchange", () => {
    state.loaded = {};
    const code = takeCodeFromAddress();
    if (code) offerCode(code);
    render();
    byId("main").focus();
  });
  document.addEventListener("visibilitychange", () => {
    if (isVisible()) pageShown();
    else pageHidden();
  });
  // A page that comes back from the cache of the browser was never loaded.
  addEventListener("pageshow", ({ persisted }) => { if (persisted) pageShown(); });
  addEventListener("online", () => { sendQueue(); refreshStatus(); });
  addEventListener("offline", () => setOffline(true));
  setInterval(everyMinute, 60 * second);
}

// A new code on a connected phone: the employee decides whether to connect again.
function offerCode(code) {
  state.enrolment = { code };
  if (!state.token || state.isRevoked) return;
  openSheet(text("connectAgain"), [make("p", {}, text("connectAgainWhy"))],
    [[text("connectButton"), true, true], [text("cancel"), null]])
    .then((wants) => { state.enrolment = null; if (wants) enrol(code); });
}

// The registration of the service worker, and whether it has files of a newer version than this page.
let worker = null;
let isOutdated = false;

async function keepForOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    let hadOne = Boolean(serviceWorker.controller);
    const changed = new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", () => {
        isOutdated = hadOne;
        hadOne = true;
        resolve();
      });
    });
    worker = await serviceWorker.register("/app/service-worker.js", { scope: "/app" });
    // The texts were loaded before the worker could keep them.
    if (!serviceWorker.controller) await changed;
    await fetch(`/app/texts/${language}.json`);
    await subscribe();
  } catch { /* The page works, but not offline. */ }
}

// ---- Push messages -----------------------------------------------------------------------------

// Browsers ask only after a tap; on iOS, only a page on the Home Screen can ask at all.
const pushKey = document.documentElement.dataset.pushKey;
const canAskForPush = () => Boolean(pushKey && worker?.pushManager)
  && Notification.permission === "default";

// Tells the server where to send push messages, if the employee allowed them.
async function subscribe() {
  if (!pushKey || !state.token || state.isRevoked || !worker?.pushManager) return;
  if (Notification.permission !== "granted") return;
  const subscription = await worker.pushManager.getSubscription() || await worker.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  const { endpoint, keys } = subscription.toJSON();
  const target = { channel: "web_push", endpoint, p256dh: keys.p256dh, auth: keys.auth };
  const known = JSON.stringify([target, state.token, pushKey]);
  if (stored.get("push") === known) return;
  const { status } = await request("PUT", "/v1/me/push-target", target);
  if (status < 300) stored.set("push", known);
}

async function askForPush() {
  await Notification.requestPermission();
  await subscribe().catch(() => {});
  render();
}

const pushCard = () => make("section", { class: "card" },
  make("p", {}, text("notifyWhy")), button("notifyMe", askForPush, { id: "notify" }));

async function start() {
  const code = takeCodeFromAddress();
  listen();
  await Promise.all([
    loadSomeTexts(),
    openDatabase().then((opened) => {
      database = opened;
      return restoreSettings();
    }).catch(() => { state.cannotStore = true; }),
  ]);
  if (!state.texts) return;
  await countQueue();
  if (code) offerCode(code);
  render();
  if (state.token) await startWork();
  keepForOffline();
}

start();

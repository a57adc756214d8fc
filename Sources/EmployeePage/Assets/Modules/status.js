// The server's view of the present.

import { render } from "./elements.js";
import { showGuidance } from "./guidance.js";
import { readSites } from "./place.js";
import { countQueue } from "./queue.js";
import { request } from "./requests.js";
import { noteShift } from "./results.js";
import { rules } from "./rules.js";
import { isStopped } from "./shift.js";
import { appSession, state } from "./state.js";
import { stored } from "./storage.js";

// What else happens with an answer about the present.
const readers = [];
export const whenStatus = (reader) => readers.push(reader);

// How often the status was taken over: an answer to a request before that may be older.
let takenCount = 0;

// Takes over what an answer says about the present.
export function applyStatus(body) {
  takenCount += 1;
  const me = state.me || {};
  const names = ["decision", "incidents", "report", "tracking", "trackingState", "employee",
    "device", "rules", "clock"];
  for (const name of names) if (body[name]) me[name] = body[name];
  if (body.decision) {
    // Without a wrong clock the answer has no `clock`. An ended shift is only a number.
    me.clock = body.clock;
    if (body.trackingState) me.shift = body.shift?.startedAt ? body.shift : undefined;
    me.overriddenBy = body.overriddenBy;
    // Absent where the team's policy does not ask for them.
    [me.sitesVersion, me.plan] = [body.sitesVersion, body.plan];
  }
  if (body.guidance) {
    me.guidance = body.guidance;
    // What the rules in the page said is newer than an answer without their report.
    if (!rules || !state.hasReport) showGuidance(body.guidance);
  }
  state.me = me;
  stored.set("me", me);
  if (body.decision) readSites();
  noteShift();
  readers.forEach((read) => read(body));
  if (!body.decision && isStopped()) refreshStatus();
  render();
}

// What another tab was told about the same employee.
export function takeStored() {
  const me = stored.get("me");
  if (!me) return;
  takenCount += 1;
  state.me = me;
  noteShift();
  readers.forEach((read) => read(me));
  countQueue();
}

export async function refreshStatus() {
  try {
    const before = takenCount;
    const { status, body } = await request("GET", `/v1/me?appSession=${appSession}`);
    if (before !== takenCount) return refreshStatus();
    if (status === 200) applyStatus(body);
  } catch { /* The page says that it is offline. */ }
  render();
}

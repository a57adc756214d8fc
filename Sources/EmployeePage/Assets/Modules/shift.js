// The employee's open shift.

import { state } from "./state.js";
import { stored } from "./storage.js";
import { second } from "./tools.js";

// No policy allows a longer shift: it ended, and this page has not heard of it. A wrong clock says
// nothing about that.
const longest = 24 * 3600 * second;
const isTooLong = ({ startedAt }) =>
  !state.me?.clock && Date.now() - Date.parse(startedAt) > longest;

// A shift whose clock-in waits for a review: its pings are recorded and kept.
function keptShift() {
  const kept = keptActions()
    .find(({ item, hasEnded }) => !hasEnded && item.path === "/v1/clock-in");
  if (!kept) return undefined;
  const shift = { startedAt: kept.item.body.occurredAt, device: state.me?.device?.number,
    isWaiting: true, isKept: true };
  return isTooLong(shift) ? undefined : shift;
}

// The clock-ins that wait for a review: `{ item, until, hasEnded }`; and what waits until some of
// the employee's are reviewed: `{ item, triedAt, hasEnded }`. Another tab may have added one of the
// employee before.
export const keptActions = () => (stored.get("kept") || [])
  .filter(({ item }) => item.employee === state.employee);

// What the server never had.
export const actionsSetAside = () => keptActions().filter(({ triedAt }) => triedAt);

// The open shift as it will be once the queue is sent; undefined off shift.
export function presentShift() {
  return state.waiting.reduce((shift, { path, body, local }) => {
    const at = body.occurredAt;
    switch (path) {
      case "/v1/clock-in":
        if (shift && !waits(shift) || local?.verdict === "block") return shift;
        return { startedAt: at, ...shift, device: state.me?.device?.number, isWaiting: true,
          waitsForConfirmation: false };
      case "/v1/clock-out":
      case "/v1/decline": return undefined;
      case "/v1/break-start": return shift && { ...shift, onBreakSince: shift.onBreakSince || at };
      case "/v1/break-end": return shift && { ...shift, onBreakSince: undefined };
      default: return shift && { ...shift, device: state.me?.device?.number };
    }
  }, state.me?.shift || keptShift());
}

// Whether a manager or a plan opened it, and the employee has not confirmed it yet.
export const waits = (shift) => Boolean(shift?.waitsForConfirmation);

export const tracks = (shift) => Boolean(shift) && !state.isRevoked && !waits(shift)
  && !shift.onBreakSince && shift.device === state.me?.device?.number && !isTooLong(shift);

// Whether an app from a store tracks it, so that this page has nothing to record or to ask for.
export const isInApp = (shift) => Boolean(shift?.phoneApp)
  && shift.device !== state.me?.device?.number;

// Whether another phone tracks it.
export const isElsewhere = (shift) => Boolean(shift) && !shift.deviceRevoked
  && shift.device !== state.me?.device?.number;

// What is said of who tracks it, where that is not this page.
export const otherTracker = (shift) =>
  shift.deviceRevoked ? "noneTracks" : isInApp(shift) ? "appTracks" : "elsewhere";

// Whether the server no longer wants positions of a shift that is open here.
export function isStopped() {
  const shift = presentShift();
  return state.me?.tracking?.track === false && !state.waiting.length && tracks(shift)
    && !shift.isKept;
}

// Until a manager has reviewed an offline clock-in, the pings of its shift are refused, and kept
// beside the queue. A clock action of which too many wait for a review is set aside there, too.

import { countQueue } from "./queue.js";
import { noteRefusals } from "./refusals.js";
import { request } from "./requests.js";
import { actionsSetAside, keptActions } from "./shift.js";
import { state } from "./state.js";
import { stored, within } from "./storage.js";
import { second } from "./tools.js";
import { meaning, upload } from "./uploads.js";

const day = 24 * 3600 * second;
const reviewMax = 7 * day;
const isClockIn = ({ path }) => path === "/v1/clock-in";

export function noteReview(item, { status, body }, outcome) {
  const isAside = outcome === "aside";
  const isNewShift = isClockIn(item) && (status < 300 || isAside);
  const endsShift = isNewShift || item.path === "/v1/clock-out";
  if (!endsShift && !isAside) return;
  const kept = keptActions().filter((one) => !isSame(one.item, item))
    .map((one) => endsShift ? { ...one, hasEnded: true } : one);
  if (isAside) kept.push({ item, triedAt: Date.now() });
  else if (isNewShift && body.review === "pending") {
    kept.push({ item, until: Date.now() + reviewMax });
  }
  stored.set("kept", kept);
}

const isSame = (one, other) => one.body.actionId === other.body.actionId;

// The clock-ins whose positions are kept.
export const keptClockIns = () =>
  keptActions().map(({ item }) => item).filter(isClockIn).map(({ body }) => body);

// Each with the clock-in that it was recorded after, of those that were kept when it was sent. If
// the result of the review came first, it is sent again.
export async function keepForReview(group, results, clockIns) {
  const clockIn = ({ recordedAt }) =>
    clockIns.filter(({ occurredAt }) => occurredAt <= recordedAt).pop()?.actionId;
  const isKept = ({ actionId }) => keptClockIns().some((one) => one.actionId === actionId);
  const refused = group.filter((_, index) => results[index]?.reason === "no_shift")
    .map(({ kind, employee, body }) => ({ kind, employee, body, actionId: clockIn(body) }))
    .filter(({ actionId }) => actionId);
  if (!refused.length) return;
  await within(["kept", "queue"], "readwrite", (store, queue) => {
    for (const one of refused) (isKept(one) ? store : queue).add(one);
  }).catch(() => { state.cannotStore = true; });
}

// The same clock-in again answers how the review ended. What was set aside is sent again daily; a
// clock that was moved must not put it off.
export async function askAboutReview() {
  if (state.isRevoked) return;
  for (const one of keptActions()) {
    const { item, until, triedAt } = one;
    if (triedAt && Math.abs(Date.now() - triedAt) < day) continue;
    const { path, body: again } = upload("clock", [item]);
    const answer = await request("POST", path, again);
    const { review } = answer.body;
    const outcome = meaning([item], answer);
    if (outcome === "aside") {
      replace({ ...one, triedAt: Date.now() });
      continue;
    }
    const isPending = outcome === "stored" && review === "pending" && isClockIn(item);
    if (isPending && triedAt) {
      replace({ ...one, until: Date.now() + reviewMax, triedAt: undefined });
    }
    const isAnswered = !isPending && (outcome === "stored" || triedAt && outcome === "refused");
    // A wrong clock ends no review.
    const isOver = Date.now() > until && !state.me?.clock;
    if (!isAnswered && !isOver) continue;
    const areWanted = outcome === "stored" && review !== "dismissed";
    await takeOut(item.body.actionId, areWanted);
    stored.set("kept", keptActions().filter((other) => !isSame(other.item, item)));
    // What was refused and kept before that was written.
    await takeOut(item.body.actionId, areWanted);
  }
}

const replace = (one) => stored.set(
  "kept", keptActions().map((other) => isSame(other.item, one.item) ? one : other));

// Takes out the pings of a clock-in, into the queue if they are wanted.
async function takeOut(actionId, areWanted) {
  await within(["kept", "queue"], "readwrite", (store, queue) => {
    store.getAll().onsuccess = ({ target }) => {
      for (const one of target.result.filter((ping) => ping.actionId === actionId)) {
        const { place, kind, employee, body } = one;
        if (areWanted) queue.add({ kind, employee, body });
        store.delete(place);
      }
    };
  });
  await countQueue();
}

// After a new connection nobody asks any more how a review ended. What was set aside is sent again
// as before, and its pings after it.
export async function forgetReviews() {
  const setAside = actionsSetAside().map(({ item }) => item.body.actionId);
  const pings = (await within("kept", "readonly", (store) => store.getAll()))
    .filter(({ actionId }) => !setAside.includes(actionId));
  await within("kept", "readwrite", (store) => pings.forEach(({ place }) => store.delete(place)));
  noteRefusals(pings, pings.map(() => ({ reason: "not_tracking_device" })));
}

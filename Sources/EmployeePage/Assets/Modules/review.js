// Until a manager has reviewed an offline clock-in, the pings of its shift are refused, and kept
// beside the queue.

import { countQueue } from "./queue.js";
import { noteRefusals } from "./refusals.js";
import { request } from "./requests.js";
import { keptActions } from "./shift.js";
import { state } from "./state.js";
import { stored, within } from "./storage.js";
import { second } from "./tools.js";
import { meaning, upload } from "./uploads.js";

const reviewDays = 7;

export function noteReview(item, { status, body }) {
  const isNewShift = item.path === "/v1/clock-in" && status < 300;
  if (!isNewShift && item.path !== "/v1/clock-out") return;
  const kept = keptActions().map((one) => ({ ...one, hasEnded: true }))
    .filter((one) => !isSame(one.item, item));
  if (isNewShift && body.review === "pending") {
    kept.push({ item, until: Date.now() + reviewDays * 24 * 3600 * second });
  }
  stored.set("kept", kept);
}

const isSame = (one, other) => one.body.actionId === other.body.actionId;

// Each with the clock-in that it was recorded after.
export async function keepForReview(group, results) {
  const actions = keptActions().map(({ item }) => item.body);
  const clockIn = ({ recordedAt }) =>
    actions.filter(({ occurredAt }) => occurredAt <= recordedAt).pop()?.actionId;
  const refused = group.filter((_, index) => results[index]?.reason === "no_shift")
    .map(({ kind, employee, body }) => ({ kind, employee, body, actionId: clockIn(body) }))
    .filter(({ actionId }) => actionId);
  if (!refused.length) return;
  await within("kept", "readwrite", (store) => {
    for (const one of refused) store.add(one);
  }).catch(() => { state.cannotStore = true; });
}

// The same clock-in again answers how the review ended.
export async function askAboutReview() {
  if (state.isRevoked) return;
  for (const { item, until } of keptActions()) {
    const { path, body: again } = upload("clock", [item]);
    const answer = await request("POST", path, again);
    const { review } = answer.body;
    const isAnswered = meaning([item], answer) === "stored" && review !== "pending";
    // A wrong clock ends no review.
    const isOver = Date.now() > until && !state.me?.clock;
    if (!isAnswered && !isOver) continue;
    await takeOut(item.body.actionId, isAnswered && review !== "dismissed");
    stored.set("kept", keptActions().filter((one) => !isSame(one.item, item)));
  }
}

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

// After a new connection nobody asks about them any more.
export async function forgetKept() {
  const pings = await within("kept", "readonly", (store) => store.getAll());
  await within("kept", "readwrite", (store) => store.clear());
  noteRefusals(pings, pings.map(() => ({ reason: "not_tracking_device" })));
}

// Until a manager has reviewed an offline clock-in, the pings of its shift are refused, and kept
// beside the queue.

import { addToQueue } from "./queue.js";
import { request } from "./requests.js";
import { state } from "./state.js";
import { stored, within } from "./storage.js";
import { second } from "./tools.js";
import { meaning, upload } from "./uploads.js";

const reviewDays = 7;

export function noteReview(item, answer) {
  const kept = stored.get("kept");
  if (kept && item.path === "/v1/clock-out") stored.set("kept", { ...kept, hasEnded: true });
  if (item.path !== "/v1/clock-in") return;
  if (answer.status === 202 && answer.body.review === "pending") {
    stored.set("kept", { item, until: Date.now() + reviewDays * 24 * 3600 * second });
  }
}

export async function keepForReview(group, results) {
  if (!stored.get("kept")) return;
  const refused = group.filter((_, index) => results[index]?.reason === "no_shift");
  await within("kept", "readwrite", (store) => {
    for (const { kind, body } of refused) store.add({ kind, body });
  });
}

// The same clock-in again answers how the review ended.
export async function askAboutReview() {
  const kept = stored.get("kept");
  if (!kept || state.isRevoked) return;
  const { path, body: again } = upload("clock", [kept.item]);
  const answer = await request("POST", path, again);
  const { body } = answer;
  const isOver = Date.now() > kept.until;
  if (!isOver && (meaning([kept.item], answer) !== "stored" || body.review === "pending")) return;
  stored.remove("kept");
  const pings = await within("kept", "readonly", (store) => store.getAll());
  await within("kept", "readwrite", (store) => store.clear());
  if (isOver || body.review === "dismissed") return;
  for (const { kind, body: ping } of pings) await addToQueue({ kind, body: ping });
}

// Positions that the server refused for good: the employee is told how many, and why.

import { button, make, render } from "./elements.js";
import { stored } from "./storage.js";
import { text } from "./texts.js";

// What is refused for other reasons was recorded on a break or off shift, and belongs nowhere.
const reasons = ["not_tracking_device", "too_late", "invalid"];

export function noteRefusals(pings, results) {
  const lost = results.filter(({ reason }, index) =>
    reasons.includes(reason) && "latitude" in pings[index].body);
  if (!lost.length) return;
  const counts = { ...stored.get("refused") };
  for (const { reason } of lost) counts[reason] = (counts[reason] || 0) + 1;
  stored.set("refused", counts);
}

// Until the employee has read it.
export function refusalsCard() {
  const counts = stored.get("refused");
  if (!counts) return null;
  const close = () => { stored.remove("refused"); render(); };
  return make("section", { class: "card", id: "refused" }, make("h2", {}, text("refused")),
    reasons.filter((reason) => counts[reason])
      .map((reason) => make("p", {}, text(`refused_${reason}`), " ", counts[reason])),
    button("close", close, { id: "close-refused" }));
}

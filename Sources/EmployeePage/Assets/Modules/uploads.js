// The requests that carry records.

import { installation } from "./storage.js";
import { instant } from "./tools.js";

export const groupMax = { clock: 1, report: 50, ping: 200 };

export function upload(kind, group) {
  const head = { sentAt: instant(Date.now()), installation: installation() };
  const bodies = group.map((item) => item.body);
  switch (kind) {
    case "clock": return { path: group[0].path, body: { ...head, ...bodies[0] } };
    case "report": return { path: "/v1/permission-reports", body: { ...head, reports: bodies } };
    default: return { path: "/v1/pings", body: { ...head, pings: bodies } };
  }
}

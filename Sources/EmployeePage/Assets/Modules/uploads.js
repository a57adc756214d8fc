// The requests that carry records, and what their answers mean.

import { isRevocation } from "./requests.js";
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

// What becomes of the records of a request: `stored`, `refused` for good, `revoked` with the token,
// `aside` until some of the employee's clock actions are reviewed, or `later`. Only answers of our
// server count: a login page of a hotel, or a proxy, may answer anything, and must cost no record.
export function meaning(group, { status, body }) {
  if (status >= 200 && status < 300) {
    return body.tracking || body.results?.length === group.length ? "stored" : "later";
  }
  if (isRevocation({ status, body })) return "revoked";
  if (!body.code) return "later";
  if (status === 429 && body.code === "too_many_waiting") return "aside";
  return [400, 409, 413, 422].includes(status) ? "refused" : "later";
}

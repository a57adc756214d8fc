// Where and when a clock-in is made: the team's sites and the plan as the server last sent them,
// and what they come to by the rules in the page.

import { request } from "./requests.js";
import { state } from "./state.js";
import { stored } from "./storage.js";
import { language } from "./texts.js";
import { second } from "./tools.js";

export const judgesPlace = () => Boolean(state.me?.sitesVersion);

// Without storage they are the page's own.
let held = null;
export const heldSites = () => stored.get("sites") || held || { sites: [] };
let isReading = false;

// Reads the sites if they are others than those that the page holds.
export async function readSites() {
  const version = state.me?.sitesVersion;
  if (!version) return forgetSites();
  if (isReading || heldSites().version === version) return;
  isReading = true;
  try {
    const { status, body } = await request("GET", "/v1/me/sites");
    if (status === 200) {
      held = body;
      stored.set("sites", body);
    }
  } catch { /* The next status asks again. */ }
  isReading = false;
}

export function forgetSites() {
  held = null;
  stored.remove("sites");
}

// What the rules find at `now`, by the server's clock, with the nearest site and from when the
// clock-in is allowed. Without `clockIn` the place is left out, which is judged there.
export function judge(rules, clockIn, now) {
  const place = clockIn && judgesPlace() ? judgePlace(rules, clockIn.fix || {}, now) : { found: 0 };
  const plan = state.me?.plan ? judgePlan(rules, state.me, now) : { found: 0 };
  return { found: place.found | plan.found, nearest: place.nearest, from: plan.from };
}

// The sites that the planned shift of a clock-in at `now` names, else the team's. What is named does
// not count where a shift after the known plan may be nearer.
function sitesInForce(rules, now) {
  const { sites } = heldSites();
  const { until } = state.me.plan || {};
  let nearest;
  let least = Infinity;
  for (const shift of state.me.plan?.shifts || []) {
    const nearness = Number(rules.shiftguard_nearness(BigInt(now), time(shift.start), time(shift.end)));
    if (nearness >= 0 && nearness < least) [nearest, least] = [shift, nearness];
  }
  if (until && Number(time(until)) - now < least) return sites;
  const named = sites.filter(({ site }) => nearest?.sites?.includes(site));
  return named.length ? named : sites;
}

function judgePlace(rules, { latitude, longitude, accuracy }, now) {
  const sites = sitesInForce(rules, now);
  let margin = -Infinity;
  let best;
  for (const site of sites) {
    const larger = rules.shiftguard_margin(
      margin, latitude, longitude, accuracy, site.latitude, site.longitude, site.radius);
    if (larger > margin) best = site;
    margin = larger;
  }
  return {
    found: rules.shiftguard_place(margin, sites.length, 0),
    nearest: best && { name: best.name, meters: rules.shiftguard_distance(
      best.latitude, best.longitude, latitude, longitude) },
  };
}

const time = (text) => BigInt(Date.parse(text));

function judgePlan(rules, { plan, rules: policy }, now) {
  const [at, early] = [BigInt(now), (policy?.earlyWindow ?? 900) * second];
  let standing = 0;
  for (const { start, end } of plan.shifts) {
    standing = rules.shiftguard_planned(standing, at, time(start), time(end), BigInt(early));
  }
  for (const { start, end } of plan.absences || []) {
    standing = rules.shiftguard_absence(standing, at, time(start), time(end));
  }
  const next = plan.shifts.map(({ start }) => Date.parse(start)).find((start) => start > now);
  return { found: rules.shiftguard_plan(standing, at, time(plan.until)), from: next - early };
}

// Rounded up: to ten meters, and from a kilometer on to a hundred.
export function distance(meters) {
  const tens = Math.ceil(meters / 10);
  if (tens < 100) return `${tens * 10} m`;
  const kilometers = (Math.ceil(meters / 100) / 10).toLocaleString(
    language, { minimumFractionDigits: 1, useGrouping: false });
  return `${kilometers} km`;
}

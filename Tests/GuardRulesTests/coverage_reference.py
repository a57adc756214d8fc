#!/usr/bin/env python3
"""Coverage of shifts, computed from the text of RULES.md (sections 1 to 5) alone.

    coverage_reference.py cases.json     raw facts of many shifts, times in integer milliseconds
    coverage_reference.py a.gpx b.gpx    every timed point a fix, shift from first to last, L 180 s

Prints one list of segments [from, to, reason] per shift; they are half-open and sum to the shift.
Every reason is a layer of half-open spans; an instant has the first layer that contains it.
"""
import json
import sys
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from xml.etree import ElementTree

RANK = ["restricted", "services_off", "denied", "not_determined", "accuracy_reduced", "when_in_use"]
CANNOT_LOCATE = {"restricted", "services_off", "denied", "not_determined"}
AT_RISK = {"accuracy_reduced", "when_in_use"}
FINDING = {("services", "off"): "services_off", ("accuracy", "reduced"): "accuracy_reduced"}
FINDING |= {("authorization", name): name for name in set(RANK) - set(FINDING.values())}


def in_order(reports):
    """One device's reports by sequence; one without follows all that had been received by then."""
    def place(report):
        if report["sequence"] is not None:
            return report["sequence"], 0, report["receivedAt"], report["at"]
        known = [other["sequence"] for other in reports
                 if other["sequence"] is not None and other["receivedAt"] <= report["receivedAt"]]
        return max(known, default=-1), 1, report["receivedAt"], report["at"]
    return sorted(reports, key=place)


def statements(reports):
    """What one device said, [(moment, findings)]: unknown keeps, time never goes back."""
    said, moment, result = {}, None, []
    for report in in_order(reports):
        moment = report["at"] if moment is None else max(moment, report["at"])
        said |= {field: report[field] for field in ("authorization", "services", "accuracy")
                 if report[field] != "unknown"}
        result.append((moment, {FINDING[item] for item in said.items() if item in FINDING}))
    return result


def coverage(case):
    """The segments of one shift."""
    (start, end), longest = case["shift"], case["fixAgeMax"]
    breaks = [(max(a, start), min(b, end)) for a, b in case["breaks"] if a < end and b > start]
    tracking = [(entry["since"], entry["device"]) for entry in case["tracking"]]
    said = {device: statements([r for r in case["reports"] if r["device"] == device])
            for _, device in tracking}

    def tracker_at(x):
        return ([tracking[0][1]] + [device for since, device in tracking if since <= x])[-1]

    def findings_at(x):
        return next((found for at, found in reversed(said[tracker_at(x)]) if at <= x), set())

    def holds(spans, x):
        return any(a <= x < b for a, b in spans)

    def until_next_fix(moment):
        following = [at for at in fixes if at >= moment]
        return moment, min([moment + longest] + following)

    fixes = sorted({p["at"] for p in case["pings"] if p["speaksForPosition"]
                    and start <= p["at"] < end and not holds(breaks, p["at"])
                    and p["device"] == tracker_at(p["at"])})
    changes = sorted({start, end} | {since for since, _ in tracking}
                     | {at for statement in said.values() for at, _ in statement})
    entered = [m for m in changes
               if findings_at(m) & CANNOT_LOCATE and not findings_at(m - 1) & CANNOT_LOCATE]
    restored = [m for m in changes if findings_at(m - 1) and not findings_at(m)]
    begun = [start] + [b for _, b in breaks] + [since for since, _ in tracking[1:]]
    contacts = [fact["receivedAt"] for fact in case["pings"] + case["reports"]
                if fact["device"] == tracker_at(fact["receivedAt"])]

    tracked = [(t, min([t + longest] + [m for m in entered if m >= t])) for t in fixes]
    in_force = [(a, b, findings_at(a)) for a, b in pairwise(changes)]
    risky = [(a, b) for a, b, found in in_force if found & AT_RISK]
    layers = [
        ("on_break", breaks),
        ("at_risk", [(max(a, c), min(b, d)) for a, b in tracked for c, d in risky]),
        ("tracked", tracked),
        *((name, [(a, b) for a, b, found in in_force if name in found]) for name in RANK),
        *((name, [(i["from"], i["to"]) for i in case["inferred"] if i["reason"] == name])
          for name in RANK + ["app_terminated"]),
        ("service_unavailable", case["outages"]),
        ("waiting_first_fix", [until_next_fix(moment) for moment in begun]),
        ("resuming", [until_next_fix(moment) for moment in restored]),
        ("no_fix", [(received, received + longest) for received in contacts]),
        ("no_contact", [(start, end)]),
    ]
    edges = {edge for _, spans in layers for span in spans for edge in span if start <= edge <= end}
    segments = []
    for a, b in pairwise(sorted(edges)):
        reason = next(name for name, spans in layers if holds(spans, a))
        since = segments.pop()[0] if segments and segments[-1][2] == reason else a
        segments.append([since, b, reason])
    return segments


def case_of_recording(path):
    """A GPX file as a shift of device 1: every timed point is a fix, received when it was taken."""
    def milliseconds(text):
        time = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        return (time - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1)

    times = sorted(milliseconds(time.text)
                   for time in ElementTree.parse(path).iterfind(".//{*}trkpt/{*}time"))
    pings = [{"device": 1, "at": t, "receivedAt": t, "speaksForPosition": True} for t in times]
    return {"shift": [times[0], times[-1]], "fixAgeMax": 180_000, "pings": pings,
            "tracking": [{"device": 1, "since": times[0]}],
            "breaks": [], "reports": [], "inferred": [], "outages": []}


if __name__ == "__main__":
    files = [[case_of_recording(path)] if path.endswith(".gpx") else json.load(open(path))
             for path in sys.argv[1:]]
    print(json.dumps([coverage(case) for cases in files for case in cases]))

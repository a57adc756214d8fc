"""Coverage by a second reader: RULES 5, sentence by sentence, sharing no code with the service.

Usage: coverage_reference.py cases.json    a list of facts, times in milliseconds
       coverage_reference.py a.gpx ...     every timed point a fix of one shift, L = 180 s
Prints a list of {reason: milliseconds}; "at_risk" is the part of "tracked" that was at risk.
"""
import json, sys, xml.etree.ElementTree as xml
from datetime import datetime

RANK = ["restricted", "services_off", "denied", "not_determined", "accuracy_reduced", "when_in_use"]
CANNOT_LOCATE = set(RANK[:4])


def impairments(states):
    """[(since, findings in force from then on)]; what a report leaves unknown stays as it was."""
    known, timeline = {}, []
    for state in states:
        known.update({k: v for k, v in state.items() if k != "since" and v != "unknown"})
        found = {known.get("authorization")} & set(RANK)
        found |= {"services_off"} if known.get("services") == "off" else set()
        found |= {"accuracy_reduced"} if known.get("accuracy") == "reduced" else set()
        timeline.append((state["since"], found))
    return timeline


def coverage(facts):
    (begin, end), span = facts["shift"], facts["fixAgeMax"]
    timeline = [(float("-inf"), set())] + impairments(facts["states"])
    pairs = list(zip(timeline, timeline[1:]))
    lost = [b[0] for a, b in pairs if b[1] & CANNOT_LOCATE and not a[1] & CANNOT_LOCATE]
    restored = [b[0] for a, b in pairs if a[1] and not b[1]]
    begun = [begin] + [b for _, b in facts["breaks"]] + facts["takeOvers"]
    fixes = [t for t in facts["fixes"] if begin <= t < end]
    inside = lambda x, spans: any(a <= x < b for a, b in spans)
    waits = lambda x, starts: any(
        s <= x < s + span and not any(s <= t <= x for t in fixes) for s in starts)

    def reason(x):
        force = [found for since, found in timeline if since <= x][-1]
        if inside(x, facts["breaks"]): return "on_break"
        if any(t <= x < t + span and not any(t <= e <= x for e in lost) for t in fixes):
            return "at_risk" if force & {"accuracy_reduced", "when_in_use"} else "tracked"
        for finding in RANK:
            if finding in force: return finding
        for cause in facts["inferred"]:
            if cause["from"] <= x < cause["to"]: return cause["reason"]
        if inside(x, facts["outages"]): return "service_unavailable"
        if waits(x, begun): return "waiting_first_fix"
        if waits(x, restored): return "resuming"
        return "no_fix" if any(x - span < c <= x for c in facts["contacts"]) else "no_contact"

    # Between two neighbours of this list nothing begins and nothing ends.
    edges = {begin, end, *lost, *restored, *fixes, *begun, *facts["contacts"]}
    edges |= {t + span for t in edges} | {since for since, _ in timeline}
    for a, b in facts["breaks"] + facts["outages"]: edges |= {a, b}
    for cause in facts["inferred"]: edges |= {cause["from"], cause["to"]}
    edges, total = sorted(e for e in edges if begin <= e <= end), {}
    for a, b in zip(edges, edges[1:]):
        why = reason(a)
        total[why] = total.get(why, 0) + b - a
        if why == "at_risk": total["tracked"] = total.get("tracked", 0) + b - a
    return total


def recording(path):
    local = lambda element: element.tag.rpartition("}")[2]
    points = [p for p in xml.parse(path).iter() if local(p) == "trkpt"]
    times = [e.text for p in points for e in p if local(e) == "time"]
    fixes = [round(datetime.fromisoformat(t).timestamp() * 1000) for t in times]
    others = ["breaks", "takeOvers", "inferred", "outages", "states", "contacts"]
    shift = {"shift": [min(fixes), max(fixes)], "fixes": fixes, "fixAgeMax": 180_000}
    return {**dict.fromkeys(others, []), **shift}


paths = sys.argv[1:]
cases = json.load(open(paths[0])) if paths[0].endswith(".json") else [recording(p) for p in paths]
print(json.dumps([coverage(case) for case in cases]))

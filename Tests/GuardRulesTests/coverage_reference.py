#!/usr/bin/env python3
"""A second reader of the coverage rules (RULES.md, section 5, with 1, 3 and 4 where it needs them).

Reads one JSON object a line, prints one JSON object a line. It was written from RULES alone, as a
definition and not as an optimisation: the shift is cut at every moment at which any answer could
change, and each piece is asked, at its first instant, whether it is tracked and if not why. All
intervals are half-open (RULES 1), so a piece has one answer. What RULES leave open is decided in
coverage_reference.md; the comments D1, D2, ... name those decisions.
"""

import json
import sys

FRESH_FOR = 300_000  # RULES 7: freshFor, which the input does not carry (D3)
CANNOT_LOCATE = ("restricted", "services_off", "denied", "not_determined")  # in rank, RULES 2


def without_position(report):
    """The cannot-locate finding that a report itself states, highest in rank, or None (RULES 5)."""
    found = set()
    if report.get("authorization") in ("restricted", "denied", "not_determined"):
        found.add(report["authorization"])
    if report.get("services") == "off":
        found.add("services_off")
    return next((kind for kind in CANNOT_LOCATE if kind in found), None)


def can_locate(report):
    """D11: a report that could locate names a grant and no obstacle; `unknown` alone names none."""
    granted = report.get("authorization") in ("when_in_use", "always")
    return granted and without_position(report) is None


class Shift:
    def __init__(self, given):
        shift = given["shift"]
        self.start = shift["start"]
        ends = [e for e in (shift.get("end"), shift.get("asOf")) if e is not None]
        self.end = min(ends)  # RULES 5: an open shift ends at asOf (D1)
        self.accepted = given.get("acceptedAt")
        self.begun = given.get("begunAt", self.start)
        self.added = given.get("added") or []
        self.offline_received = given.get("offlineReceivedAt")
        self.breaks = [(b, self.end if e is None else e) for b, e in given.get("breaks") or []]
        self.tracking = sorted(given["tracking"], key=lambda one: one["from"])
        self.max_rest = given["maxRest"]
        self.accuracy_max = given.get("accuracyMax")
        self.outages = given.get("outages") or []
        silences = given.get("silences") or []
        self.no_contact = self.spans(silences, "no_contact")
        self.no_fix = self.spans(silences, "no_fix")
        self.silent = [(s["device"], *self.spans([s], "no_contact")[0])
                       for s in silences if s["kind"] == "no_contact"]
        self.reports = self.counting(given.get("reports") or [])
        self.pings = [p for p in given.get("pings") or [] if self.is_stored(p)]
        self.fixes = [p for p in self.pings if p["kind"] == "fix"]
        self.proofs = [p for p in self.fixes if self.mark(p) is None]
        self.cuts = [r["counts"] for r in self.reports if self.says_it_cannot(r)]
        self.rests = [one for p in self.pings for one in self.rest_spans(p)]
        self.restorations = self.find_restorations()

    def spans(self, silences, kind):
        return [
            (s["from"], self.end if s["to"] is None else s["to"])
            for s in silences
            if s["kind"] == kind
        ]

    # Section 1: the order of reports, and what is in force.

    def counting(self, reports):
        """A report counts from its effective time, but not from before the one preceding it (D2)."""
        out = []
        last = {}
        for report in sorted(reports, key=lambda r: (r["device"], r["order"])):
            counts = max(report["at"], last.get(report["device"], report["at"]))
            last[report["device"]] = counts
            out.append({**report, "counts": counts})
        return out

    def tracker(self, x):
        """The device that tracks at x, with its L; the first one also before its `from` (D4)."""
        last = self.tracking[0]
        for one in self.tracking:
            if one["from"] <= x:
                last = one
        return last

    def tracks(self, device, x):
        return self.tracker(x)["device"] == device

    def in_force(self, x):
        """Authorization, services and accuracy in force at x (RULES 1): by dimension the last known
        value in report order; after a take-over only what was reported at most freshFor before it."""
        tracker = self.tracker(x)
        taken_over = tracker is not self.tracking[0]
        state = {"authorization": "unknown", "services": "unknown", "accuracy": "unknown"}
        for report in self.reports:
            if report["device"] != tracker["device"] or report["counts"] > x:
                continue
            if taken_over and report["counts"] < tracker["from"] - FRESH_FOR:
                continue
            for dimension in state:
                if report.get(dimension) not in (None, "unknown"):
                    state[dimension] = report[dimension]
        return state

    def obstacle(self, x):
        return without_position(self.in_force(x))

    def says_it_cannot(self, report):
        """RULES 5: a cannot-locate report of the device that tracked at that report's time."""
        said = without_position(report) is not None
        return said and self.tracks(report["device"], report["counts"])

    # Sections 3 and 5: the pings that count.

    def on_break(self, x):
        return any(b <= x < e for b, e in self.breaks)

    def is_stored(self, ping):
        """RULES 3: in the shift, outside its breaks, from the device that tracked then (D5)."""
        at = ping["at"]
        inside = self.start <= at < self.end and not self.on_break(at)
        return inside and self.tracks(ping["device"], at)

    def mark(self, fix):
        """RULES 5: what makes a fix prove contact, not position (D8: mock before low accuracy)."""
        if fix.get("mock"):
            return "mock_location"
        accuracy = fix.get("accuracy")
        if self.accuracy_max is not None and accuracy is not None and accuracy > self.accuracy_max:
            return "low_accuracy"
        return None

    def next_sign(self, ping):
        """The device's next ping or report (RULES 4). One of the same millisecond is not the next,
        but a report that cannot locate is (D6)."""
        times = [p["at"] for p in self.pings if p["device"] == ping["device"] and p["at"] > ping["at"]]
        for report in self.reports:
            if report["device"] != ping["device"]:
                continue
            same = report["counts"] == ping["at"] and without_position(report) is not None
            if report["counts"] > ping["at"] or same:
                times.append(report["counts"])
        return min(times, default=None)

    def rest_spans(self, ping):
        """RULES 4, 5: a rest is a stationary sign of life at every instant up to its end, as long as
        its device tracks (D7) and once there is a fix: the spans [a, b) of those instants with L."""
        rest = ping.get("rest")
        if rest is None or ping["kind"] == "fix" and self.mark(ping) is not None:
            return []
        ends = [ping["at"] + self.max_rest, rest.get("until"), self.next_sign(ping), self.end]
        end = min(e for e in ends if e is not None)
        since = self.first_proof()
        if since is None:
            return []
        out = []
        for index, one in enumerate(self.tracking):
            later = self.tracking[index + 1]["from"] if index + 1 < len(self.tracking) else self.end
            earlier = self.start if index == 0 else one["from"]
            a = max(ping["at"], since, earlier)
            b = min(end, later)
            if one["device"] == ping["device"] and a < b:
                out.append((a, b, one["maxFixAge"]))
        return out

    def first_proof(self):
        return min((p["at"] for p in self.proofs), default=None)

    # Section 5: tracked.

    def covers(self, t, length, x):
        """[t, min(t + L, next cannot-locate report >= t))"""
        return t <= x < t + length and not any(t <= c <= x for c in self.cuts)

    def is_tracked(self, x):
        first = self.first_proof()
        for ping in self.pings:
            if ping["kind"] == "fix":
                counts = self.mark(ping) is None
            else:
                still = ping.get("stationary") or ping.get("rest") is not None
                counts = still and first is not None and first <= ping["at"]
            if counts and self.covers(ping["at"], self.tracker(ping["at"])["maxFixAge"], x):
                return True
        for a, b, length in self.rests:
            if a <= x < b or self.covers(b, length, x):
                return True
        return False

    def is_at_risk(self, x):
        state = self.in_force(x)
        return state["authorization"] == "when_in_use" or state["accuracy"] == "reduced"

    # Section 5: the reasons, each a question about one instant.

    def is_not_asked(self, x):
        before = self.accepted is not None and x < self.accepted
        return before or any(a <= x < b for a, b in self.added)

    def is_outage(self, x):
        return any(a <= x < b for a, b in self.outages)

    def explanations(self, gaps):
        """RULES 4: the reports that explain a no_contact span: those of the device that tracked and
        was silent, in report order, effective in the span or before it in the same gap, and received
        after the silence began (D9). A report at the very end of the span explains it, too (D10).
        At a take-over, such a report is from the next device and does not explain the silence."""
        out = []
        for report in sorted(self.reports, key=lambda r: r["order"]):
            d = report["counts"]
            if not self.tracks(report["device"], d):
                continue
            for device, opened, closed in self.silent:
                if report["device"] != device or report["received"] < opened or d > closed:
                    continue
                before = d < opened and any(g <= d <= opened < h for g, h in gaps)
                if opened <= d or before:
                    out.append(report)
                    break
        return out

    def inferred(self, x, explanations):
        """RULES 4: with an exit time s, [s, d) is relabelled. A report that can locate but tells of
        an exit makes it app_terminated (D12)."""
        for report in explanations:
            leave = report.get("exit")
            if leave is None or not leave["at"] <= x < report["counts"]:
                continue
            if not self.tracks(report["device"], x):
                continue
            return without_position(report) or "app_terminated"
        return None

    def newest_mark(self, x):
        """RULES 5 (5): the newest fix in (x - L, x], by the L of the fix (D8): with whatever L, it is
        the newest one up to x or none."""
        newest = max((f["at"] for f in self.fixes if f["at"] <= x), default=None)
        if newest is None or x >= newest + self.tracker(newest)["maxFixAge"]:
            return None
        near = [f for f in self.fixes if f["at"] == newest]
        marks = [self.mark(f) for f in near]
        if None in marks:
            return None
        return "mock_location" if "mock_location" in marks else "low_accuracy"

    def is_hidden(self, x):
        """RULES 4, 5 (6): from the sign's time to the device's next ping or report (D13)."""
        for ping in self.pings:
            if ping.get("hidden") and ping["at"] <= x and self.tracks(ping["device"], x):
                end = self.next_sign(ping)
                if end is None or x < end:
                    return True
        return False

    def is_before_proof(self, since, x):
        """From `since` to the next fix that proves position, at most L."""
        if not since <= x < since + self.tracker(since)["maxFixAge"]:
            return False
        return not any(since <= p["at"] <= x for p in self.proofs)

    def waiting_since(self):
        """RULES 5 (7): the phone's beginning, break ends and take-overs."""
        ends = [e for _, e in self.breaks if e < self.end]
        overs = [one["from"] for one in self.tracking[1:]]
        return [self.begun] + ends + overs

    def find_restorations(self):
        """RULES 5 (8), 6: when the tracking device ceases to be cannot-locate in any dimension, by a
        report and not by a take-over."""
        out = []
        for one in sorted({r["counts"] for r in self.reports}):
            if any(t["from"] == one for t in self.tracking[1:]):
                continue
            if self.obstacle(one - 1) is not None and self.obstacle(one) is None:
                out.append(one)
        return out

    def is_no_contact(self, x, gap):
        """RULES 5 (9)"""
        if any(a <= x < b for a, b in self.no_contact):
            return True
        if self.offline_received is not None and x < self.offline_received:
            return True
        opens = any(x < a and gap[0] <= a < gap[1] for a, _ in self.no_contact)
        return opens and not any(a <= x < b for a, b in self.no_fix)

    def reason(self, x, gap, explanations):
        """The first that applies (RULES 5), with whether it was inferred."""
        if self.is_not_asked(x):
            return "not_asked", False
        if self.obstacle(x) is not None:
            return self.obstacle(x), False
        if self.is_outage(x):
            return "service_unavailable", False
        cause = self.inferred(x, explanations)
        if cause is not None:
            return cause, True
        if self.newest_mark(x) is not None:
            return self.newest_mark(x), False
        if self.is_hidden(x):
            return "page_hidden", False
        if any(self.is_before_proof(since, x) for since in self.waiting_since()):
            return "waiting_first_fix", False
        if any(self.is_before_proof(since, x) for since in self.restorations):
            return "resuming", False
        return ("no_contact" if self.is_no_contact(x, gap) else "no_fix"), False

    def likely(self, x, explanations, tracked):
        """RULES 4: the kind of a report that explains the silence without an exit time, from the end
        of the tracked time before it, but not from before the last report in between that could
        locate. RULES 5: else while-in-use, where it was in force."""
        for report in explanations:
            kind = without_position(report)
            d = report["counts"]
            if kind is None or report.get("exit") is not None or x >= d:
                continue
            if not self.tracks(report["device"], x):
                continue
            since = max((min(b, d) for a, b in tracked if a < d), default=self.start)
            for other in self.reports:
                earlier = other["device"] == report["device"] and other["order"] < report["order"]
                if earlier and can_locate(other) and since <= other["counts"] <= d:
                    since = other["counts"]
            if since <= x:
                return kind
        if self.in_force(x)["authorization"] == "when_in_use":
            return "when_in_use"
        return None

    # The pieces.

    def moments(self):
        """Every moment at which an answer could change."""
        lengths = {one["maxFixAge"] for one in self.tracking}
        once = [self.start, self.end, self.accepted, self.offline_received]
        once += [m for span in self.added + self.outages for m in span]
        once += [m for span in self.breaks + self.no_contact + self.no_fix for m in span]
        once += [r["exit"]["at"] for r in self.reports if r.get("exit") is not None]
        twice = [self.start, self.begun] + [one["from"] for one in self.tracking]
        twice += [e for _, e in self.breaks] + [p["at"] for p in self.pings]
        twice += [m for a, b, _ in self.rests for m in (a, b)] + [r["counts"] for r in self.reports]
        every = [m for m in once if m is not None] + twice
        every += [m + length for m in twice for length in lengths]
        return sorted({m for m in every if self.start <= m <= self.end} | {self.start, self.end})

    def segments(self):
        moments = self.moments()
        pieces = [(a, b) for a, b in zip(moments, moments[1:], strict=False)]
        tracked = []
        gaps = []  # maximal stretches neither tracked nor on break (D14)
        for a, b in pieces:
            if self.on_break(a):
                continue
            spans = tracked if self.is_tracked(a) else gaps
            if spans and spans[-1][1] == a:
                spans[-1] = (spans[-1][0], b)
            else:
                spans.append((a, b))
        explanations = self.explanations(gaps)
        out = []
        for a, b in pieces:
            if self.on_break(a):
                said = ["on_break", False, None, False]
            elif any(s <= a < e for s, e in tracked):
                said = ["tracked", self.is_at_risk(a), None, False]
            else:
                gap = next(g for g in gaps if g[0] <= a < g[1])
                reason, inferred = self.reason(a, gap, explanations)
                silent = reason in ("no_contact", "no_fix")
                likely = self.likely(a, explanations, tracked) if silent else None
                said = [reason, False, likely, inferred]
            if out and out[-1][2:] == said:
                out[-1][1] = b
            else:
                out.append([a, b] + said)
        return out


def coverage(given):
    segments = Shift(given).segments()
    total = {}
    for start, end, reason, *_ in segments:
        total[reason] = total.get(reason, 0) + end - start
    uncounted = ("on_break", "service_unavailable", "not_asked")
    counted = sum(ms for reason, ms in total.items() if reason not in uncounted)
    tracked = total.get("tracked", 0)
    # RULES 5: rounded down to 0.1 %; absent with nothing intended (D15).
    rate = None if counted == 0 else (tracked * 1000 // counted) / 10
    return {"segments": segments, "rate": rate}


if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(coverage(json.loads(line))), flush=True)

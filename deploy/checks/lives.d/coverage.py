"""Coverage: which instants of a shift were tracked, and why the others were not (section 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import incidents
import pings
from explanations import Explanation
from incidents import Incident, Knowledge
from pings import Stored
from records import NEVER, OFFLINE, Span, holding
from timeline import Shift, Stint


@dataclass(frozen=True)
class Segment:
    start: int
    reason: str
    is_at_risk: bool = False
    likely: str | None = None
    is_inferred: bool = False


@dataclass(frozen=True)
class Coverage:
    """The segments of a shift and its end, or the present in an open one."""

    segments: tuple[Segment, ...]
    end: int

    def spent(self, reason: str) -> int:
        ends = [one.start for one in self.segments[1:]] + [self.end]
        pairs = zip(self.segments, ends, strict=True)
        return sum(end - one.start for one, end in pairs if one.reason == reason)

    def rate(self) -> float | None:
        """In percent, rounded down to a tenth."""
        total = self.end - self.segments[0].start if self.segments else 0
        left_out = ("on_break", "service_unavailable", "not_asked")
        counted = total - sum(self.spent(reason) for reason in left_out)
        if counted <= 0:
            return None
        return self.spent("tracked") * 1_000 // counted / 10


@dataclass(frozen=True)
class Evidence:
    """Everything that decides the coverage of a shift."""

    known: Knowledge
    counting: list[Stored]
    tracked: list[Span]
    proofs: list[int]
    incidents: list[Incident]
    causes: list[Explanation]
    hidden: list[Span]


def gather(known: Knowledge) -> Evidence:
    proofs, _ = incidents.proofs_and_denials(known)
    return Evidence(
        known=known,
        counting=known.counting,
        tracked=incidents.tracked(known),
        proofs=proofs,
        incidents=incidents.incidents(known),
        causes=incidents.causes_of_shift(known),
        hidden=known.hidden,
    )


def present(evidence: Evidence, time: int) -> Segment:
    """What holds at an instant of the shift."""
    known = evidence.known
    if known.shift.break_at(time):
        return Segment(time, "on_break")
    stint = stint_at(known.shift, time)
    findings = set(known.in_force(stint).findings(time).values())
    if holding(evidence.tracked, time):
        return Segment(time, "tracked", bool(findings & {"when_in_use", "accuracy_reduced"}))
    if not known.shift.kept.contains(time):
        return Segment(time, "not_asked")
    cause = known.in_force(stint).cannot_locate(time)
    if cause:
        return Segment(time, cause)
    if holding(list(known.outages), time):
        return Segment(time, "service_unavailable")
    inferred = inferred_at(evidence, time)
    if inferred:
        return Segment(time, inferred, is_inferred=True)
    reason = fix_reason(evidence, time) or phase_reason(evidence, stint, time)
    if reason:
        return Segment(time, reason)
    return Segment(time, silence_reason(evidence, time), likely=likely(evidence, findings, time))


def stint_at(shift: Shift, time: int) -> Stint:
    """Which device tracked at an instant; in added time the nearest that did."""
    begun = [one for one in shift.stints if one.start <= time]
    return begun[-1] if begun else shift.stints[0]


def inferred_at(evidence: Evidence, time: int) -> str | None:
    """The kind that the first explanation with an exit gives to an instant."""
    return explained_at(evidence, time, has_exit=True)


def likely(evidence: Evidence, findings: set[str], time: int) -> str | None:
    """What probably caused a silence."""
    cause = explained_at(evidence, time, has_exit=False)
    return cause or ("when_in_use" if "when_in_use" in findings else None)


def explained_at(evidence: Evidence, time: int, has_exit: bool) -> str | None:
    found = (
        one.kind
        for one in evidence.causes
        if one.silence and one.has_exit == has_exit and one.since <= time < one.until
    )
    return next(found, None)


def fix_reason(evidence: Evidence, time: int) -> str | None:
    """The reason that the newest fix or a page out of view gives."""
    age = evidence.known.settings.max_fix_age
    recent = [
        one for one in evidence.counting if one.ping.is_fix and time - age < one.time <= time
    ]
    # Of two at the same instant, the worse says it.
    if any(one.ping.is_mock for one in recent if one.time == recent[-1].time):
        return "mock_location"
    if recent and not pings.proves_position(
        recent[-1].ping, evidence.known.settings.accuracy_max
    ):
        return "low_accuracy"
    return "page_hidden" if holding(evidence.hidden, time) else None


def phase_reason(evidence: Evidence, stint: Stint, time: int) -> str | None:
    """`waiting_first_fix` or `resuming`."""
    known = evidence.known
    earliest = max(stint.start, known.shift.shown.start)
    begins = [one.end for one in known.shift.breaks if one.end > earliest]
    begins.append(stint.start)
    restorations = known.in_force(stint).restorations(stint.start)
    if any(awaits_fix(evidence, begin, time) for begin in begins):
        return "waiting_first_fix"
    if any(awaits_fix(evidence, begin, time) for begin in restorations):
        return "resuming"
    return None


def awaits_fix(evidence: Evidence, begin: int, time: int) -> bool:
    age = evidence.known.settings.max_fix_age
    has_fix = any(begin <= one <= time for one in evidence.proofs)
    return begin <= time < begin + age and not has_fix


def gap(evidence: Evidence, time: int) -> Span:
    """The longest span around an instant that is work and not tracked."""
    shift = evidence.known.shift
    holes = sorted(
        [*evidence.tracked, *(Span(one.start, one.end) for one in shift.breaks)],
        key=lambda one: one.start,
    )
    start = max((one.end for one in holes if one.end <= time), default=shift.start)
    end = min((one.start for one in holes if one.start > time), default=shift.end)
    return Span(start, end)


def silence_reason(evidence: Evidence, time: int) -> str:
    spans = {"no_contact": [], "no_fix": []}
    for one in evidence.incidents:
        if one.kind in spans:
            spans[one.kind].append(Span(one.start, NEVER if one.end is None else one.end))
    shift = evidence.known.shift
    was_offline = shift.receipt - shift.start > OFFLINE
    if holding(spans["no_contact"], time) or (was_offline and time < shift.receipt):
        return "no_contact"
    around = gap(evidence, time)
    opens_later = any(time < one.start < around.end for one in spans["no_contact"])
    if opens_later and not holding(spans["no_fix"], time):
        return "no_contact"
    return "no_fix"


def instants(evidence: Evidence) -> list[int]:
    """Every instant at which what holds may change."""
    known = evidence.known
    age = known.settings.max_fix_age
    shift = known.shift
    spans = [*evidence.tracked, *evidence.hidden, *known.rests, *known.outages]
    times = {shift.start, shift.end, shift.shown.start, shift.receipt}
    times |= {shift.kept.start, shift.kept.end}
    for span in [*spans, *shift.breaks, *shift.stints]:
        times |= {span.start, span.end, span.start + age, span.end + age}
    for one in evidence.incidents:
        times |= {one.start, NEVER if one.end is None else one.end}
    for one in evidence.counting:
        times |= {one.time, one.time + age}
    for one in evidence.causes:
        times |= {one.since, one.until}
    for stint in shift.stints:
        changes = known.in_force(stint).changes()
        times |= set(changes) | {one + age for one in changes}
    return sorted(times)


def coverage(known: Knowledge) -> Coverage:
    evidence = gather(known)
    shift = known.shift
    end = min(shift.shown.end, known.now)
    segments: list[Segment] = []
    for time in instants(evidence):
        if not shift.shown.start <= time < end:
            continue
        here = present(evidence, time)
        if not segments or replace(segments[-1], start=time) != here:
            segments.append(here)
    return Coverage(tuple(segments), end)


def tracking_state(known: Knowledge | None) -> str:
    """The state of the last shift at `now`, and the reason where it is not tracked."""
    if known is None or not known.shift.is_open:
        return "off_shift"
    here = present(gather(known), known.now)
    if here.reason == "tracked":
        return "at_risk" if here.is_at_risk else "tracked"
    return "on_break" if here.reason == "on_break" else f"not_tracked {here.reason}"

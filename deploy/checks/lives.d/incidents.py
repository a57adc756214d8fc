"""The incidents of a shift, from everything received so far (section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

import explanations
import pings
import reports
import silences
from explanations import Explanation
from records import NEVER, Request, Settings, Span
from reports import CANNOT_LOCATE, DIMENSIONS, InForce
from silences import Quiet, Silence
from timeline import Shift, Stint


@dataclass(frozen=True)
class Incident:
    kind: str
    start: int
    end: int | None
    closing: str | None
    is_at_clock_in: bool = False
    is_inferred: bool = False
    explained: str | None = None


@dataclass(frozen=True)
class Work:
    """A span of one device's tracking outside breaks, and why it ends.

    `begun` is when the service learnt that it began, `ended` that it ended.
    """

    stint: Stint
    span: Span
    closing: str
    begun: int
    ended: int


def works(shift: Shift, stint: Stint) -> list[Work]:
    found = []
    for span in shift.working(Span(stint.start, stint.end)):
        before = next((one for one in shift.breaks if one.end == span.start), None)
        after = next((one for one in shift.breaks if one.start == span.end), None)
        following = next((one for one in shift.stints if one.start == span.end), None)
        begun = before.end_receipt if before and span.start > stint.start else stint.receipt
        if span.end == shift.end:
            closing, ended = "shift_ended", shift.end_receipt
        elif after:
            closing, ended = "break_started", after.receipt
        else:
            closing, ended = "device_changed", following.receipt
        found.append(Work(stint, span, closing, begun, ended))
    return found


@dataclass(frozen=True)
class Knowledge:
    """What the service knows of a shift at a time."""

    shift: Shift
    requests: tuple[Request, ...]
    outages: tuple[Span, ...]
    settings: Settings
    now: int

    @property
    def counting(self) -> list[pings.Stored]:
        return pings.counting(self.shift, self.requests)

    def placed(self, device: str) -> tuple[reports.Placed, ...]:
        return reports.in_order(self.requests, device)

    def in_force(self, stint: Stint) -> InForce:
        placed = self.placed(stint.device)
        return InForce.since(stint.start, stint.receipt, placed, self.settings.fresh_for)

    def receipts(self, device: str) -> tuple[int, ...]:
        return tuple(one.at for one in self.requests if one.sender == device)

    @cached_property
    def rests(self) -> list[silences.Known]:
        return [self.while_tracking(one) for one in silences.rests(self.heard)]

    @cached_property
    def hidden(self) -> list[silences.Known]:
        return [self.while_tracking(one) for one in silences.hidden(self.heard)]

    @property
    def heard(self) -> silences.Heard:
        shift = self.shift
        return silences.Heard(self.counting, self.requests, self.settings, shift.end_receipt)

    def while_tracking(self, span: silences.Known) -> silences.Known:
        """A span that a device announced, up to the next take-over."""
        stint = next(one for one in self.shift.stints if one.start <= span.start < one.end)
        return replace(span, end=min(span.end, stint.end))

    def as_recorded(self) -> Knowledge:
        """The same without corrections."""
        return replace(self, shift=replace(self.shift, corrections=()))


def kinds(in_force: InForce, dimension: str, explained: list[Explanation], time: int):
    """The kind of a dimension at a time, and whether it is inferred."""
    for one in explained:
        if one.has_exit and one.dimension == dimension and one.since <= time < one.until:
            return one.kind, True
    return in_force.findings(time).get(dimension), False


def reported(known: Knowledge, work: Work, explained: list[Explanation]) -> list[Incident]:
    """The incidents of the reported dimensions within a span of work."""
    in_force = known.in_force(work.stint)
    span = work.span
    times = {*in_force.changes(), *(one.since for one in explained)}
    cuts = [span.start, *sorted(one for one in times if span.start < one < span.end)]
    found = []
    for dimension in DIMENSIONS:
        start, (kind, is_inferred) = cuts[0], kinds(in_force, dimension, explained, cuts[0])
        for time in cuts[1:]:
            next_kind, next_inferred = kinds(in_force, dimension, explained, time)
            if next_kind == kind:
                continue
            if kind:
                closing = "changed" if next_kind else "restored"
                found.append(Incident(kind, start, time, closing, is_inferred=is_inferred))
            start, kind, is_inferred = time, next_kind, next_inferred
        if kind:
            is_open = span.end == NEVER
            end, closing = (None, None) if is_open else (span.end, work.closing)
            found.append(Incident(kind, start, end, closing, is_inferred=is_inferred))
    return found


def blind(found: list[Incident]) -> list[Span]:
    """The time in which a device cannot locate."""
    spans = sorted(
        (one.start, NEVER if one.end is None else one.end)
        for one in found
        if one.kind in CANNOT_LOCATE
    )
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(end, merged[-1].end))
        else:
            merged.append(Span(start, end))
    return merged


def blind_at(known: Knowledge, work: Work):
    """Answers when a device could not locate, as known at a moment."""

    @cache
    def answer(moment: int) -> list[Span]:
        early = tuple(one for one in known.requests if one.at <= moment)
        then = replace(known, requests=early, now=moment)
        unheard = silences.no_contacts(quiet(then, work))
        return blind(reported(then, work, explained(then, work.stint, unheard)))

    return answer


def unheard_at(known: Knowledge, work: Work):
    """Answers which `no_contact` had fallen due, as known at a moment."""

    @cache
    def answer(moment: int) -> list[Silence]:
        early = tuple(one for one in known.requests if one.at <= moment)
        then = quiet(replace(known, requests=early, now=moment), work)
        if work.ended > moment:
            then = replace(then, span=Span(work.span.start, NEVER))
        return silences.no_contacts(then)

    return answer


def quiet(known: Knowledge, work: Work) -> Quiet:
    span = work.span
    excused = sorted(
        (one for one in known.rests + known.hidden if one.end >= span.start),
        key=lambda one: one.start,
    )
    waives_receipt = known.settings.begins_at_own_time
    taken_over = 0 if waives_receipt else work.stint.receipt
    return Quiet(
        span=span,
        closing=work.closing,
        ended=work.ended,
        anchor=max(span.start, known.shift.receipt, taken_over),
        begun=max(span.start, known.shift.receipt) if waives_receipt else work.begun,
        receipts=known.receipts(work.stint.device),
        excused=tuple(excused),
        outages=known.outages,
        max_fix_age=known.settings.max_fix_age,
        no_fix_grace=known.settings.no_fix_grace,
        no_fix_notice=known.settings.no_fix_notice,
        forgets_before_position=known.settings.forgets_before_position,
        carries_only_fixes=known.settings.carries_only_fixes,
        first_of_tie_carries=known.settings.first_of_tie_carries,
        now=known.now,
    )


def positions(known: Knowledge, work: Work) -> list[pings.Stored]:
    """The fixes of a span of work, and what says that the device's last fix is still valid."""
    fixes = [one.time for one in known.counting if one.ping.is_fix]
    return [
        one
        for one in known.counting
        if one.device == work.stint.device
        and work.span.start <= one.time < work.span.end
        and (one.ping.is_fix or (one.ping.is_stationary and fixes and fixes[0] <= one.time))
    ]


def explained(known: Knowledge, stint: Stint, unheard: list[Silence]) -> list[Explanation]:
    def tracked_until(time: int) -> int:
        ends = [min(one.end, time) for one in tracked(known) if one.start < time]
        return max([stint.start, *ends])

    placed = known.placed(stint.device)
    return explanations.explanations(
        unheard, placed, known.receipts(stint.device), tracked_until
    ) + explanations.exits([one for one in placed if one.counts_from < stint.end])


@lru_cache(maxsize=256)
def incidents(known: Knowledge) -> list[Incident]:
    """All incidents of a shift, in order of their start: those recorded, cut to its times."""
    corrected, known = known.shift, known.as_recorded()
    found = []
    for stint in known.shift.stints:
        spans = works(known.shift, stint)
        unheard = {work: silences.no_contacts(quiet(known, work)) for work in spans}
        causes = explained(known, stint, [one for some in unheard.values() for one in some])
        for work in spans:
            here = reported(known, work, causes)
            unlocated = silences.no_fixes(
                quiet(known, work),
                positions(known, work),
                blind_at(known, work),
                unheard_at(known, work),
                unheard[work],
            )
            found += here
            found += [incident(one, causes) for one in (*unheard[work], *unlocated)]
    found = [cut(noted(one, known), corrected) for one in found]
    return sorted((one for one in found if one), key=lambda one: (one.start, one.kind))


def cut(one: Incident, shift: Shift) -> Incident | None:
    """What a correction leaves of an incident."""
    if not shift.corrections:
        return one
    start, end = max(one.start, shift.kept.start), one.end
    closing = one.closing
    if end is None or end > shift.kept.end:
        end, closing = shift.kept.end, "shift_ended"
    return replace(one, start=start, end=end, closing=closing) if start < end else None


def causes_of_shift(known: Knowledge) -> list[Explanation]:
    """What explains the incidents that a correction leaves."""
    found = []
    recorded = known.as_recorded()
    for stint in recorded.shift.stints:
        spans = works(recorded.shift, stint)
        unheard = [one for work in spans for one in silences.no_contacts(quiet(recorded, work))]
        left = [one for one in unheard if cut(incident(one, []), known.shift)]
        found += explained(known, stint, left)
    return found


def incident(silence: Silence, causes: list[Explanation]) -> Incident:
    is_open = silence.end == NEVER
    end, closing = (None, None) if is_open else (silence.end, silence.closing)
    cause = next((one.kind for one in causes if one.silence == silence), None)
    return Incident(silence.kind, silence.start, end, closing, explained=cause)


def noted(one: Incident, known: Knowledge) -> Incident:
    """An incident that opened at the start of its shift says so."""
    return replace(one, is_at_clock_in=one.start == known.shift.start)


def proofs_and_denials(known: Knowledge) -> tuple[list[int], list[int]]:
    """When a position was proved, and when a device that tracked said it cannot locate."""
    accuracy_max = known.settings.accuracy_max
    proofs = [
        one.time for one in known.counting if pings.proves_position(one.ping, accuracy_max)
    ]
    stints = list(known.shift.stints)
    if known.settings.tracks_added_time:
        added = [one.start for one in known.shift.corrections]
        stints[0] = replace(stints[0], start=min([stints[0].start, *added]))
    denials = [
        one.counts_from
        for stint in stints
        for one in known.placed(stint.device)
        if stint.start <= one.counts_from < stint.end and reports.cannot_locate(one.report)
    ]
    return proofs, sorted(denials)


def tracked(known: Knowledge) -> list[Span]:
    """What was tracked, breaks not yet left out; the spans are disjoint and sorted."""
    proofs, denials = proofs_and_denials(known)
    still = [
        Span(one.time, one.time)
        for one in known.counting
        if one.ping.is_stationary and not one.ping.is_fix
    ]
    spans = [Span(time, time) for time in proofs] + still + known.rests
    found: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if not proofs or proofs[0] > span.end:
            continue
        span = Span(max(span.start, proofs[0]), span.end)
        cut = min((time for time in denials if time >= span.start), default=NEVER)
        end = min(span.end + known.settings.max_fix_age, cut)
        if span.start >= end:
            continue
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, end))
        else:
            found.append(Span(span.start, end))
    return found

"""What the open app is told (section 4, Notifications)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import incidents
import reports
import timeline
from incidents import Knowledge
from records import SECOND, Request, Settings, Span
from reports import CANNOT_LOCATE, RANK

# The reported dimensions, by the kinds of their incidents.
DIMENSION_OF = {
    "restricted": "authorization",
    "denied": "authorization",
    "not_determined": "authorization",
    "when_in_use": "authorization",
    "services_off": "services",
    "accuracy_reduced": "accuracy",
    "mock_location": "mock",
    "no_contact": "no_contact",
    "no_fix": "no_fix",
}

# With these a position is still proved: an end may say that tracking resumed.
AT_RISK = ("accuracy_reduced", "when_in_use")

# What was accepted falls once the device has reported the dimension better for so long.
FALLS_AFTER = 60 * SECOND


@dataclass(frozen=True)
class Message:
    at: int
    topic: str


@dataclass(frozen=True)
class Delay:
    """How late the service notices each kind of silence, the end of each, and the end of a debounce.

    `ends_first`: a debounce's end comes before what else happens at its very millisecond.
    """

    contact: int = 0
    fix: int = 0
    contact_end: int = 0
    fix_end: int = 0
    debounce: int = 0
    ends_first: bool = False

    def of_end(self, kind: str) -> int:
        return {"no_contact": self.contact_end, "no_fix": self.fix_end}.get(kind, 0)


def is_worse(kind: str | None, other: str | None) -> bool:
    if kind is None:
        return False
    return other is None or RANK.index(kind) < RANK.index(other)


def accepted(known: Knowledge, dimension: str, time: int) -> str | None:
    """The worst kind of a dimension that the employee was shown and went on with."""
    shift = known.shift
    in_force = known.in_force(shift.stints[0])
    early = tuple(one for one in known.requests if one.at <= shift.receipt)
    shown = replace(known, requests=early).in_force(shift.stints[0])
    kind = shown.findings(shift.start).get(dimension)
    better_since, before = None, kind
    paused = {one for pause in shift.breaks for one in (pause.start, pause.end)}
    times = sorted({shift.start, *in_force.changes(), *paused, time})
    for at in (one for one in times if shift.start <= one <= time):
        if better_since is not None and at - better_since >= FALLS_AFTER:
            kind = before
        now = in_force.findings(at).get(dimension)
        if not is_worse(kind, now) or shift.break_at(at):
            better_since = None
        elif better_since is None or at in paused:
            better_since = at
        before = now
    return kind


@dataclass(frozen=True)
class Present:
    """What holds in each dimension, and the accepted kinds that are open beside it."""

    holds: dict[str, str]
    accepted: frozenset[str]


def present(known: Knowledge, told: dict[str, str], delay: Delay) -> Present:
    holds = {}
    went_on_with = set()
    for one in incidents.incidents(known):
        noticed = noticed_at(one, known.settings, delay)
        if is_over(one, known, delay) or (noticed is not None and noticed > known.now):
            continue
        dimension = DIMENSION_OF[one.kind]
        limit = accepted(known, dimension, one.start)
        was_named = told.get(dimension) == one.kind
        if limit is None or is_worse(one.kind, limit) or was_named:
            holds[dimension] = one.kind
        else:
            went_on_with.add(one.kind)
    if set(told.values()) & set(CANNOT_LOCATE):
        holds.pop("no_contact", None)
    return Present(holds, frozenset(went_on_with))


def compared(now: Present, told: dict[str, str]) -> tuple[str | None, dict[str, str]]:
    """The topic of the message that the end of a debounce brings, and what is told from then on.

    Where one dimension is worse and another better, the end says both. What it names as left is
    told.
    """
    holds = now.holds
    if holds == told:
        return None, told
    alarm = reports.worst({kind for name, kind in holds.items() if is_worse(kind, told.get(name))})
    if alarm and not any(is_worse(kind, holds.get(name)) for name, kind in told.items()):
        return f"incident/{alarm}", holds
    left = reports.worst({*holds.values(), *now.accepted})
    if left is None:
        return "restored", holds
    topic = f"restored/{left}" if left in AT_RISK else f"incident/{left}"
    return topic, holds | {DIMENSION_OF[left]: left}


def is_over(one: incidents.Incident, known: Knowledge, delay: Delay) -> bool:
    """Whether the service has noticed its end: that of a silence it could know for a while."""
    if one.end is None or one.end > known.now:
        return False
    if not delay.of_end(one.kind):
        return True
    then = known.now - delay.of_end(one.kind)
    requests = tuple(request for request in known.requests if request.at <= then)
    return any(
        (other.kind, other.start) == (one.kind, one.start) and other.end is not None
        for other in incidents.incidents(replace(known, requests=requests, now=then))
    )


def noticed_at(one: incidents.Incident, settings: Settings, delay: Delay) -> int | None:
    """When the service notices a silence; `None`: it is no silence."""
    latest = settings.no_fix_grace + settings.no_fix_notice + delay.fix
    late = {"no_contact": delay.contact, "no_fix": latest}
    return one.start + late[one.kind] if one.kind in late else None


def commits(
    requests: list[Request], outages: list[Span], settings: Settings, until: int, delay: Delay
) -> list[int]:
    """When the service learns something, by requests or by the time that passes."""
    ends = (0, delay.contact_end, delay.fix_end)
    times = {one.at + end for one in requests for end in ends}
    for index, now in enumerate([*sorted(times), until]):
        early = [one for one in requests if one.at < now or (one.at == now and index == 0)]
        for shift in timeline.shifts(early):
            known = Knowledge(shift, tuple(early), tuple(outages), settings, now)
            for one in incidents.incidents(known):
                ended = None if one.end is None else one.end + delay.of_end(one.kind)
                times |= {noticed_at(one, settings, delay), ended} - {None}
    return sorted(one for one in times if one <= until)


def messages(
    requests: list[Request], outages: list[Span], settings: Settings, until: int, delay: Delay
) -> list[Message]:
    """What the open app of the only device is told."""
    found: list[Message] = []
    told: dict[str, str] = {}
    number = 0
    ends: int | None = None
    early: list[Request] = []
    pending = commits(requests, outages, settings, until, delay)
    while pending or ends is not None:
        at = min([*pending[:1], *([ends] if ends is not None else [])])
        is_end = at == ends and (delay.ends_first or at not in pending[:1])
        if is_end:
            ends = None
        else:
            received = [one for one in requests if one.at <= at]
            early = received[: len(early) + 1] if delay.ends_first else received
            if len(early) == len(received):
                pending = pending[1:]
        shifts = timeline.shifts(early)
        if len(shifts) != number:
            number, told, ends = len(shifts), {}, None
        if not shifts or not shifts[-1].is_open or shifts[-1].on_break:
            continue
        known = Knowledge(shifts[-1], tuple(early), tuple(outages), settings, at)
        now = present(known, told, delay)
        if is_end:
            topic, told = compared(now, told)
            if topic:
                found.append(Message(at, topic))
        elif now.holds != told and ends is None:
            ends = at + settings.debounce + delay.debounce
    return [one for one in found if one.at <= until]

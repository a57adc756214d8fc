"""The same life with requests that arrive later than planned, and when two accounts agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import coverage
import incidents
import scenario
from coverage import Coverage
from incidents import Incident
from records import SECOND, Ping, Request, Settings

# Times of two accounts that agree differ at most by this.
SLACK = SECOND

# How much later than planned a request arrives, at most.
LATEST = 400


def shifted(time: int | None, delay: int) -> int | None:
    return None if time is None else time + delay


def delayed(request: Request, delay: int) -> Request:
    """A request that arrives so much later. What it holds has the same age then, and the same time
    on the phone's clock."""
    if request.sender == "M":
        return replace(request, at=request.at + delay)
    return replace(
        request,
        at=request.at + delay,
        skew=request.skew - delay,
        time=shifted(request.time, delay),
        fix=request.fix and later_ping(request.fix, delay),
        pings=tuple(later_ping(one, delay) for one in request.pings),
        reports=tuple(
            replace(one, time=one.time + delay, exit_at=shifted(one.exit_at, delay))
            for one in request.reports
        ),
    )


def later_ping(ping: Ping, delay: int) -> Ping:
    return replace(ping, time=ping.time + delay, rest_until=shifted(ping.rest_until, delay))


def jittered(life, random: Random):
    """The life with requests that arrive a little later, in the same order."""
    steps = []
    before = 0
    for step in life.steps:
        if step.verb != "check":
            before = max(before, step.at + random.randint(0, LATEST))
            step = delayed(step, before - step.at)
        steps.append(step)
    return replace(life, steps=tuple(steps))


@dataclass(frozen=True)
class Account:
    """What is said of an employee at a moment: of each of the newest shifts its number, incidents
    and coverage, and the tracking state."""

    shifts: tuple[tuple[int, list[Incident], Coverage], ...]
    tracking: str


def account(requests: list[Request], settings: Settings, now: int) -> Account:
    known = scenario.knowledge(requests, [], settings, now)
    shifts = [
        (number, incidents.incidents(one), coverage.coverage(one))
        for number, one in enumerate(known, start=1)
    ]
    return Account(tuple(shifts[-2:]), coverage.tracking_state(known[-1] if known else None))


def accounts(life) -> list[Account]:
    """What is expected at each check of a life."""
    requests: list[Request] = []
    found = []
    for step in life.steps:
        if step.verb == "check":
            found.append(account(requests, life.settings, step.at))
        else:
            requests.append(step)
    return found


def differences(expected: Account, found: Account) -> list[str]:
    """What differs by more than a little delay."""
    lines = []
    if expected.tracking != found.tracking:
        lines.append(f"expected tracking {expected.tracking}, found {found.tracking}")
    if [number for number, *_ in expected.shifts] != [number for number, *_ in found.shifts]:
        return [*lines, "expected other shifts"]
    for (number, told, covered), (_, other, other_covered) in zip(
        expected.shifts, found.shifts, strict=True
    ):
        if not is_same(told, other):
            words = [
                "; ".join(scenario.incident_words(one) for one in some) for some in (told, other)
            ]
            lines.append(f"expected incidents {number}: {words[0]}, found {words[1]}")
        if not is_covered_alike(covered, other_covered):
            words = [
                "; ".join(scenario.segment_words(one) for one in some.segments)
                for some in (covered, other_covered)
            ]
            lines.append(f"expected coverage {number}: {words[0]}, found {words[1]}")
    return lines


def is_close(time: int | None, other: int | None) -> bool:
    if time is None or other is None:
        return time == other
    return abs(time - other) <= SLACK


def is_same(some: list[Incident], others: list[Incident]) -> bool:
    some, others = ordered(some), ordered(others)
    return len(some) == len(others) and all(
        (one.kind, one.closing, one.explained) == (other.kind, other.closing, other.explained)
        and is_close(one.start, other.start)
        and is_close(one.end, other.end)
        for one, other in zip(some, others, strict=True)
    )


def ordered(found: list[Incident]) -> list[Incident]:
    return sorted(found, key=lambda one: (one.kind, one.start))


def is_covered_alike(some: Coverage, other: Coverage) -> bool:
    """Whether two coverages of a shift differ only for moments."""
    end = min(some.end, other.end)
    starts = {one.start for both in (some, other) for one in both.segments if one.start < end}
    return all(
        following - time <= SLACK or holds(some, time) == holds(other, time)
        for time, following in pairwise([*sorted(starts), end])
    )


def holds(covered: Coverage, time: int):
    begun = [one for one in covered.segments if one.start <= time]
    return replace(begun[-1], start=0) if begun else None

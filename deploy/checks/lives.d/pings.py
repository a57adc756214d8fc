"""Which pings are stored, and which of them count (sections 3 and 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import timeline
from records import SECOND, Ping, Request, effective
from timeline import Shift

# A fix up to this long before its device's clock-in counts at the start.
BEFORE_CLOCK_IN = SECOND


@dataclass(frozen=True)
class Stored:
    """A ping that the service stored. `index` is that of the request that carried it."""

    ping: Ping
    device: str
    time: int
    receipt: int
    index: int
    is_of_action: bool = False


def outcome(ping: Ping, device: str, receipt: int, shifts: tuple[Shift, ...]) -> str:
    """`stored`, or why the ping is refused."""
    time = effective(ping.time, receipt)
    shift = next((one for one in shifts if one.contains(time)), None)
    if shift is None:
        shift = next((one for one in shifts if begins_with(one, device, time)), None)
        return "stored" if shift else "refused no_shift"
    pause = shift.break_at(time)
    if pause and (pause.end_receipt <= receipt or time >= pause.receipt):
        return "refused on_break"
    if shift.device_at(time) != device:
        return "refused not_tracking_device"
    return "stored"


def begins_with(shift: Shift, device: str, time: int) -> bool:
    """Whether a fix from just before a clock-in counts at its start."""
    is_near = shift.start - BEFORE_CLOCK_IN <= time < shift.start
    return is_near and shift.stints[0].device == device


@lru_cache(maxsize=4_096)
def stored(requests: tuple[Request, ...]) -> list[Stored]:
    """What was stored, judged at each receipt by what was known then."""
    found: list[Stored] = []
    known = set()
    for index, request in enumerate(requests):
        shifts = timeline.shifts(requests[:index]) if request.pings else []
        for ping in request.pings:
            key = (request.sender, ping.time + request.skew, ping.is_fix)
            if key in known:
                continue
            if outcome(ping, request.sender, request.at, shifts) == "stored":
                known.add(key)
                time = effective(ping.time, request.at)
                found.append(Stored(ping, request.sender, time, request.at, index))
    return found


@lru_cache(maxsize=4_096)
def counting(shift: Shift, requests: tuple[Request, ...]) -> list[Stored]:
    """The pings that count in a shift, in order of time, its clock actions' fixes among them."""
    found = []
    shifts = timeline.shifts(requests)
    for one in stored(requests) + action_fixes(shift, requests):
        # Received before the clock-in, it was of another shift, and is sealed with its end.
        is_early = not one.is_of_action and one.receipt >= shift.receipt
        is_early = is_early and begins_with(shift, one.device, one.time)
        is_early = is_early and not any(other.contains(one.time) for other in shifts)
        time = shift.start if is_early else one.time
        counts = shift.contains(time) and shift.device_at(time) == one.device
        # One of the clock-out lies where no phone tracked.
        is_added = one.is_of_action and one.receipt == shift.receipt and time < shift.start
        is_added = is_added and shift.shown.contains(time)
        if (counts or is_added) and not shift.break_at(time):
            found.append(replace(one, time=time))
    return sorted(found, key=lambda one: (one.time, one.index))


def action_fixes(shift: Shift, requests: tuple[Request, ...]) -> list[Stored]:
    """The fixes that came with the shift's own clock-in and clock-out.

    That of a clock-in counts at the start at the earliest; under a correction at its own time.
    """
    found = []
    for index, request in enumerate(requests):
        if request.fix is None:
            continue
        time = effective(request.fix.time, request.at)
        if request.verb == "clock-in" and request.at == shift.receipt:
            time = time if shift.shown.start != shift.start else max(time, shift.start)
        elif request.verb != "clock-out" or request.at != shift.end_receipt:
            continue
        found.append(Stored(request.fix, request.sender, time, request.at, index, True))
    return found


def proves_position(ping: Ping, accuracy_max: int | None) -> bool:
    is_exact = accuracy_max is None or ping.accuracy is None or ping.accuracy <= accuracy_max
    return ping.is_fix and not ping.is_mock and is_exact

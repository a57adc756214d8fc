"""Shifts, breaks and tracking devices, from the clock actions received so far (section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from records import NEVER, OFFLINE, Request, Span, effective, without


@dataclass(frozen=True)
class Break:
    start: int
    receipt: int
    end: int = NEVER
    end_receipt: int = NEVER


@dataclass(frozen=True)
class Stint:
    """A span in which one device tracks. `receipt` is that of the request that began it."""

    device: str
    start: int
    receipt: int
    end: int = NEVER


@dataclass(frozen=True)
class Shift:
    start: int
    receipt: int
    stints: tuple[Stint, ...]
    end: int = NEVER
    end_receipt: int = NEVER
    breaks: tuple[Break, ...] = ()
    # The times that managers gave it, the newest last.
    corrections: tuple[Span, ...] = ()

    @property
    def shown(self) -> Span:
        """Its times, as corrected; `start` and `end` are what was recorded."""
        return self.corrections[-1] if self.corrections else Span(self.start, self.end)

    @cached_property
    def kept(self) -> Span:
        """The recorded times that no correction has taken: the rest of `shown` was brought in."""
        spans = [Span(self.start, self.end), *self.corrections]
        return Span(max(one.start for one in spans), min(one.end for one in spans))

    @property
    def is_open(self) -> bool:
        return self.end == NEVER

    @property
    def on_break(self) -> bool:
        return bool(self.breaks) and self.breaks[-1].end == NEVER

    @property
    def device(self) -> str:
        return self.stints[-1].device

    def contains(self, time: int) -> bool:
        return self.kept.contains(time)

    def break_at(self, time: int) -> Break | None:
        if not self.kept.contains(time):
            return None
        return next((one for one in self.breaks if one.start <= time < one.end), None)

    def device_at(self, time: int) -> str | None:
        return next((one.device for one in self.stints if one.start <= time < one.end), None)

    def working(self, span: Span) -> list[Span]:
        """What of a span is recorded as shift outside breaks."""
        start, end = max(span.start, self.start), min(span.end, self.end)
        if start >= end:
            return []
        return without(Span(start, end), [Span(one.start, one.end) for one in self.breaks])


def shifts(requests: Sequence[Request]) -> tuple[Shift, ...]:
    """All shifts, in the order of their clock-ins."""
    return shifts_of(tuple(requests))


@lru_cache(maxsize=4_096)
def shifts_of(requests: tuple[Request, ...]) -> tuple[Shift, ...]:
    found: list[Shift] = []
    for request in requests:
        if request.verb == "clock-in":
            if not found or not found[-1].is_open:
                found.append(begun(request))
        elif request.verb == "correct":
            found[request.subject - 1] = corrected(found[request.subject - 1], request)
        elif request.verb == "undo":
            shift = found[request.subject - 1]
            found[request.subject - 1] = replace(shift, corrections=shift.corrections[:-1])
        elif found and found[-1].is_open and request.verb in EFFECTS:
            found[-1] = after(found[-1], request) or found[-1]
    return tuple(found)


def status(requests: list[Request], request: Request) -> int:
    """How a clock action is answered after these requests."""
    found = shifts(requests)
    shift = found[-1] if found and found[-1].is_open else None
    refused = 202 if request.at - occurred(request) > OFFLINE else 409
    if request.verb == "clock-in":
        if shift is None:
            return 201
        return 200 if shift.device == request.sender else refused
    return 200 if shift and after(shift, request) else refused


def occurred(request: Request) -> int:
    return effective(request.at if request.time is None else request.time, request.at)


def corrected(shift: Shift, request: Request) -> Shift:
    start = shift.shown.start if request.time is None else request.time
    end = shift.shown.end if request.end is None else request.end
    return replace(shift, corrections=(*shift.corrections, Span(start, end)))


def after(shift: Shift, request: Request) -> Shift | None:
    """The open shift after an action; `None`: it contradicts what is recorded, and has no effect."""
    if is_before_take_over(shift, request):
        return None
    return EFFECTS[request.verb](shift, request, occurred(request))


def is_before_take_over(shift: Shift, request: Request) -> bool:
    """Whether an action's time lies before a take-over on another device."""
    last = shift.stints[-1]
    is_elsewhere = len(shift.stints) > 1 and request.sender != last.device
    return is_elsewhere and occurred(request) < last.start


def begun(request: Request) -> Shift:
    start = occurred(request)
    return Shift(start, request.at, (Stint(request.sender, start, request.at),))


def clock_out(shift: Shift, request: Request, time: int) -> Shift | None:
    if time <= shift.start:
        return None
    ended = break_end(shift, request, time) or shift
    stints = (*ended.stints[:-1], replace(ended.stints[-1], end=time))
    return replace(ended, end=time, end_receipt=request.at, stints=stints)


def break_start(shift: Shift, request: Request, time: int) -> Shift | None:
    if shift.on_break:
        return shift
    if time < (shift.breaks[-1].end if shift.breaks else shift.start):
        return None
    return replace(shift, breaks=(*shift.breaks, Break(time, request.at)))


def break_end(shift: Shift, request: Request, time: int) -> Shift | None:
    if not shift.on_break or time <= shift.breaks[-1].start:
        return None
    ended = replace(shift.breaks[-1], end=time, end_receipt=request.at)
    return replace(shift, breaks=(*shift.breaks[:-1], ended))


def take_over(shift: Shift, request: Request, time: int) -> Shift | None:
    last = shift.stints[-1]
    if request.sender == last.device:
        return shift
    if time <= last.start:
        return None
    stints = (*shift.stints[:-1], replace(last, end=time), Stint(request.sender, time, request.at))
    return replace(shift, stints=stints)


EFFECTS = {
    "clock-out": clock_out,
    "break-start": break_start,
    "break-end": break_end,
    "take-over": take_over,
}

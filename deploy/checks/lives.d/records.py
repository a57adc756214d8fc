"""What a life consists of: the requests that the service received, and the settings.

Times are integer milliseconds since midnight of the scenario's day, as a true clock shows them.

What was sent is compared by identity, so that what is derived from it is found again fast.
"""

from __future__ import annotations

from dataclasses import dataclass

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE

# Later than any time of a life: the end of what is still open.
NEVER = 10**12

# A clock action that occurred longer before it was sent was made offline.
OFFLINE = 60 * SECOND

CLOCK_ACTIONS = ("clock-in", "clock-out", "break-start", "break-end", "take-over")


@dataclass(frozen=True, eq=False)
class Report:
    """A permission report. A dimension that it does not name is `unknown`."""

    time: int
    authorization: str = "unknown"
    accuracy: str = "unknown"
    services: str = "unknown"
    mock: str = "unknown"
    sequence: int | None = None
    installation: str | None = None
    exit_at: int | None = None


@dataclass(frozen=True, eq=False)
class Ping:
    """A fix, or a sign of life."""

    time: int
    is_fix: bool = True
    is_mock: bool = False
    accuracy: int | None = None
    is_stationary: bool = False
    announces_rest: bool = False
    rest_until: int | None = None
    is_hidden: bool = False
    # What a sign of life holds in place of a position: nothing, `zero` or `negative`.
    pretence: str = ""


@dataclass(frozen=True, eq=False)
class Request:
    """What a device or a manager sent, in the order of receipt.

    `skew` is how far the device's clock was ahead when it sent this. `time` is when a clock action
    occurred, or the corrected start of a shift, and `end` its corrected end or that of an outage.
    `subject` is the number of the shift that a manager names, and `number` of the correction.
    """

    at: int
    sender: str
    verb: str
    time: int | None = None
    reports: tuple[Report, ...] = ()
    pings: tuple[Ping, ...] = ()
    fix: Ping | None = None
    skew: int = 0
    subject: int | None = None
    end: int | None = None
    number: int | None = None


@dataclass(frozen=True)
class Settings:
    """The settings of a life that the rules look at."""

    preset: str = "standard"
    ping_interval: int = 60 * SECOND
    fresh_for: int = 300 * SECOND
    max_rest: int = 30 * MINUTE
    accuracy_max: int | None = None
    debounce: int = 2 * SECOND
    # Whether the notifications are expected too.
    is_told: bool = False
    # How long after its deadline `no_fix` opens, and how long after it may the service notices.
    no_fix_grace: int = 5 * SECOND
    no_fix_notice: int = 0
    # Readings that the service follows now and then; a life in which one of them matters is left
    # out (see `clarity`).
    # Whether only what is received after the last position was shows that the phone is alive.
    forgets_before_position: bool = False
    # Whether a request that carried a stationary sign of life shows that the phone is alive.
    carries_only_fixes: bool = False
    # Whether of several last positions of the same time the first received is meant there.
    first_of_tie_carries: bool = False
    # Whether silences count from an offline break end or take-over itself, not from its receipt.
    begins_at_own_time: bool = False
    # Whether of time that a correction adds before a shift the device had tracked.
    tracks_added_time: bool = False
    # Whether a ping or report that arrives after a later one, or after the shift, ends no rest and
    # no hidden time.
    late_words_end_nothing: bool = False

    @property
    def max_fix_age(self) -> int:
        return max(120 * SECOND, 3 * self.ping_interval)


@dataclass(frozen=True)
class Span:
    """A half-open span of time."""

    start: int
    end: int

    def contains(self, time: int) -> bool:
        return self.start <= time < self.end


def effective(time: int, receipt: int) -> int:
    """A record's effective time: its receipt less its age, and an age is never negative."""
    return min(time, receipt)


def holding(spans: list[Span], time: int) -> bool:
    return any(span.contains(time) for span in spans)


def without(span: Span, holes: list[Span]) -> list[Span]:
    """What is left of a span outside of sorted holes."""
    rest = []
    start = span.start
    for hole in holes:
        if hole.end <= start or hole.start >= span.end:
            continue
        if start < hole.start:
            rest.append(Span(start, hole.start))
        start = hole.end
    if start < span.end:
        rest.append(Span(start, span.end))
    return rest

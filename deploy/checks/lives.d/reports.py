"""Which permission report is in force, by dimension (section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import timeline
from records import CLOCK_ACTIONS, Report, Request, effective

# Worst first. The order of rank when several hold at once.
CANNOT_LOCATE = ("restricted", "services_off", "denied", "not_determined")
RANK = (
    *CANNOT_LOCATE,
    "no_contact",
    "no_fix",
    "mock_location",
    "accuracy_reduced",
    "when_in_use",
)

DIMENSIONS = ("authorization", "services", "accuracy", "mock")


@dataclass(frozen=True)
class Placed:
    """A report in the order of its device's reports.

    `counts_from` is its effective time, but not before that of the report preceding it.
    """

    report: Report
    receipt: int
    effective: int
    counts_from: int
    is_of_action: bool


def value(report: Report, dimension: str) -> str:
    return getattr(report, dimension)


def finding(dimension: str, known: str) -> str | None:
    """The impairing finding of a dimension's value."""
    if dimension == "authorization" and known in (
        "restricted",
        "denied",
        "not_determined",
        "when_in_use",
    ):
        return known
    if dimension == "services" and known == "off":
        return "services_off"
    if dimension == "accuracy" and known == "reduced":
        return "accuracy_reduced"
    if dimension == "mock" and known == "on":
        return "mock_location"
    return None


def worst(findings: set[str]) -> str | None:
    return min(findings, key=RANK.index, default=None)


def cannot_locate_kinds(report: Report) -> set[str]:
    """The findings by which a report says that its device cannot locate."""
    found = {finding(name, value(report, name)) for name in DIMENSIONS}
    return found & set(CANNOT_LOCATE)


def cannot_locate(report: Report) -> str | None:
    return worst(cannot_locate_kinds(report))


def is_dropped(before: tuple[Request, ...], request: Request, report: Report, time: int) -> bool:
    """Whether a report is late and from off shift, of which only the newest is kept."""
    is_late = report.sequence is not None and any(
        other.installation == report.installation and (other.sequence or 0) > report.sequence
        for one in before
        if one.sender == request.sender
        for other in one.reports
    )
    if not is_late or request.verb in CLOCK_ACTIONS:
        return False
    return not any(one.start <= time < one.end for one in timeline.shifts(before))


def in_order(requests: Sequence[Request], device: str) -> tuple[Placed, ...]:
    """The reports of a device in their order, without duplicates."""
    return in_order_of(tuple(requests), device)


@lru_cache(maxsize=4_096)
def in_order_of(requests: tuple[Request, ...], device: str) -> tuple[Placed, ...]:
    keyed = []
    seen = set()
    installations: list[str | None] = []
    for index, request in enumerate(requests):
        if request.sender != device:
            continue
        for report in request.reports:
            if report.installation not in installations:
                installations.append(report.installation)
            number = (report.installation, report.sequence)
            if report.sequence is not None and number in seen:
                continue
            time = effective(report.time, request.at)
            if is_dropped(requests[:index], request, report, time):
                continue
            seen.add(number)
            installation = installations.index(report.installation)
            place = (report.sequence, 0) if report.sequence is not None else (index, time)
            is_of_action = request.verb in CLOCK_ACTIONS
            placed = Placed(report, request.at, time, time, is_of_action)
            keyed.append(((installation, *place), placed))
    found: list[Placed] = []
    for _, one in sorted(keyed, key=lambda item: item[0]):
        before = found[-1].counts_from if found else one.effective
        found.append(replace(one, counts_from=max(one.effective, before)))
    return tuple(found)


@dataclass(frozen=True)
class InForce:
    """What was in force on a device from the moment it began to track."""

    placed: tuple[Placed, ...]

    @staticmethod
    def since(begin: int, receipt: int, placed: tuple[Placed, ...], fresh_for: int) -> InForce:
        """A device begins with the report of its clock-in or take-over, which counts by then.

        For what that leaves unknown it begins with what it reported at most `fresh_for` before,
        else with unknown.
        """
        found = []
        for one in placed:
            if one.receipt == receipt and one.is_of_action:
                found.append(replace(one, counts_from=min(one.counts_from, begin)))
            elif one.effective >= begin - fresh_for:
                found.append(one)
        return InForce(tuple(found))

    def findings(self, time: int) -> dict[str, str]:
        """The impairing findings in force at a time, by dimension."""
        known = dict.fromkeys(DIMENSIONS, "unknown")
        for one in self.placed:
            if one.counts_from <= time:
                for name in DIMENSIONS:
                    if value(one.report, name) != "unknown":
                        known[name] = value(one.report, name)
        found = {name: finding(name, known[name]) for name in DIMENSIONS}
        return {name: kind for name, kind in found.items() if kind}

    def cannot_locate(self, time: int) -> str | None:
        return worst(set(self.findings(time).values()) & set(CANNOT_LOCATE))

    def changes(self) -> list[int]:
        return sorted({one.counts_from for one in self.placed})

    def restorations(self, begin: int) -> list[int]:
        """When the device could locate again after it could not."""
        times = [begin, *(time for time in self.changes() if time > begin)]
        could_not = [self.cannot_locate(time) is not None for time in times]
        return [
            time
            for time, before, now in zip(times[1:], could_not, could_not[1:], strict=False)
            if before and not now
        ]

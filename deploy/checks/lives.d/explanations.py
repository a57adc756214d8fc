"""How a report explains the silence before it (section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import reports
from records import NEVER
from reports import Placed
from silences import Silence


@dataclass(frozen=True)
class Explanation:
    """A report's kind, in force from `until`, explains the time from `since`, mostly a silence.

    With an exit the time between takes the kind; without one the kind is only likely.
    """

    silence: Silence | None
    kind: str
    dimension: str
    since: int
    until: int
    has_exit: bool


def dimension_of(kind: str) -> str:
    return "services" if kind == "services_off" else "authorization"


def replaced_at(later: tuple[Placed, ...], dimension: str) -> int:
    """From when a report counts that says something else of a dimension: `unknown` says nothing."""
    says = (one for one in later if reports.value(one.report, dimension) != "unknown")
    return next((one.counts_from for one in says), NEVER)


def explanations(
    silences: list[Silence], placed: tuple[Placed, ...], receipts: tuple[int, ...], tracked_until
) -> list[Explanation]:
    """All explanations of a device's `no_contact` incidents, in the order of its reports.

    `tracked_until` answers when the tracked time before an instant ended.
    """
    found = []
    for silence in silences:
        heard = max((one for one in receipts if one <= silence.start), default=silence.start)
        for index, one in enumerate(placed):
            kind = reports.cannot_locate(one.report)
            if not kind or one.receipt <= silence.start:
                continue
            is_over = silence.closing == "shift_ended" and one.counts_from == silence.end
            replaced = replaced_at(placed[index + 1 :], dimension_of(kind))
            was_in_force = max(one.counts_from, heard) < replaced and not is_over
            if one.counts_from > silence.end or not was_in_force:
                continue
            exit_at = one.report.exit_at
            has_exit = exit_at is not None and exit_at < one.counts_from
            since = exit_at if has_exit else located_until(placed[:index], one, tracked_until)
            found.append(
                Explanation(silence, kind, dimension_of(kind), since, one.counts_from, has_exit)
            )
    return found


def exits(placed: tuple[Placed, ...]) -> list[Explanation]:
    """What reports say of the time since the app ended, silence or not."""
    return [
        Explanation(None, kind, dimension_of(kind), one.report.exit_at, one.counts_from, True)
        for one in placed
        if one.report.exit_at is not None and one.report.exit_at < one.counts_from
        for kind in reports.cannot_locate_kinds(one.report)
    ]


def located_until(before: tuple[Placed, ...], report: Placed, tracked_until) -> int:
    """The end of the tracked time before a report, but not before a report that could locate."""
    could = [
        one.counts_from
        for one in before
        if one.report.authorization != "unknown" and not reports.cannot_locate(one.report)
    ]
    return max([tracked_until(report.counts_from), *could])

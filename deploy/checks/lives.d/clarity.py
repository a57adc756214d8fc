"""Which lives have one expectation only: what is a matter of a second, or of a known deviation
(the switches of `Settings`), is left out."""

from __future__ import annotations

from dataclasses import replace

import incidents
import notifications
import scenario
from incidents import Knowledge
from notifications import Delay
from records import NEVER, Request, Settings, Span

# The service notices within this time that a deadline has passed.
NOTICE = 2_200

# Nothing is told so shortly before or after a life ends.
LATE = 7_000


def is_clear(life) -> bool:
    """Whether all readings that the text leaves open, and delays in noticing, come to the same."""
    if life.settings.is_told and (has_flicker(life) or not is_told_alike(life)):
        return False
    return is_recorded_alike(life)


def readings(settings: Settings) -> list[Settings]:
    """The other readings of the text, and the latest opening of a missing position."""
    return [
        replace(settings, no_fix_notice=NOTICE),
        replace(settings, forgets_before_position=True),
        replace(settings, forgets_before_position=True, no_fix_notice=NOTICE),
        replace(settings, carries_only_fixes=True),
        replace(settings, first_of_tie_carries=True),
        replace(settings, begins_at_own_time=True),
        replace(settings, late_words_end_nothing=True),
        replace(settings, tracks_added_time=True),
    ]


def is_recorded_alike(life) -> bool:
    variants = readings(life.settings)
    requests: list[Request] = []
    outages: list[Span] = []
    for step in life.steps:
        if step.verb == "outage":
            outages.append(Span(step.at, step.end))
        elif step.verb != "check":
            requests.append(step)
        else:
            known = scenario.knowledge(requests, outages, life.settings, step.at)
            if not all(is_read_alike(one, variants) for one in known):
                return False
    return True


def is_read_alike(known: Knowledge, variants: list[Settings]) -> bool:
    found = incidents.incidents(known)
    others = [replace(known, settings=settings) for settings in variants]
    if any(incidents.incidents(other) != found for other in others) or has_tie(known):
        return False
    if any(incidents.tracked(other) != incidents.tracked(known) for other in others):
        return False
    starts = [one.start for one in found if one.kind == "no_contact"]
    is_fresh = any(known.now - NOTICE < start <= known.now for start in starts)
    grace = known.settings.no_fix_grace
    is_unclear = is_fresh or any(is_unnoticed(one, grace) for one in found)
    return not is_unclear and not has_just_withdrawn(known, found)


def has_just_withdrawn(known: Knowledge, found: list[incidents.Incident]) -> bool:
    """Whether what came just now, a rest from long ago, leaves nothing of a missing position."""
    early = tuple(
        one
        for one in known.requests
        if one.at <= known.now - NOTICE or not (one.pings or one.verb == "report")
    )
    before = incidents.incidents(replace(known, requests=early))
    starts = [one.start for one in found if one.kind == "no_fix"]
    return any(one.kind == "no_fix" and one.start not in starts for one in before)


def is_unnoticed(incident: incidents.Incident, grace: int) -> bool:
    """Whether the work ended before a missing position opened its incident."""
    length = NEVER if incident.end is None else incident.end - incident.start
    is_cut = incident.kind == "no_fix" and incident.closing != "resumed"
    return is_cut and length < grace + NOTICE


def has_tie(known: incidents.Knowledge) -> bool:
    """Whether another request than the one that ended a span of work came at that very time."""
    works = [work for stint in known.shift.stints for work in incidents.works(known.shift, stint)]
    return any(
        known.receipts(work.stint.device).count(work.span.end) > (work.ended == work.span.end)
        for work in works
    )


def is_told_alike(life) -> bool:
    """Whether the open app is told the same by all readings, however soon the service notices what
    is due."""
    requests = [one for one in life.steps if one.verb not in ("check", "outage")]
    last = life.steps[-1].at
    # A request at the very end of a debounce may come before or after it. A debounce of 0 s has its
    # end at its beginning: between requests of the same millisecond, too.
    delays = [
        Delay(contact, fix, contact_end, fix_end, debounce, ends_first)
        for contact in (0, NOTICE)
        for fix in (0, NOTICE)
        for contact_end, fix_end in ((0, 0), (0, NOTICE), (NOTICE, NOTICE))
        for debounce, ends_first in ((0, True), (0, False), (NOTICE, False))
    ]
    ways = [(life.settings, one) for one in delays]
    ways += [(one, Delay()) for one in readings(life.settings)]
    found = [
        notifications.messages(requests, [], settings, last + LATE, delay)
        for settings, delay in ways
    ]
    if len({tuple(one.topic for one in some) for some in found}) > 1:
        return False
    # A break that began in between would keep one of them waiting.
    times = [[one.at for one in some] for some in zip(*found, strict=True)]
    is_soon = all(max(some) - min(some) <= 2 * NOTICE + 1 for some in times)
    return is_soon and all(one.at < last - LATE for one in found[0])


def has_flicker(life) -> bool:
    """Whether after some request an incident of a reported dimension had healed within a debounce.

    Such a one closes as `flicker` and may be told as `unstable`. A late report that comes after it
    may hide it again.
    """
    requests: list[Request] = []
    for step in life.steps:
        if step.verb in ("check", "outage"):
            continue
        requests.append(step)
        known = scenario.knowledge(requests, [], life.settings, step.at)
        found = [one for shift in known for one in incidents.incidents(shift)]
        if any(may_flicker(one, life.settings.debounce) for one in found):
            return True
    return False


def may_flicker(incident: incidents.Incident, debounce: int) -> bool:
    is_reported = incident.kind not in ("no_contact", "no_fix")
    is_healed = incident.closing in ("restored", "changed")
    return is_reported and is_healed and incident.end - incident.start <= debounce

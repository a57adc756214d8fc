"""Silences: rests, hidden pages, `no_contact` and `no_fix` (section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import reports
from pings import Stored
from records import NEVER, Request, Settings, Span


@dataclass(frozen=True)
class Known(Span):
    """A span that the service learnt of at `receipt`, and of its end, if a word ended it, at
    `end_receipt`."""

    receipt: int
    end_receipt: int = 0


@dataclass(frozen=True)
class Silence:
    kind: str
    start: int
    end: int
    closing: str


@dataclass(frozen=True)
class Heard:
    """What was heard of a shift's devices, and when the service learnt that the shift ended."""

    counting: list[Stored]
    requests: tuple[Request, ...]
    settings: Settings
    ended: int


def next_word(heard: Heard, after: Stored) -> tuple[int, int]:
    """The effective time of a device's next ping or report, and its receipt.

    A ping that was refused, as in a break, is none.
    """
    device = after.device
    words = [
        (one.time, one.receipt)
        for one in heard.counting
        if one.device == device and not one.is_of_action
    ] + [(one.counts_from, one.receipt) for one in reports.in_order(heard.requests, device)]
    is_strict = heard.settings.late_words_end_nothing
    counting = in_time(words, heard.ended) if is_strict else words
    return min((word for word in counting if word[0] > after.time), default=(NEVER, 0))


def in_time(words: list[tuple[int, int]], ended: int) -> list[tuple[int, int]]:
    """The words, each a time and its receipt, that came neither after a later one nor after the
    shift."""
    kept = []
    newest = before = last = -1
    for time, receipt in sorted(words, key=lambda word: word[1]):
        if receipt > last:
            before, last = newest, receipt
        if time >= before and receipt <= ended:
            kept.append((time, receipt))
        newest = max(newest, time)
    return kept


def rests(heard: Heard) -> list[Known]:
    found = []
    for one in heard.counting:
        if one.ping.announces_rest:
            until = one.ping.rest_until if one.ping.rest_until is not None else NEVER
            said = min(until, one.time + heard.settings.max_rest)
            end, receipt = min((said, 0), next_word(heard, one))
            if end > one.time:
                found.append(Known(one.time, end, one.receipt, receipt))
    return found


def hidden(heard: Heard) -> list[Known]:
    found = []
    for one in heard.counting:
        if one.ping.is_hidden:
            end, receipt = next_word(heard, one)
            found.append(Known(one.time, end, one.receipt, receipt))
    return found


@dataclass(frozen=True)
class Quiet:
    """What the silences of one device within one span of work depend on.

    `anchor` is from when the device is expected to be heard, and `begun` from when it is expected
    to send positions. `closing` is why the span ends, and `ended` when the service learnt that.
    `excused` are the device's rests and hidden times.
    """

    span: Span
    closing: str
    ended: int
    anchor: int
    begun: int
    receipts: tuple[int, ...]
    excused: tuple[Known, ...]
    outages: tuple[Span, ...]
    max_fix_age: int
    no_fix_grace: int
    no_fix_notice: int
    forgets_before_position: bool
    carries_only_fixes: bool
    first_of_tie_carries: bool
    now: int

    def deadline(self, anchor: int) -> int:
        due = anchor + self.max_fix_age
        for outage in self.outages:
            if outage.start < due:
                due = max(due, outage.end + self.max_fix_age)
        return due

    def excuse(self, after: int, until: int) -> Known | None:
        """The first excused span that begins by `until` and ends after `after`."""
        found = (one for one in self.excused if one.start <= until and one.end > after)
        return next(found, None)

    def end(self, after: int, restored: list[int]) -> tuple[int, str]:
        """When and why an incident that opened at `after` closes.

        The request that ends a span closes it for that reason; another at the same time resumes.
        """
        ends = [(time, "resumed") for time in restored if time > after]
        ends += [(one.start, "resumed") for one in self.excused if one.start > after]
        span_end = (self.span.end, self.closing)
        is_ending = self.ended == self.span.end
        ends = [span_end, *ends] if is_ending else [*ends, span_end]
        return min(ends, key=lambda one: one[0])

    def first_sign(self, time: int, fixes: list[Stored]) -> int:
        """The first request after a time that did not carry the position of that time."""
        tied = [one for one in fixes if one.time == time]
        last = tied[:1] if self.first_of_tie_carries else tied[-1:]
        if self.carries_only_fixes:
            last = [one for one in last if one.ping.is_fix]
        carriers = [one.receipt for one in last]
        if self.forgets_before_position:
            announced = [one.receipt for one in self.excused if one.end == time]
            time = max([time, *announced, *(one.receipt for one in fixes if one.time <= time)])
        signs = (one for one in self.receipts if one > time and one not in carriers)
        return min(signs, default=NEVER)

    def resumes(self, time: int) -> int:
        """From when a deadline counts after an incident closed at `time`."""
        excuse = self.excuse(time, time)
        return excuse.end if excuse else time


def no_contacts(quiet: Quiet) -> list[Silence]:
    """Each opens at its deadline and closes at the first request after it."""
    found: list[Silence] = []
    anchor = max([quiet.anchor, *(one for one in quiet.receipts if one <= quiet.anchor)])
    while True:
        due = quiet.deadline(anchor)
        heard = [one for one in quiet.receipts if anchor < one <= due]
        excuse = quiet.excuse(anchor, due)
        if heard:
            anchor = max(heard)
        elif excuse:
            anchor = excuse.end
        elif due > quiet.now or due >= quiet.span.end:
            return found
        else:
            end, closing = quiet.end(due, list(quiet.receipts))
            found.append(Silence("no_contact", due, end, closing))
            anchor = quiet.resumes(end)


@dataclass(frozen=True)
class Anchor:
    """What puts off `no_fix`, when the service learnt of it, and until when it expected it to last
    longer."""

    time: int
    receipt: int
    expected_until: int = 0


def anchors(
    quiet: Quiet, fixes: list[Stored], blind: list[Span], unheard: list[Silence]
) -> list[Anchor]:
    found = [Anchor(quiet.begun, quiet.begun)]
    found += [Anchor(one.time, one.receipt) for one in fixes]
    found += [Anchor(one.end, one.end) for one in (*blind, *unheard)]
    found += [Anchor(one.end, one.receipt, one.end_receipt) for one in quiet.excused]
    return sorted(found, key=lambda one: (one.time, one.receipt))


@dataclass(frozen=True)
class Opening:
    """Whether `no_fix` opens at a moment, or what puts it off; neither: perhaps later."""

    opens: bool = False
    put_off: Anchor | None = None


def opening(
    quiet: Quiet, due: int, moment: int, known: list[Anchor], held: list[Span]
) -> Opening:
    """What comes of a deadline at a moment, by what is known then."""
    puts_off = [one for one in known if one.time <= due or max(one.time, one.receipt) <= moment]
    if puts_off:
        return Opening(put_off=puts_off[0])
    is_held = any(one.start <= moment and one.end > due for one in held)
    return Opening(opens=not is_held)


def no_fixes(
    quiet: Quiet, fixes: list[Stored], blind_at, unheard_at, unheard: list[Silence]
) -> list[Silence]:
    """Each opens after its deadline, dated at it, and closes at the first accepted fix.

    `blind_at` answers when the device could not locate, and `unheard_at` which `no_contact` had
    fallen due, as known at a moment; `unheard` are its
    `no_contact` incidents. A late report neither moves nor withdraws what has opened.
    """
    found: list[Silence] = []
    receipt_of = {one.time: one.receipt for one in reversed(fixes)}
    anchor = Anchor(quiet.begun, quiet.begun)
    while True:
        due = quiet.deadline(anchor.time)
        alive = quiet.first_sign(anchor.time, fixes)
        first = max(due + quiet.no_fix_grace, alive, anchor.expected_until)
        known_end = max(quiet.span.end, quiet.ended)
        moments = [first, *(one for one in quiet.receipts if one > first)]
        result = Opening()
        for moment in (one + quiet.no_fix_notice for one in moments):
            if moment > quiet.now or quiet.span.end <= due or known_end <= moment:
                return found
            blind = blind_at(moment)
            later = [one for one in anchors(quiet, fixes, blind, unheard) if one.time > anchor.time]
            excused = [one for one in quiet.excused if one.start <= due or one.receipt <= moment]
            silent = [*unheard, *unheard_at(moment)]
            held = [*blind, *(Span(one.start, one.end) for one in silent), *excused]
            result = opening(quiet, due, moment, later, held)
            if result != Opening():
                break
        if result.put_off:
            anchor = result.put_off
        elif result.opens:
            end, closing = quiet.end(due, sorted(receipt_of))
            found.append(Silence("no_fix", due, end, closing))
            anchor = Anchor(quiet.resumes(end), quiet.resumes(end))
        else:
            return found

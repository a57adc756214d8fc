"""Makes up a life: one employee, their phones, and what these send."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import clarity
import timeline
from author import Author
from phone import Device, Phone
from records import CLOCK_ACTIONS, Request, Settings
from timeline import Shift

@dataclass(frozen=True)
class Life:
    title: str
    settings: Settings
    devices: tuple[Device, ...]
    steps: tuple[Request, ...]

    def without(self, dropped: set[int]) -> Life:
        """The same life without some of its steps."""
        steps = tuple(one for index, one in enumerate(self.steps) if index not in dropped)
        numbers = ",".join(str(one) for one in sorted(dropped))
        return replace(self, title=f"{self.title} without {numbers}", steps=steps)


def open_shift(author: Author) -> Shift | None:
    """The open shift, as the phones know it."""
    queued = [one for phone in author.phones for one in phone.queue]
    found = timeline.shifts(author.requests() + queued)
    return found[-1] if found and found[-1].is_open else None


def chosen(author: Author, shift: Shift | None) -> Phone:
    """The phone that does something next, mostly the one that tracks."""
    if shift is None or author.random.random() < 0.25:
        return author.random.choice(author.phones)
    return next(one for one in author.phones if one.device.letter == shift.device)


def step(author: Author) -> None:
    """One more thing that happens."""
    random = author.random
    shift = open_shift(author)
    phone = chosen(author, shift)
    on_break = bool(shift and shift.on_break)
    later = author.stage > 1
    waits = any(one.verb in CLOCK_ACTIONS for other in author.phones for one in other.queue)
    may_act = shift and (phone.queue or not waits)
    arrived = timeline.shifts(author.requests())
    is_open = arrived and arrived[-1].is_open
    may_take_over = is_open and phone.device.letter != arrived[-1].device and not phone.queue
    doings = {
        "ping": 10, "report": 6, "rest": 2, "touch": 2, "again": 1, "held": 1,
        "break-end": 5 if on_break and may_act else 0,
        "break-start": 2 if may_act and not on_break else 0,
        "take-over": 8 if may_take_over else 0,
        "offline": 2 * later, "hide": 3 * later, "exit": later, "outage": later,
        "correct": author.stage > 2,
    }
    doing = random.choices(list(doings), list(doings.values()))[0]
    if phone.is_offline and author.now >= author.down_until and random.random() < 0.25:
        author.flush(phone)
    elif doing == "offline":
        phone.is_offline = True
    elif doing == "correct":
        if author.now >= author.down_until:
            author.correct()
    elif doing in CLOCK_ACTIONS:
        author.clock(phone, doing)
    else:
        getattr(author, doing)(phone)


def written(seed: int, index: int, stage: int) -> Life:
    """The life of a seed and an index."""
    attempt = 0
    while True:
        found = drafted(Random(f"{stage}.{seed}.{index}.{attempt}"), stage)
        if clarity.is_clear(found):
            return replace(found, title=f"life {stage}.{seed}.{index}")
        attempt += 1


def drafted(random: Random, stage: int, is_punctual: bool = True) -> Life:
    """A life; unless it is punctual, little happens within seconds of a deadline."""
    author = Author(random, stage, is_punctual)
    if random.random() < 0.5:
        phone = random.choice(author.phones)
        phone.change(severe=True)
        author.report(phone)
        author.wait()
    for _ in range(random.choice([1, 1, 1, 2])):
        write_shift(author)
    author.now += 10_000 * author.is_told
    author.check()
    return Life(
        title="",
        settings=author.settings,
        devices=tuple(one.device for one in author.phones),
        steps=tuple(author.steps),
    )


def write_shift(author: Author) -> None:
    """A shift from its clock-in to its clock-out."""
    random = author.random
    phone = random.choice(author.phones)
    phone.is_offline = author.stage > 1 and random.random() < 0.2
    author.clock(phone, "clock-in")
    for _ in range(random.randint(4, 20)):
        author.wait()
        step(author)
        if random.random() < 0.2 and not any(one.is_offline for one in author.phones):
            author.check()
    author.wait()
    phone = chosen(author, open_shift(author))
    if random.random() < 0.7 or len(author.phones) > 1:
        author.all_online()
        author.check()
        author.wait()
    author.clock(phone, "clock-out")
    author.all_online()
    author.check()
    author.wait()
    for one in author.phones:
        author.held(one)
    if author.stage > 2 and random.random() < 0.5:
        author.wait()
        author.correct()
        author.check()

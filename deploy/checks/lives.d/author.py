"""Writes what the phones and the manager of a life do, mostly at awkward times."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import timeline
from phone import SKEWS, Device, Phone
from records import HOUR, MINUTE, SECOND, Ping, Request, Settings

START = 8 * HOUR

# How far from a deadline something happens.
NEAR = (-5_000, -1_000, -1, 0, 1, 1_000, 4_999, 5_000, 5_001, 6_000, 20_000)
FAR = (-20_000, -10_000, -5_000, 3_000, 10_000, 20_000)


class Author:
    """Writes one life, step by step."""

    def __init__(self, random: Random, stage: int, is_punctual: bool) -> None:
        self.random = random
        self.near = NEAR if is_punctual else FAR
        self.is_told = stage == 4
        self.stage = 1 if self.is_told else stage
        self.now = START
        self.steps: list[Request] = []
        self.settings = Settings(
            preset="standard" if stage == 4 else random.choice(["standard", "advisory"]),
            ping_interval=random.choice([30, 60, 60, 90]) * SECOND,
            max_rest=random.choice([5, 30, 30]) * MINUTE,
            debounce=random.choice([0, 1, 2, 2, 3]) * SECOND if self.is_told else 0,
            is_told=self.is_told,
        )
        if self.stage > 1:
            self.settings = replace(self.settings, accuracy_max=random.choice([None, None, 100]))
        letters = "AB" if self.stage > 2 else "A"
        self.phones = [Phone(self.device(letter), random) for letter in letters]
        self.corrections = {}
        self.marks: list[int] = []
        self.down_until = 0
        self.acted = 0

    def device(self, letter: str) -> Device:
        has_sequence = self.random.random() < 0.8
        if self.stage == 1:
            return Device(letter, has_sequence=has_sequence)
        platform = self.random.choice(["android", "android", "ios", "web"])
        return Device(letter, platform, self.random.choice(SKEWS) * SECOND, has_sequence)

    # Time

    def requests(self) -> list[Request]:
        return [one for one in self.steps if one.verb not in ("check", "outage")]

    def wait(self) -> None:
        """Lets time pass, often to just around a deadline."""
        pick = self.random.random()
        age = self.settings.max_fix_age
        if pick < 0.2:
            self.now += self.random.randint(1, 3_000)
        elif pick < 0.5:
            self.now += self.random.randint(1, 60) * SECOND
        elif pick < 0.6:
            self.now += self.settings.ping_interval
        else:
            ahead = [mark + age for mark in self.marks[-4:]] + self.marks[-4:]
            near = [one + self.random.choice(self.near) for one in ahead]
            near = [one for one in near if one > self.now]
            later = self.now + self.random.randint(1, 300) * SECOND
            self.now = self.random.choice(near or [later])

    def recent(self, most: int) -> int:
        """A time at most so long ago."""
        age = self.random.choice([0, 0, 0, 1, SECOND, self.random.randint(0, most)])
        return self.now - min(age, most)

    def begun(self) -> int:
        """The start of the last shift."""
        return max((one.start for one in timeline.shifts(self.requests())), default=0)

    def ended(self) -> int:
        """The end of the last shift that ended."""
        shifts = [one for one in timeline.shifts(self.requests()) if not one.is_open]
        return max((one.end for one in shifts), default=0)

    # Sending

    def send(self, phone: Phone, request: Request) -> None:
        """Sends a request now, or keeps it while the phone is offline."""
        if phone.is_offline:
            phone.queue.append(request)
            return
        skew = phone.device.skew
        if self.stage > 1 and request.verb not in ("ping", "pings") and self.random.random() < 0.1:
            skew = self.random.choice(SKEWS) * SECOND
        self.steps.append(replace(request, at=self.now, skew=skew))
        phone.sent.append(self.steps[-1])
        self.marks.append(self.now)

    def flush(self, phone: Phone) -> None:
        """The phone is online again and sends what it kept, in its order."""
        phone.is_offline = False
        queue, phone.queue = phone.queue, []
        while queue:
            first = queue.pop(0)
            kind = {"ping": "pings", "report": "report"}.get(first.verb)
            if kind:
                run = [first]
                while queue and queue[0].verb == first.verb:
                    run.append(queue.pop(0))
                pings = [ping for one in run for ping in one.pings]
                reports = [report for one in run for report in one.reports]
                if self.random.random() < 0.2:
                    self.random.shuffle(pings)
                    self.random.shuffle(reports)
                first = replace(first, verb=kind, pings=tuple(pings), reports=tuple(reports))
            self.send(phone, first)
            self.now += self.random.choice([0, 0, 1, 200, SECOND])

    def all_online(self) -> None:
        self.now = max(self.now, self.down_until)
        for phone in self.phones:
            self.flush(phone)

    # What a phone does

    def ping(self, phone: Phone) -> None:
        pick = self.random.random()
        time = self.recent(20 * SECOND)
        if pick < 0.65:
            ping = self.fix(time)
        elif pick < 0.85:
            pretence = self.random.choice(["", "", "zero", "negative"])
            ping = Ping(time, is_fix=False, pretence=pretence if self.stage > 1 else "")
        else:
            ping = Ping(time, is_fix=False, is_stationary=True)
        self.marks.append(time)
        self.send(phone, Request(self.now, phone.device.letter, "ping", pings=(ping,)))

    def fix(self, time: int) -> Ping:
        if self.stage == 1:
            return Ping(time)
        accuracy = self.random.choice([None, None, 0, 10, 100, 101, 5_000])
        return Ping(time, is_mock=self.random.random() < 0.15, accuracy=accuracy)

    def hide(self, phone: Phone) -> None:
        """A page goes out of view."""
        if phone.device.platform == "web":
            ping = Ping(self.now, is_fix=False, is_hidden=True)
            self.send(phone, Request(self.now, phone.device.letter, "ping", pings=(ping,)))

    def exit(self, phone: Phone) -> None:
        """The app ends, and starts again after a while, often without its permission."""
        ended = self.now + self.random.choice([0, 1, SECOND, 30 * SECOND, 100 * SECOND])
        age = self.settings.max_fix_age
        self.now = ended + self.random.choice([SECOND, age - SECOND, age + SECOND, 2 * age])
        if self.random.random() < 0.7:
            phone.state["authorization"] = self.random.choice(["denied", "restricted"])
        exit_at = ended if self.random.random() < 0.6 else None
        reports = (phone.report(self.recent(20 * SECOND if exit_at is None else 0), exit_at),)
        self.send(phone, Request(self.now, phone.device.letter, "report", reports=reports))

    def outage(self, phone: Phone) -> None:
        """The service is down for a while; the phone keeps what it would send."""
        if any(one.is_offline for one in self.phones):
            return
        self.touch(phone)
        for other in self.phones:
            other.is_offline = True
        age = self.settings.max_fix_age
        length = self.random.choice([10 * SECOND, 60 * SECOND, age - SECOND, age, 2 * age])
        self.down_until = (self.now + length) // SECOND * SECOND
        self.steps.append(Request(self.now, "", "outage", end=self.down_until))
        self.marks.append(self.down_until)

    def rest(self, phone: Phone) -> None:
        until = self.now + self.random.choice([1, 60, 200, 400, 900]) * SECOND
        known = self.random.random() < 0.8
        ping = Ping(
            self.now, is_fix=self.random.random() < 0.3, announces_rest=True,
            is_stationary=True, rest_until=until if known else None,
        )
        self.send(phone, Request(self.now, phone.device.letter, "ping", pings=(ping,)))
        self.marks.append(until)

    def report(self, phone: Phone) -> None:
        if self.random.random() < 0.8:
            phone.change(severe=True)
        time = max(self.recent(20 * SECOND), self.begun())
        if self.stage > 1:
            time = min(max(time, phone.reported + 1), self.now)
        self.marks.append(time)
        request = Request(
            self.now, phone.device.letter, "report", reports=(phone.report(time),)
        )
        if phone.device.has_sequence and self.random.random() < 0.15:
            phone.held.append(request)
        else:
            self.send(phone, request)

    def held(self, phone: Phone) -> None:
        """Sends what the phone held back."""
        for request in phone.held:
            self.send(phone, request)
        phone.held = []

    def touch(self, phone: Phone) -> None:
        if not phone.is_offline:
            self.send(phone, Request(self.now, phone.device.letter, "touch"))

    def again(self, phone: Phone) -> None:
        """Sends once more what was sent before."""
        sent = [one for one in phone.sent if one.verb == "ping" or (
            one.verb == "report" and phone.device.has_sequence)]
        if sent and not phone.is_offline:
            self.send(phone, self.random.choice(sent))

    def clock(self, phone: Phone, verb: str) -> None:
        offline = phone.is_offline
        time = self.now if offline else None
        if not offline and not self.is_told and self.random.random() < 0.2:
            time = min(max(self.recent(30 * SECOND), self.acted + 1), self.now)
        at = self.now if time is None else time
        reports = ()
        if verb in ("clock-in", "take-over"):
            while self.settings.preset != "advisory" and phone.blocks():
                phone.change(severe=False)
            age = self.random.choice([0, 0, SECOND, 20 * SECOND])
            reports = (phone.report(max(at - age, self.ended())),)
        self.marks.append(at)
        self.acted = at
        fix = None
        if self.stage > 1 and verb in ("clock-in", "clock-out") and self.random.random() < 0.4:
            fix = self.fix(at - self.random.choice([0, 1, SECOND, 30 * SECOND]))
        request = Request(
            self.now, phone.device.letter, verb, time=time, reports=reports, fix=fix
        )
        self.send(phone, request)

    def correct(self) -> None:
        """A manager corrects the times of the last shift that ended, or undoes that."""
        shifts = timeline.shifts(self.requests())
        ended = [number for number, one in enumerate(shifts, start=1) if not one.is_open]
        if not ended:
            return
        number = ended[-1]
        shift, made = shifts[number - 1], self.corrections.get(number, 0)
        if shift.corrections and self.random.random() < 0.6:
            self.steps.append(Request(self.now, "M", "undo", subject=number, number=made))
            self.corrections[number] = made + 1
            return
        earliest = shifts[number - 2].shown.end if number > 1 else START - HOUR
        queued = [one.time for phone in self.phones for one in phone.queue if one.verb == "clock-in"]
        latest = min([self.now, *(one.start for one in shifts[number:]), *queued])
        near = (-100, -10, -1, 1, 10, 100, 200)
        start = shift.shown.start + self.random.choice(near) * SECOND
        end = shift.shown.end + self.random.choice(near) * SECOND
        picks = self.random.random()
        moves_start, moves_end = picks < 0.6, picks > 0.4
        is_possible = earliest <= start < end <= latest
        is_possible = is_possible and (moves_end or start < shift.shown.end)
        if not is_possible or (not moves_start and end <= shift.shown.start):
            return
        self.steps.append(
            Request(
                self.now, "M", "correct", subject=number,
                time=start if moves_start else None, end=end if moves_end else None,
            )
        )
        self.corrections[number] = made + 1

    def check(self) -> None:
        self.steps.append(Request(self.now, "", "check"))

#!/usr/bin/env python3
"""Plays random lives against a running service, each in its own time, all at once: real_time.py
ADDRESS TOKEN [--count N] [--seed N] [--minutes N]. TOKEN is an administrator's.

A request that arrives late is expected late. Lives in which a moment's delay changes more than
times are left out, and those with an outage. Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import re
import sys
import time as system
from dataclasses import dataclass, field, replace
from random import Random

import clarity
import delays
import life
import notifications
import scenario
import timeline
from author import START
from coverage import Coverage, Segment
from delays import Account
from incidents import Incident
from life import Life
from records import CLOCK_ACTIONS, MINUTE, SECOND, Request

# How long a check waits for what is found in the background, a second longer than the service may
# take, and from when on the phone is quiet.
SETTLED = 6 * SECOND
QUIET = SECOND
# How much later each life begins than the one before, in milliseconds.
STAGGER = 300

# How late an open app may hear what it is told, besides the requests before.
HEARD = 5 * SECOND

PATHS = {"report": "permission-reports", "ping": "pings", "pings": "pings"}
PHONE_TIME = re.compile(r"@(?:([+-]\d+) )?(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?")


# Lives


def written(seed: int, index: int, stage: int, most: int) -> Life:
    """A life of at most that length, whose expectations hold in spite of small delays."""
    attempt = 0
    while True:
        random = Random(f"real.{stage}.{seed}.{index}.{attempt}")
        found = observed(life.drafted(random, stage, is_punctual=False))
        attempt += 1
        if not found or found.steps[-1].at - START > most:
            continue
        if clarity.is_clear(found) and is_robust(found, random):
            return replace(found, title=f"life {stage}.{seed}.{index}")


def observed(found: Life) -> Life | None:
    """The life with its checks where they can be made: after a while without requests. Before and
    after each, the phone that tracks asks for its state."""
    if any(one.verb == "outage" for one in found.steps):
        return None
    steps: list[Request] = []
    for number, one in enumerate(found.steps):
        following = [later.at for later in found.steps[number + 1 :] if later.verb != "check"]
        if one.verb != "check":
            steps.append(one)
        elif not following or following[0] > one.at + SETTLED + SECOND:
            steps.append(Request(one.at + QUIET, tracker(steps), "touch"))
            steps.append(replace(one, at=one.at + SETTLED))
            steps.append(Request(one.at + SETTLED, tracker(steps), "touch"))
    return replace(found, steps=tuple(steps))


def tracker(requests: list[Request]) -> str:
    shifts = timeline.shifts([one for one in requests if one.verb != "check"])
    return shifts[-1].device if shifts else "A"


def is_robust(found: Life, random: Random) -> bool:
    expected = delays.accounts(found)
    for _ in range(4):
        others = delays.accounts(delays.jittered(found, random))
        if any(map(delays.differences, expected, others)):
            return False
    return True


# The service


@dataclass
class Service:
    address: str
    administrator: str

    async def ask(self, method: str, path: str, token: str = "", body=None) -> tuple[int, dict]:
        reader, writer = await self.connect(method, path, token, body)
        answer = await reader.read()
        writer.close()
        head, _, content = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(content) if content else {}

    async def connect(self, method: str, path: str, token: str, body=None):
        host, port = self.address.rsplit(":", 1)
        reader, writer = await asyncio.open_connection(host, int(port))
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(content)}"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += ["Content-Type: application/json", "Connection: close", "", ""]
        writer.write("\r\n".join(lines).encode() + content)
        return reader, writer

    async def manage(self, method: str, path: str, body=None) -> dict:
        status, answer = await self.ask(method, path, self.administrator, body)
        if status >= 400:
            raise OSError(f"{method} {path}: {status} {answer}")
        return answer


# Playing


@dataclass
class Player:
    """Plays a life as an employee of a team of their own."""

    service: Service
    life: Life
    number: int
    tokens: dict[str, str] = field(default_factory=dict)
    # When the first moment of the life's day is, in milliseconds of the Unix epoch.
    midnight: int = 0
    sent: list[Request] = field(default_factory=list)
    told: list[notifications.Message] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    checks: int = 0
    # The tracking state at the last check, until the phone that tracks has asked for it, too.
    expected_state: str | None = None

    def now(self) -> int:
        return int(system.time() * 1_000) - self.midnight

    async def set_up(self) -> None:
        manage = self.service.manage
        settings = self.life.settings
        new = {"name": f"Team {self.number}", "timeZone": "UTC", "preset": settings.preset}
        team = (await manage("POST", "/v1/teams", new))["team"]
        policy = scenario.head(self.life)
        words = next(one for one in policy if one.startswith("policy")).split(" ", 2)
        await manage("POST", f"/v1/teams/{team}/policies", json.loads(words[2]))
        person = {"employee": self.number, "name": f"Employee {self.number}", "team": team}
        await manage("POST", "/v1/employees", person)
        for device in self.life.devices:
            path = f"/v1/employees/{self.number}/enrolment-codes"
            code = (await manage("POST", path, {}))["code"]
            phone = {"code": code, "platform": device.platform}
            self.tokens[device.letter] = (await manage("POST", "/v1/enrolments", phone))["token"]

    async def play(self, delay: float) -> None:
        await asyncio.sleep(delay)
        self.midnight = int(system.time() * 1_000) + SECOND - START
        listening = None
        if self.life.settings.is_told:
            listening = asyncio.create_task(self.listen())
        try:
            for step in self.life.steps:
                await asyncio.sleep(max(0, step.at - self.now()) / 1_000)
                if step.verb == "check":
                    await self.check()
                else:
                    await self.send(step)
        except (OSError, ValueError, KeyError) as error:
            self.differ(f"{type(error).__name__}: {error}")
        if listening:
            listening.cancel()
            self.judge_told()

    def differ(self, words: str) -> None:
        self.differences.append(f"{scenario.clock(self.now())} `{self.life.title}`: {words}")

    # Requests

    async def send(self, step: Request) -> None:
        delay = max(0, self.now() - step.at)
        arrived = delays.delayed(step, delay)
        method, path, token, body = self.request(step)
        status, answer = await self.service.ask(method, path, token, body)
        expected = {"touch": 200, "correct": 201, "undo": 201}.get(step.verb)
        if step.verb in CLOCK_ACTIONS:
            expected = timeline.status(self.sent, arrived)
        if status != expected if expected else status >= 400:
            self.differ(f"{path} answered {status}, expected {expected}: {answer}")
        self.sent.append(arrived)
        if step.verb == "touch" and self.expected_state is not None:
            found, expected = state_words(answer["trackingState"]), self.expected_state
            self.expected_state = None
            if found != expected:
                self.differ(f"expected {expected} in /v1/me, found {found}")

    def request(self, step: Request) -> tuple[str, str, str, object]:
        if step.sender == "M":
            _, _, _, path, body = scenario.manager_line(step).rsplit(" -> ", 1)[0].split(" ", 4)
            path = path.replace("/employees/1/", f"/employees/{self.number}/")
            return "POST", path, self.service.administrator, self.timed(json.loads(body))
        token = self.tokens[step.sender]
        if step.verb == "touch":
            return "GET", "/v1/me", token, None
        body = json.loads(scenario.body(step))
        if step.verb == "pings":
            body = {"pings": body, "sentAt": scenario.phone_time(step.at, step)}
        if step.verb in CLOCK_ACTIONS:
            body["actionId"] = f"action {len(self.sent)}"
        return "POST", f"/v1/{PATHS.get(step.verb, step.verb)}", token, self.timed(body)

    def timed(self, value):
        """The value with phone times as instants."""
        if isinstance(value, dict):
            return {name: self.timed(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.timed(member) for member in value]
        found = PHONE_TIME.fullmatch(value) if isinstance(value, str) else None
        if not found:
            return value
        days, hours, minutes, seconds, fraction = (int(one or 0) for one in found.groups())
        time = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        return instant(self.midnight + time * SECOND + fraction)

    # Checks

    async def check(self) -> None:
        self.checks += 1
        now = self.now()
        found = await self.found()
        expected = delays.account(self.sent, self.life.settings, now)
        self.expected_state = expected.tracking
        for words in delays.differences(expected, found):
            self.differ(words)

    async def found(self) -> Account:
        manage = self.service.manage
        board = await manage("GET", f"/v1/board?employee={self.number}")
        state = state_words(board["employees"][0]["trackingState"])
        listed = await manage("GET", f"/v1/incidents?employee={self.number}&limit=1000")
        shifts = []
        for number in range(1, len(timeline.shifts(self.sent)) + 1):
            path = f"/v1/employees/{self.number}/shifts/{number}/coverage"
            found = [one for one in listed["incidents"] if one["shift"]["number"] == number]
            covered = self.coverage(await manage("GET", path))
            shifts.append((number, [self.incident(one) for one in found], covered))
        return Account(tuple(shifts[-2:]), state)

    def time(self, text: str | None) -> int | None:
        if text is None:
            return None
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        return round(moment.timestamp() * 1_000) - self.midnight

    def incident(self, line: dict) -> Incident:
        return Incident(
            line["kind"], self.time(line["openedAt"]), self.time(line.get("closedAt")),
            line.get("closeReason"), explained=line.get("explainedBy"),
        )

    def coverage(self, answer: dict) -> Coverage:
        segments = [
            Segment(
                self.time(one["from"]), one["reason"], one.get("atRisk", False),
                one.get("likely"), one.get("evidence") == "inferred",
            )
            for one in answer["segments"]
        ]
        return Coverage(tuple(segments), self.time(answer["asOf"]))

    # The open app

    async def listen(self) -> None:
        reader, _ = await self.service.connect("GET", "/v1/me/events", self.tokens["A"])
        while line := await reader.readline():
            if line.startswith(b"data:"):
                event = json.loads(line[5:])
                if "topic" in event:
                    words = [event["topic"], event.get("kind")]
                    topic = "/".join(one for one in words if one)
                    self.told.append(notifications.Message(self.now(), topic))

    def judge_told(self) -> None:
        expected = notifications.messages(
            self.sent, [], self.life.settings, self.life.steps[-1].at, notifications.Delay()
        )
        is_alike = [one.topic for one in expected] == [one.topic for one in self.told] and all(
            -SECOND <= heard.at - one.at <= HEARD
            for one, heard in zip(expected, self.told, strict=True)
        )
        if not is_alike:
            words = [
                "; ".join(f"{scenario.clock(one.at)} {one.topic}" for one in some)
                for some in (expected, self.told)
            ]
            self.differ(f"expected told {words[0]}, found {words[1]}")


def state_words(state: dict) -> str:
    return " ".join(one for one in (state["state"], state.get("reason")) if one)


def instant(milliseconds: int) -> str:
    moment = datetime.datetime.fromtimestamp(milliseconds / 1_000, datetime.timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("token")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--minutes", type=int, default=30)
    given = parser.parse_args()
    service = Service(given.address, given.token)
    players = [
        Player(service, written(given.seed, number, number % 4 + 1, given.minutes * MINUTE), number)
        for number in range(1, given.count + 1)
    ]
    for one in players:
        await one.set_up()
    lengths = [one.life.steps[-1].at - START for one in players]
    print(f"{len(players)} lives of up to {max(lengths) // SECOND // 60} minutes", flush=True)
    await asyncio.gather(
        *(one.play(number * STAGGER / 1_000) for number, one in enumerate(players))
    )
    for one in players:
        for words in one.differences:
            print(words)
    differing = sum(bool(one.differences) for one in players)
    print(
        f"{len(players)} lives, {sum(len(one.sent) for one in players)} requests, "
        f"{sum(one.checks for one in players)} checks, "
        f"{sum(len(one.told) for one in players)} messages: {differing} lives differ"
    )
    sys.exit(differing > 0)


if __name__ == "__main__":
    asyncio.run(main())

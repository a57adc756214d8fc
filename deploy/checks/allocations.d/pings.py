"""Sends single pings on many connections, and prints how many allocations and tasks each needed.

Usage: pings.py SOCKET COUNTS ALLOCATIONS TASKS

COUNTS is the file of counter.c; then come the largest numbers for a ping.

Exit status 1 if a ping was not stored, or needed more."""

import asyncio
import base64
import hashlib
import json
import struct
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

PHONES = 64
WARM_UP, PINGS = 6_400, 10_000
STEP = timedelta(milliseconds=20)
NAMES = ("allocations", "tasks")


def instant(time):
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Phone:
    """A phone on shift with a connection of its own."""

    def __init__(self, number, began):
        secret = hashlib.sha256(str(number).encode()).digest()
        text = base64.urlsafe_b64encode(secret).decode().rstrip("=")
        self.token, self.recorded = f"sg_{number}_1_{text}", began

    async def connect(self, socket):
        self.reader, self.writer = await asyncio.open_unix_connection(socket)

    async def send(self, path, body):
        """The body of the response, which must be a 2xx."""
        text = json.dumps(body)
        self.writer.write((
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n{text}").encode())
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        answer = await self.reader.readexactly(length)
        if not head.startswith(b"http/1.1 2"):
            sys.exit(f"{path} was answered with {head.splitlines()[0].decode()}: {answer.decode()}")
        return answer

    async def clock_in(self):
        began, now = instant(self.recorded), instant(datetime.now(timezone.utc))
        report = {
            "recordedAt": began, "sequence": 1, "authorization": "always", "accuracy": "full",
            "services": "on"}
        await self.send("/v1/clock-in", {
            "actionId": "in", "sentAt": now, "occurredAt": began, "report": report})

    async def ping(self, number):
        self.recorded += STEP
        answer = await self.send("/v1/pings", {
            "sentAt": instant(datetime.now(timezone.utc)), "recordedAt": instant(self.recorded),
            "latitude": round(45 + number * 37 / 1e7, 7),
            "longitude": round(13 + number * 53 / 1e7, 7), "accuracy": 8.5, "speed": 1.4,
            "heading": number % 360, "altitude": 102.5, "battery": 100 - number % 100})
        if b'"stored"' not in answer:
            sys.exit(f"a ping was not stored: {answer.decode()}")


async def send_all(phones, count):
    """All phones at the same time, each one ping after another."""
    numbers = iter(range(count))

    async def work(phone):
        for number in numbers:
            await phone.ping(number)

    await asyncio.gather(*map(work, phones))


async def count(socket, counts):
    """The allocations and tasks for a ping; those meanwhile without one; the seconds."""
    began = datetime.now(timezone.utc) - timedelta(hours=8)
    phones = [Phone(number, began) for number in range(1, PHONES + 1)]
    for phone in phones:
        await phone.connect(socket)
        await phone.clock_in()
    await send_all(phones, WARM_UP)

    def read():
        return struct.unpack("=QQ", counts.read_bytes())

    first, begin = read(), time.monotonic()
    await send_all(phones, PINGS)
    second, seconds = read(), time.monotonic() - begin
    # What was begun for the pings ends before the time without pings.
    await asyncio.sleep(1)
    third = read()
    await asyncio.sleep(seconds)
    fourth = read()
    if not first[1]:
        sys.exit("this guardd contains Swift's library: its tasks cannot be counted")
    busy = [after - before for before, after in zip(first, second, strict=True)]
    idle = [after - before for before, after in zip(third, fourth, strict=True)]
    return [(mine - other) / PINGS for mine, other in zip(busy, idle, strict=True)], idle, seconds


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    socket, counts, *bounds = sys.argv[1:]
    found, idle, seconds = asyncio.run(count(socket, Path(counts)))
    print(f"{PINGS:,} single pings on {PHONES} connections in {seconds:.1f} s, for each:")
    failed = False
    for name, mine, bound, other in zip(NAMES, found, bounds, idle, strict=True):
        over = mine > float(bound)
        failed |= over
        print(
            f"{'FAIL' if over else 'ok':<5} {name:<12} {mine:8.2f}, at most {bound}"
            f" ({other:,} without pings in the same time)")
    sys.exit(failed)


if __name__ == "__main__":
    main()

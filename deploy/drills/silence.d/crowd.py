"""The phones of deploy/drills/silence that are not silent: crowd.py SOCKET PHONES.

Each sends a ping every 40 s, and retries 5 s after a failure; one in a hundred never does. When it
is asked to stop, prints how many pings were answered, and how many failed.
"""

import asyncio
import base64
import datetime
import hashlib
import heapq
import random
import signal
import sys
import time

path, phones = sys.argv[1], int(sys.argv[2])
due = [(time.monotonic() + random.uniform(0, 40), n) for n in range(1, phones + 1) if n % 100]
heapq.heapify(due)
sent = failed = 0


def request(n):
    secret = hashlib.sha256(str(n).encode()).digest()
    token = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    now = now.replace("+00:00", "Z")
    body = f'{{"sentAt":"{now}","pings":[{{"recordedAt":"{now}","latitude":45.3,"longitude":13.7}}]}}'
    return (
        f"POST /v1/pings HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sg_{n}_1_{token}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


async def answer(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = next(int(line.split(":")[1])
                  for line in head.lower().split("\r\n") if "content-length" in line)
    await reader.readexactly(length)
    return int(head.split()[1])


async def speak():
    global sent, failed
    stream = None
    while True:
        at, n = heapq.heappop(due) if due else (time.monotonic() + 1, None)
        await asyncio.sleep(max(0, at - time.monotonic()))
        if n is None:
            continue
        try:
            stream = stream or await asyncio.open_unix_connection(path)
            stream[1].write(request(n))
            status = await asyncio.wait_for(answer(stream[0]), 10)
            if status != 200:
                raise OSError(status)
            sent += 1
            heapq.heappush(due, (max(at + 40, time.monotonic()), n))
        except (OSError, EOFError, asyncio.TimeoutError):
            failed += 1
            if stream:
                stream[1].close()
            stream = None
            heapq.heappush(due, (time.monotonic() + 5, n))


async def crowd():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: task.cancel())
    task = asyncio.gather(*(speak() for _ in range(64)))
    try:
        await task
    except asyncio.CancelledError:
        print(f"{sent} {failed}")


asyncio.run(crowd())

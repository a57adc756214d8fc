"""Opens apps and sends a notification to each: phones.py SOCKET PROCESS PHONES."""

import asyncio
import base64
import hashlib
import sys
import time

from gauges import Gauges, ask

path, phones, gauges = sys.argv[1], int(sys.argv[3]), Gauges(sys.argv[2])
came = {}


async def listen(n, opened):
    secret = hashlib.sha256(str(n).encode()).digest()
    token = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    reader, writer = await asyncio.open_unix_connection(path, limit=8192)
    writer.write(
        f"GET /v1/me/events HTTP/1.0\r\nAuthorization: Bearer sg_{n}_1_{token}\r\n\r\n".encode())
    while True:
        line = await reader.readline()
        if not line:
            sys.exit(f"stream {n} ended")
        if line.startswith(b"retry:"):
            opened()
        # Changes of state are not counted.
        if line.startswith(b"data:") and b'"notification"' in line:
            came.setdefault(n, []).append(time.monotonic())


async def main():
    opened = asyncio.Semaphore(0)
    tasks = []

    async def open_to(count):
        # Open streams in batches, as apps reconnect after an update of the service.
        for start in range(len(tasks) + 1, count + 1, 50):
            batch = range(start, min(start + 50, count + 1))
            tasks.extend(asyncio.ensure_future(listen(n, opened.release)) for n in batch)
            for _ in batch:
                await asyncio.wait_for(opened.acquire(), 30)

    await open_to(max(1, phones // 10))
    await asyncio.sleep(2)
    before, some = gauges.memory(), len(tasks)
    await open_to(phones)
    await asyncio.sleep(5)
    after = gauges.memory()
    start = gauges.worked()
    await asyncio.sleep(20)
    idle = (gauges.worked() - start) / 20
    print(f"{phones} streams open: {after} kB in all, "
          f"{(after - before) / max(1, phones - some):.1f} kB for each after the first {some}")
    print(f"idle: {idle * 100:.1f} % of a core")
    loop = asyncio.get_running_loop()
    sql = ("INSERT INTO inbox (created_at, employee_id, notification_no, subject, topic, ordinal, "
           f"kind, urgent) SELECT now(), n, 1, 1, 0, 1, 4, true FROM generate_series(1, {phones}) AS n; "
           "SELECT pg_notify('shiftguard_inbox', '')")
    told = time.monotonic()
    await loop.run_in_executor(None, ask, sql)
    while len(came) < phones and time.monotonic() - told < 30:
        await asyncio.sleep(0.05)
    await asyncio.sleep(3)
    spans = sorted(times[0] - told for times in came.values())
    doubled = sum(len(times) > 1 for times in came.values())
    unmarked = ask("SELECT count(*) FROM inbox WHERE written_at IS NULL")
    if spans:
        print(f"a notification to each, from its INSERT: median {spans[len(spans) // 2]:.2f} s, "
              f"last {spans[-1]:.2f} s; {gauges.memory()} kB")
    print(f"lost {phones - len(came)}, duplicated {doubled}, not marked as shown {unmarked}")
    for task in tasks:
        task.cancel()
    sys.exit(0 if (len(came), doubled, unmarked) == (phones, 0, "0") else 1)

asyncio.run(main())

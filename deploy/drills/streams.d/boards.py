"""Opens boards and changes lines: boards.py SOCKET PROCESS BOARDS TOKEN.

A board that is notified of a change fetches the line, as its page does.
"""

import asyncio
import json
import sys
import time

from gauges import Gauges, ask

ROUNDS = 5

path, boards, token = sys.argv[1], int(sys.argv[3]), sys.argv[4]
gauges = Gauges(sys.argv[2])


def request(address: str) -> bytes:
    return f"GET {address} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


async def fetch(employee: int) -> dict:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(request(f"/v1/board?employees={employee}"))
    head, body = (await reader.read()).split(b"\r\n\r\n", 1)
    writer.close()
    if b" 200 " not in head.split(b"\r\n", 1)[0]:
        sys.exit(f"a board got status {head.split(maxsplit=2)[1].decode()}")
    return json.loads(body)


class Board:
    """One stream, with the times of each change and of its fetched line."""

    def __init__(self):
        self.heard, self.seen = [], []

    async def listen(self, opened, looks: bool):
        reader, writer = await asyncio.open_unix_connection(path, limit=8192)
        writer.write(request("/v1/board/events"))
        while True:
            line = await reader.readline()
            if not line:
                sys.exit("a board's stream ended")
            if line.startswith(b"retry:"):
                opened()
            if line.startswith(b"data:") and b"employees" in line:
                self.heard.append(time.monotonic())
                if looks:
                    await fetch(json.loads(line[5:])["employees"][0])
                    self.seen.append(time.monotonic())


async def change(employee: int) -> float:
    """Commits a change of the employee's line; returns when."""
    loop = asyncio.get_running_loop()
    sql = f"UPDATE guard_state SET version = version + 1 WHERE employee_id = {employee}"
    await loop.run_in_executor(None, ask, sql)
    return time.monotonic()


async def watch(count: int, looks: bool) -> tuple[list[Board], list]:
    opened = asyncio.Semaphore(0)
    all_of_them = [Board() for _ in range(count)]
    tasks = []
    for start in range(0, count, 50):
        batch = all_of_them[start:start + 50]
        tasks += [asyncio.ensure_future(board.listen(opened.release, looks)) for board in batch]
        for _ in batch:
            await asyncio.wait_for(opened.acquire(), 30)
    await asyncio.sleep(2)
    return all_of_them, tasks


async def told(watching: list[Board], part: str) -> tuple[list[float], int]:
    """The sorted delays from each COMMIT to the boards, and the number of missed changes."""
    spans, missed = [], 0
    for turn in range(ROUNDS):
        committed = await change(1 + turn)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if all(len(getattr(board, part)) > turn for board in watching):
                break
            await asyncio.sleep(0.02)
        times = [getattr(board, part) for board in watching]
        missed += sum(len(known) <= turn for known in times)
        spans += [known[turn] - committed for known in times if len(known) > turn]
    return sorted(spans), missed


def words(spans: list[float]) -> str:
    if not spans:
        return "never"
    p99 = spans[len(spans) * 99 // 100]
    return f"median {spans[len(spans) // 2]:.2f} s, p99 {p99:.2f} s, last {spans[-1]:.2f} s"


async def main():
    few, tasks = await watch(max(1, boards // 10), looks=False)
    before = gauges.memory()
    rest, more = await watch(boards - len(few), looks=False)
    after = gauges.memory()
    print(f"{boards} boards open: {after} kB in all, "
          f"{(after - before) / max(1, len(rest)):.1f} kB for each after the first {len(few)}")
    start = gauges.worked()
    await asyncio.sleep(10)
    print(f"idle: {(gauges.worked() - start) * 10:.1f} % of a core")
    spans, lost = await told(few + rest, "heard")
    print(f"a change sent to each, from its COMMIT: {words(spans)}; missed {lost}")
    for task in tasks + more:
        task.cancel()
    await asyncio.sleep(1)
    looking, tasks = await watch(boards, looks=True)
    start = gauges.worked()
    spans, unseen = await told(looking, "seen")
    work = (gauges.worked() - start) * 1000 / (ROUNDS * boards)
    print(f"the line fetched by each: {words(spans)}; missed {unseen}; "
          f"{work:.2f} ms of the service's time per board")
    for task in tasks:
        task.cancel()
    sys.exit(0 if lost + unseen == 0 else 1)

asyncio.run(main())

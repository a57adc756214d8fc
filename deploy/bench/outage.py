"""Measures how soon all phones are answered that report at the same moment, as after an outage, and
how soon each is when as many reports come evenly."""

import asyncio
import json
import time

from gauges import cpu_seconds
from scene import enrol, instant

PHONES = 10_000
FIRST_EMPLOYEE = 100_001
CONNECTIONS = 500
# Of these, the shift gets 500 more reports, and then each reports as often as before.
LONG_SHIFTS = 1_000
LONG = 500
EVEN_RATE = 2_500
EVEN_SECONDS = 8


def request(path: str, token: str, body: dict) -> bytes:
    text = json.dumps(body).encode()
    return (
        f"POST {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n").encode() + text


class Line(asyncio.Protocol):
    """A connection that sends one request after another."""

    def connection_made(self, transport):
        self.transport, self.buffer, self.answered = transport, b"", None

    def data_received(self, data):
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        if len(rest) >= length:
            self.buffer = b""
            self.answered.set_result(head[9:12])

    def connection_lost(self, error):
        if self.answered and not self.answered.done():
            self.answered.set_exception(ConnectionError("the service closed the connection"))

    async def send(self, message: bytes) -> None:
        """Any response other than 2xx raises an error."""
        self.answered = asyncio.get_running_loop().create_future()
        self.transport.write(message)
        status = await self.answered
        if status[:1] != b"2":
            raise RuntimeError(f"a report was answered with {status.decode()}")


async def connect(address: str, count: int) -> list[Line]:
    host, port = address.removeprefix("http://").split(":")
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(Line, host, int(port)))[1] for _ in range(count)]


async def send_all(lines: list[Line], messages: list[bytes]) -> float:
    """Sends all as fast as the lines allow, and returns the seconds until the last answer."""

    async def work(line: Line, mine: list[bytes]) -> None:
        for message in mine:
            await line.send(message)

    began = time.perf_counter()
    await asyncio.gather(
        *(work(line, messages[index::len(lines)]) for index, line in enumerate(lines)))
    return time.perf_counter() - began


async def send_evenly(lines: list[Line], messages: list[bytes], rate: int) -> list[float]:
    """The seconds from the moment when each was to be sent to its answer, in ascending order."""
    free, spans, begun = asyncio.Queue(), [], []
    for line in lines:
        free.put_nowait(line)

    async def work(message: bytes, due: float) -> None:
        line = await free.get()
        await line.send(message)
        spans.append(time.perf_counter() - due)
        free.put_nowait(line)

    start = time.perf_counter()
    for index, message in enumerate(messages):
        due = start + index / rate
        if (ahead := due - time.perf_counter()) > 0:
            await asyncio.sleep(ahead)
        begun.append(asyncio.create_task(work(message, due)))
    await asyncio.gather(*begun)
    return sorted(spans)


def report(token: str, sequence: int) -> bytes:
    return request("/v1/permission-reports", token, {
        "recordedAt": instant(int(time.time() * 1000)), "sequence": sequence,
        "authorization": "always", "accuracy": "full", "services": "on"})


async def lengthen(database, employees: range) -> None:
    """Adds reports to the open shift of each employee, as if they had been sent without a number."""
    await database.execute(
        """
        INSERT INTO permission_report (
          employee_id, device_no, report_id, shift_no, effective_at, received_at,
          authorization_code, grant_path, accuracy, services, notifications, battery_optimisation,
          background_refresh, power_save, foreground_service, background_fix)
        SELECT report.employee_id, device_no, report_id + n, shift_no, effective_at, received_at,
          authorization_code, grant_path, accuracy, services, notifications, battery_optimisation,
          background_refresh, power_save, foreground_service, background_fix
        FROM permission_report AS report, generate_series(1, $3::int) AS n
        WHERE report.employee_id BETWEEN $1 AND $2 AND sequence = 1
        """, employees[0], employees[-1], LONG)
    await database.execute("VACUUM (ANALYZE) permission_report")


async def outage(database, service, postgres_pid: int, rounds: int) -> dict:
    """The seconds until 10,000 phones on shift are answered that report at once, a value per round;
    the CPU of guardd and of Postgres for each of these reports, in µs; the CPU of a report in a shift
    that has 500 already ÷ that of one of the first; and the 99.9th percentile in ms of reports that
    come evenly. Every report must be stored."""
    tokens = await enrol(
        database, list(range(FIRST_EMPLOYEE, FIRST_EMPLOYEE + PHONES)))
    lines = await connect(service.url, CONNECTIONS)
    began = instant(int(time.time() * 1000))
    await send_all(lines, [
        request("/v1/clock-in", token, {"actionId": "bench", "sentAt": began, "report": {
            "sequence": 1, "authorization": "always", "accuracy": "full", "services": "on"}})
        for token in tokens])
    await database.execute("VACUUM (ANALYZE)")
    spans, costs, sequence = [], [], 1
    for _ in range(rounds):
        sequence += 1
        messages = [report(token, sequence) for token in tokens]
        before = [cpu_seconds(pid) for pid in (service.pid, postgres_pid)]
        spans.append(await send_all(lines, messages))
        after = [cpu_seconds(pid) for pid in (service.pid, postgres_pid)]
        costs.append([(b - a) * 1e6 / PHONES for a, b in zip(before, after, strict=True)])
    async def cost(tokens: list[str]) -> float:
        """The CPU of guardd and Postgres for the reports of these phones, ten of each, in seconds."""
        nonlocal sequence
        used = sum(map(cpu_seconds, (service.pid, postgres_pid)))
        for _ in range(10):
            sequence += 1
            await send_all(lines, [report(token, sequence) for token in tokens])
        return sum(map(cpu_seconds, (service.pid, postgres_pid))) - used

    numbers = sequence
    few = tokens[:LONG_SHIFTS]
    short = await cost(few)
    await lengthen(database, range(FIRST_EMPLOYEE, FIRST_EMPLOYEE + LONG_SHIFTS))
    growth = await cost(few) / short
    extra = LONG_SHIFTS * (sequence - numbers)
    even = []
    while len(even) < EVEN_RATE * EVEN_SECONDS:
        sequence += 1
        even += [report(token, sequence) for token in tokens]
    latencies = await send_evenly(lines, even, EVEN_RATE)
    stored = await database.fetchval(
        "SELECT count(*) FROM permission_report WHERE employee_id >= $1 AND sequence > 1",
        FIRST_EMPLOYEE)
    wanted = PHONES * (sequence - 1 - extra // LONG_SHIFTS) + extra
    if stored != wanted:
        raise RuntimeError(f"{stored} reports are stored, not {wanted}")
    for line in lines:
        line.transport.close()
    return {
        "seconds": spans, "serviceCPU": [mine for mine, _ in costs],
        "postgresCPU": [theirs for _, theirs in costs],
        "even": 1000 * latencies[len(latencies) * 999 // 1000], "growth": growth,
    }

"""Notifications: how many go through the outbox, how soon each begins while a transaction stays
open, and how soon a downgrade reaches the push service."""

import asyncio
import base64
import contextlib
import hashlib
import json
import os
import subprocess
import time
from datetime import datetime, timezone

import asyncpg

from looks import wait_for

PHONES = 1000
WORKERS = 8
A_SECOND = 200
DEBOUNCE = 2.0
# At most WAITING are queued, QUEUED per commit: the outbox never runs empty.
WAITING, QUEUED = 1500, 250
# A topic that is only sent once: `shift_corrected`.
TOPIC = 7

SEED = f"""
INSERT INTO policy_version (
  team_id, version, preset, blocking, warning, fresh_for_ms, debounce_ms, ping_interval_ms,
  break_max_ms, shift_max_ms, cooldown_ms)
VALUES (1, 2, 0, 0, 0, 300000, {DEBOUNCE * 1000:.0f}, 3600000, 7200000, 57600000, 0);
UPDATE team SET policy_version = 2 WHERE team_id = 1;
INSERT INTO employee (employee_id, team_id, name)
SELECT n, 1, 'Phone ' || n FROM generate_series(1, {PHONES}) AS n;
INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
SELECT n, 1, 1, true, sha256(sha256(n::text::bytea)) FROM generate_series(1, {PHONES}) AS n;
INSERT INTO push_target (employee_id, device_no, channel, sandbox, address, registered_at)
SELECT n, 1, 1, false, 'phone-' || n, now() FROM generate_series(1, {PHONES}) AS n;
INSERT INTO shift (
  employee_id, shift_no, started_at, policy_version, fix_age_max_ms, blocking, warning, informing,
  device_no, verdict)
SELECT n, 1, now(), 2, 10800000, 0, 0, 0, 1, 0 FROM generate_series(1, {PHONES}) AS n;
INSERT INTO guard_state (
  employee_id, last_shift, open_shift, opened_at, last_device, open_device, due_at)
SELECT n, 1, 1, now(), 1, 1, now() + interval '9 hours' FROM generate_series(1, {PHONES}) AS n;
INSERT INTO device_contact (
  employee_id, device_no, last_received_at, last_fix_at, position_at, position_received_at)
SELECT n, 1, heard, heard, heard, heard
FROM generate_series(1, {PHONES}) AS n,
  (VALUES (date_trunc('milliseconds', now()))) AS sign (heard);
VACUUM ANALYZE;
"""

ENQUEUE = f"""
  INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
  SELECT n % {PHONES} + 1, {TOPIC}, n, 0, false, now() + $3::int * interval '1 second'
  FROM generate_series($1::int, $1::int + $2::int - 1) AS n"""

# The minimum work for a notification: claim it with an attempt, and finish it with the attempt.
CLAIM = """
  WITH due AS MATERIALIZED (
    SELECT employee_id, topic, subject, ordinal FROM notification WHERE due_at <= now()
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  UPDATE notification AS claimed
  SET lease = lease + 1, leased = true, attempts = attempts + 1, first_due_at = claimed.due_at,
    due_at = now() + interval '30 seconds'
  FROM due
  WHERE claimed.employee_id = due.employee_id AND claimed.topic = due.topic
    AND claimed.subject = due.subject AND claimed.ordinal = due.ordinal
  RETURNING claimed.employee_id, claimed.subject"""
TRY = f"""
  INSERT INTO delivery_attempt (
    employee_id, topic, subject, ordinal, attempt_no, step, recipient, started_at)
  VALUES ($1, {TOPIC}, $2, 0, 1, 1, 1, now()) RETURNING started_at"""
TRIED = f"""
  UPDATE delivery_attempt SET outcome = 0, ended_at = now()
  WHERE employee_id = $1 AND topic = {TOPIC} AND subject = $2 AND ordinal = 0 AND started_at = $3"""
FINISH = f"""
  WITH finished AS (
    DELETE FROM notification
    WHERE employee_id = $1 AND topic = {TOPIC} AND subject = $2 AND ordinal = 0 AND lease = 1
    RETURNING *)
  INSERT INTO notification_history (
    employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, due_at, finished_at,
    outcome)
  SELECT employee_id, topic, subject, ordinal, kind, urgent, queued_at, attempts, first_due_at,
    now(), 0 FROM finished"""


class PushReceiver(asyncio.Protocol):
    """A push service that accepts everything at once and records when."""

    def __init__(self, arrivals: dict):
        self.arrivals, self.buffer = arrivals, b""

    def connection_made(self, transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self.buffer) < end + 4 + length:
                return
            body = self.buffer[end + 4:end + 4 + length]
            self.buffer = self.buffer[end + 4 + length:]
            if head.startswith(b"post /token"):
                self.answer({"access_token": "t", "expires_in": 3599})
            else:
                self.answer({"name": "projects/p/messages/1"})
                data = json.loads(body)["message"]["data"]
                if data["event"] == "shift.tracking_impaired":
                    employee = json.loads(data["subject"])["employee"]
                    self.arrivals.setdefault(employee, time.monotonic())

    def answer(self, body: dict) -> None:
        text = json.dumps(body).encode()
        self.transport.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (len(text), text))


def channels(place: str, port: int) -> str:
    """Writes the file for `--channels` with the address of the push service."""
    origin = f"http://127.0.0.1:{port}"
    key = subprocess.run(
        ["openssl", "genpkey", "-quiet", "-algorithm", "RSA"], check=True, capture_output=True,
        text=True).stdout
    account = {
        "project_id": "p", "client_email": "a@p.example", "private_key_id": "k", "private_key": key}
    with open(f"{place}/account.json", "w", encoding="ascii") as file:
        json.dump(account, file)
    fcm = {"keyFile": f"{place}/account.json", "origin": origin, "tokenUrl": f"{origin}/token"}
    with open(f"{place}/channels.json", "w", encoding="ascii") as file:
        json.dump({"fcm": fcm}, file)
    os.chmod(f"{place}/account.json", 0o644)
    return f"{place}/channels.json"


class Outbox:
    """Keeps notifications queued, and counts the finished ones."""

    def __init__(self, database, dsn: str):
        self.database, self.dsn, self.next = database, dsn, 1

    async def finished(self) -> int:
        return await self.database.fetchval("SELECT count(*) FROM notification_history")

    async def fill(self, database) -> None:
        while not self.is_enough:
            if await database.fetchval("SELECT count(*) FROM notification") < WAITING:
                await database.execute(ENQUEUE, self.next, QUEUED, 0)
                self.next += QUEUED
            else:
                await asyncio.sleep(0.02)
        await database.close()

    @contextlib.asynccontextmanager
    async def filled(self):
        """Keeps notifications queued during the block."""
        self.is_enough = False
        task = asyncio.create_task(self.fill(await asyncpg.connect(self.dsn)))
        try:
            yield
        finally:
            self.is_enough = True
            await task

    async def empty(self) -> None:
        deadline = time.monotonic() + 60
        while await self.database.fetchval("SELECT count(*) FROM notification"):
            if time.monotonic() > deadline:
                raise RuntimeError("notifications stay in the outbox")
            await asyncio.sleep(0.05)


async def raw(outbox: Outbox, seconds: float) -> float:
    """Notifications per second with bare statements on WORKERS connections."""
    pool = await asyncpg.create_pool(outbox.dsn, min_size=WORKERS, max_size=WORKERS)
    end = time.monotonic() + seconds

    async def work(connection):
        # Like guardd: work that a crash undoes is repeated.
        await connection.execute("SET synchronous_commit TO off")
        while time.monotonic() < end:
            async with connection.transaction():
                if (taken := await connection.fetchrow(CLAIM)) is None:
                    continue
                begun = await connection.fetchval(TRY, *taken)
            async with connection.transaction():
                await connection.execute(TRIED, *taken, begun)
                await connection.execute(FINISH, *taken)

    async with outbox.filled():
        before, begin = await outbox.finished(), time.monotonic()
        connections = [await pool.acquire() for _ in range(WORKERS)]
        await asyncio.gather(*map(work, connections))
        rate = (await outbox.finished() - before) / (time.monotonic() - begin)
    for connection in connections:
        await pool.release(connection)
    await pool.close()
    await outbox.database.execute("DELETE FROM notification")
    return rate


async def ours(outbox: Outbox, seconds: float) -> float:
    """Notifications per second of guardd."""
    async with outbox.filled():
        await asyncio.sleep(0.5)
        before, begin = await outbox.finished(), time.monotonic()
        await asyncio.sleep(seconds)
        rate = (await outbox.finished() - before) / (time.monotonic() - begin)
    await outbox.empty()
    return rate


async def starts(outbox: Outbox, seconds: float) -> list[float]:
    """Milliseconds from due to begun at a steady rate, each due a second after it was queued, as
    with a debounce: p50, p99."""
    first, begin = outbox.next, time.monotonic()
    for number in range(int(seconds * A_SECOND)):
        await outbox.database.execute(ENQUEUE, outbox.next, 1, 1)
        outbox.next += 1
        await asyncio.sleep(begin + (number + 1) / A_SECOND - time.monotonic())
    await outbox.empty()
    return await outbox.database.fetchval(
        "SELECT percentile_cont('{0.5,0.99}'::float8[]) WITHIN GROUP ("
        "  ORDER BY 1000 * extract(epoch FROM started_at - due_at)::float8)"
        " FROM notification_history JOIN delivery_attempt"
        "   USING (employee_id, topic, subject, ordinal)"
        f" WHERE topic = {TOPIC} AND subject >= $1 AND step = 1", first)


async def deliveries(port: int, arrivals: dict, seconds: float) -> list[float]:
    """Milliseconds from a downgrade's POST to its push, without the debounce: p50, p99."""
    sent: dict[int, float] = {}
    phones = iter(range(1, min(int(seconds * A_SECOND), PHONES) + 1))
    begin = time.monotonic()

    async def work():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for phone in phones:
            await asyncio.sleep(begin + phone / A_SECOND - time.monotonic())
            secret = hashlib.sha256(str(phone).encode()).digest()
            token = base64.urlsafe_b64encode(secret).decode().rstrip("=")
            now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
            body = json.dumps({
                "sentAt": now.replace("+00:00", "Z"), "sequence": 1, "authorization": "denied",
                "accuracy": "full", "services": "on"})
            sent[phone] = time.monotonic()
            writer.write(
                f"POST /v1/permission-reports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
                f" sg_{phone}_1_{token}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            await reader.readexactly(
                int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
            if not head.startswith(b"http/1.1 2"):
                raise RuntimeError(f"a downgrade got the response {head[:40]!r}")
        writer.close()

    await asyncio.gather(*(work() for _ in range(16)))
    deadline = time.monotonic() + DEBOUNCE + 20
    while len(arrivals) < len(sent):
        if time.monotonic() > deadline:
            raise RuntimeError(f"{len(sent) - len(arrivals)} downgrades were not notified")
        await asyncio.sleep(0.05)
    spans = sorted(1000 * (arrivals[phone] - sent[phone] - DEBOUNCE) for phone in sent)
    return [spans[len(spans) // 2], spans[len(spans) * 99 // 100]]


async def notifications(dsn: str, guardd: list[str], port: int, place: str) -> dict:
    """All measurements, in about 13 s, on a separate database with an empty team."""
    database = await asyncpg.connect(dsn)
    for statement in SEED.split(";\n"):
        if statement.strip():
            await database.execute(statement)
    arrivals: dict[int, float] = {}
    receiver = await asyncio.get_running_loop().create_server(
        lambda: PushReceiver(arrivals), "127.0.0.1", 0)
    outbox = Outbox(database, dsn)
    found = {"raw": await raw(outbox, 2)}
    service = subprocess.Popen(
        [*guardd, "--database", dsn, "--listen", f"127.0.0.1:{port}", "--log-level", "warning",
         "--channels", channels(place, receiver.sockets[0].getsockname()[1])])
    holder = await asyncpg.connect(dsn)
    try:
        await asyncio.to_thread(wait_for, port, service)
        opened = time.monotonic()
        async with holder.transaction(isolation="repeatable_read"):
            await holder.fetchval("SELECT count(*) FROM notification")
            found["ours"] = await ours(outbox, 3)
            found["start"] = await starts(outbox, 2)
            found["held"] = time.monotonic() - opened
        found["delivery"] = await deliveries(port, arrivals, 2)
    finally:
        service.terminate()
        await asyncio.to_thread(service.wait)
        await holder.close()
    await database.close()
    receiver.close()
    return found

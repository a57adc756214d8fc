"""The data for the measurement: a team, its phones, and a shift of each that began 8 hours ago."""

import asyncio
import base64
import hashlib
import json
import os
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

EMPLOYEES = 500
SHIFT_AGE_MS = 8 * 3_600_000
# The pings of each run have separate times, 20 ms apart per phone: 6,000 of each phone. A shift has
# room for the runs of 10 rounds.
STEP_MS = 20
SLOT_MS = 120_000
SLOT_PINGS = SLOT_MS // STEP_MS * EMPLOYEES
# Rows written without a service, of employees who do not exist.
COPIED, INSERTED = 1_000_000, 2_000_000

COLUMNS = (
    "recorded_at", "effective_at", "employee_id", "shift_no", "latitude_e7", "longitude_e7",
    "arrived_ms", "device_no", "accuracy_m", "speed_cm_s", "heading_deg", "altitude_m", "flags")

PEOPLE = """
  WITH person AS (
    INSERT INTO employee (employee_id, team_id, name)
    SELECT number, 1, 'Employee ' || number FROM unnest($1::int[]) AS number),
  state AS (
    INSERT INTO guard_state (employee_id, last_device)
    SELECT number, 1 FROM unnest($1::int[]) AS number)
  INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
  SELECT number, 1, 1, true, hash FROM unnest($1::int[], $2::bytea[]) AS item (number, hash)"""


def instant(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, timezone.utc).isoformat(timespec="milliseconds")


def post(url: str, body: dict, token: str) -> bytes:
    """Sends `body` and returns that of the response; any other than 2xx raises an error."""
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read()


async def enrol(database, numbers: list[int]) -> list[str]:
    """The tokens of the phones of new employees with these numbers."""
    secrets = [os.urandom(32) for _ in numbers]
    await database.execute(PEOPLE, numbers, [hashlib.sha256(s).digest() for s in secrets])
    return [
        f"sg_{number}_1_{base64.urlsafe_b64encode(secret).decode().rstrip('=')}"
        for number, secret in zip(numbers, secrets, strict=True)]


class Scene:
    """The phones' tokens, and the unused times."""

    def __init__(self, place: str):
        self.tokens_path = f"{place}/tokens"
        # Each file has half of the phones.
        self.saturating_path = f"{place}/tokens-saturating"
        self.reporting_path = f"{place}/tokens-reporting"
        self.began = (int(time.time()) * 1000) - SHIFT_AGE_MS
        self.queued = 0
        self.slots = iter(range(self.began + 60_000, self.began + SHIFT_AGE_MS, SLOT_MS))

    def new_slot(self) -> int:
        """The start, in ms since 1970, of an unused part of the shift."""
        return next(self.slots)

    async def fill(self, database, service: str) -> None:
        tokens = await enrol(database, list(range(1, EMPLOYEES + 1)))
        # The peer's table has the same columns and key, without partitions.
        await database.execute(
            "CREATE TABLE peer_ping (LIKE ping INCLUDING CONSTRAINTS,"
            " PRIMARY KEY (employee_id, device_no, recorded_at))")
        for path, some in (
            (self.tokens_path, tokens), (self.saturating_path, tokens[::2]),
            (self.reporting_path, tokens[1::2])
        ):
            with open(path, "w", encoding="ascii") as file:
                file.write("".join(f"{token}\n" for token in some))
        with ThreadPoolExecutor(8) as threads:
            loop = asyncio.get_running_loop()
            await asyncio.gather(
                *(loop.run_in_executor(threads, self.clock_in, service, t) for t in tokens))
        opened = await database.fetchval("SELECT count(*) FROM shift WHERE ended_at IS NULL")
        if opened != EMPLOYEES:
            raise RuntimeError(f"{opened} shifts are open, not {EMPLOYEES}")

    def answer(self, service: str) -> str:
        """What guardd answers to a single ping, of a time before those of all runs."""
        with open(self.tokens_path, encoding="ascii") as file:
            token = file.readline().strip()
        body = {
            "sentAt": instant(int(time.time() * 1000)), "recordedAt": instant(self.began + 1000),
            "latitude": 45, "longitude": 13, "accuracy": 8.5}
        return post(f"{service}/v1/pings", body, token).decode()

    def clock_in(self, service: str, token: str) -> None:
        began, now = instant(self.began), instant(int(time.time() * 1000))
        report = {
            "recordedAt": began, "sequence": 1, "authorization": "always", "accuracy": "full",
            "services": "on"}
        post(
            f"{service}/v1/clock-in",
            {"actionId": "bench", "sentAt": now, "occurredAt": began, "report": report}, token)

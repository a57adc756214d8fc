"""The contenders that store pings for some seconds: raw COPY, raw INSERT, guardd and its peer; and
the server that only answers."""

import asyncio
import io
import itertools
import json
import struct
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import asyncpg

from gauges import Cost, Meter, memory_bytes
from scene import COLUMNS, COPIED, EMPLOYEES, INSERTED, SLOT_MS, SLOT_PINGS, STEP_MS, Scene

LUA = Path(__file__).parent / "pings.lua"
# The apps from a store by the names of their protocols, and those that send lists.
APPS = {
    "owntracks": "OwnTracks", "overland": "Overland", "traccar": "Traccar Client",
    "transistorsoft": "Transistorsoft"}
BATCHING_APPS = ("overland", "transistorsoft")
COPY_ROWS = 1000
WRITERS = 2
POSTGRES_EPOCH_MS = 946_684_800_000
# A length and a value for each field, as in COPY's binary format.
ROW = struct.Struct("!h" + "iqiq" + "iiii" + "iiii" + "ii" + "ih" * 6)

INSERT = f"""
  INSERT INTO ping ({", ".join(COLUMNS)})
  SELECT * FROM unnest(
    $1::timestamptz[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[],
    $8::smallint[], $9::smallint[], $10::smallint[], $11::smallint[], $12::smallint[],
    $13::smallint[])
  ON CONFLICT DO NOTHING"""


@dataclass
class Run:
    """The result of one run: `items` were acknowledged, `stored` are in the table, including those
    that were in flight at the end."""

    contender: str
    items: int = 0
    stored: int = 0
    requests: int = 0
    cost: Cost = field(default_factory=Cost)
    commits: int = 0
    latency: dict = field(default_factory=dict)
    memory: int = 0

    @property
    def rate(self) -> float:
        return self.items / self.cost.seconds

    @property
    def rows_a_commit(self) -> float:
        return self.stored / self.commits


class Bench:
    """Runs the contenders on one cluster and scene, one after the other."""

    def __init__(self, database, dsn: str, servers: list[int], scene: Scene):
        self.database, self.dsn, self.servers, self.scene = database, dsn, servers, scene

    async def _count(self, table: str, low: int, first: int) -> tuple[int, int]:
        """The number of rows of a slot, and of the transactions that stored them."""
        bounds = [
            datetime.fromtimestamp(ms / 1000, timezone.utc) for ms in (first, first + SLOT_MS)]
        found = await self.database.fetchrow(
            f"SELECT coalesce(sum(rows), 0)::bigint, count(*) FROM (SELECT count(*) AS rows"
            f" FROM {table} WHERE employee_id BETWEEN $1 AND $2 AND recorded_at >= $3"
            f" AND recorded_at < $4 GROUP BY xmin::text) AS commit",
            low + 1, low + EMPLOYEES, *bounds)
        return found[0], found[1]

    async def _write(self, run: Run, low: int, prepared: list, write) -> Run:
        """Writes the prepared batches on two connections, until time is up or none is left."""
        first, seconds, batches = prepared
        queue = iter(batches)
        connections = [await asyncpg.connect(self.dsn) for _ in range(WRITERS)]
        try:
            async with Meter(self.database, self.servers) as run.cost:
                begin = time.monotonic()

                async def work(connection):
                    while time.monotonic() - begin < seconds and (batch := next(queue, None)):
                        await write(connection, batch)

                await asyncio.gather(*map(work, connections))
                run.cost.seconds = time.monotonic() - begin
        finally:
            for connection in connections:
                await connection.close()
        run.stored, run.commits = await self._count("ping", low, first)
        run.items = run.stored
        return run

    async def copy(self, seconds: float) -> Run:
        """Binary COPY of 1,000 rows each, on two connections."""
        first = self.scene.new_slot()
        copies = [
            self._copied(first, number)
            for number in range(min(int(seconds * 700), SLOT_PINGS // COPY_ROWS))
        ]

        async def write(connection, batch):
            await connection.copy_to_table(
                "ping", source=io.BytesIO(batch), columns=COLUMNS, format="binary")

        return await self._write(Run("copy"), COPIED, (first, seconds, copies), write)

    def _copied(self, first: int, number: int) -> bytes:
        """COPY number `number` of a slot: two rows of each employee, in the key's order."""
        each = COPY_ROWS // EMPLOYEES
        times = [
            (first + (number * each + turn) * STEP_MS - POSTGRES_EPOCH_MS) * 1000
            for turn in range(each)]
        rows = [
            ROW.pack(
                13, 8, at, 8, at, 4, employee, 4, 1, 4, 450_000_000 + employee, 4, 130_000_000, 4,
                250, 2, 1, 2, 9, 2, 140, 2, 90, 2, 103, 2, 80)
            for employee in range(COPIED + 1, COPIED + EMPLOYEES + 1) for at in times]
        return b"PGCOPY\n\xff\r\n\0" + bytes(8) + b"".join(rows) + b"\xff\xff"

    async def insert(self, seconds: float, batch: int, together: int) -> Run:
        """INSERT from unnest with ON CONFLICT, with `batch` rows each, of which `together`
        consecutive rows are of one phone."""
        first = self.scene.new_slot()
        count = min(int(seconds * 120_000), SLOT_PINGS, int(seconds * 6_000) * batch) // batch
        queue = self._inserted(first, batch, together)
        prepared = [next(queue) for _ in range(max(count, WRITERS))]

        async def write(connection, columns):
            await connection.execute(INSERT, *columns)

        run = Run(f"insert {batch}")
        return await self._write(run, INSERTED, (first, seconds, prepared), write)

    def _inserted(self, first: int, batch: int, together: int):
        zero = datetime.fromtimestamp(first / 1000, timezone.utc)
        keys = (
            (employee, zero + timedelta(milliseconds=STEP_MS * (turn * together + item)))
            for turn in itertools.count() for employee in range(EMPLOYEES)
            for item in range(together))
        while True:
            rows = sorted(itertools.islice(keys, batch))
            times = [at for _, at in rows]
            yield (
                times, times, [INSERTED + 1 + employee for employee, _ in rows], [1] * batch,
                [450_000_000] * batch, [130_000_000] * batch, [250] * batch, [1] * batch,
                [9] * batch, [140] * batch, [90] * batch, [103] * batch, [80] * batch)

    async def post(
        self, name: str, load: "Load", service: "Service", seconds: float, tokens: str = ""
    ) -> Run:
        """POSTs from wrk. Every 2xx counts, and must be stored afterwards."""
        run, first = Run(name), self.scene.new_slot()
        repeated = await self._send(
            run, self.servers, load, service, seconds, first, tokens or self.scene.tokens_path)
        run.memory = memory_bytes(service.pid)
        if load.kind != "report":
            run.stored, run.commits = await self._count(service.table, 0, first)
            least = run.items - repeated * load.items
            # When wrk ends, each connection has a request in flight, stored or not.
            if not least <= run.stored <= least + load.connections * load.items:
                raise RuntimeError(
                    f"{name}: {run.items} acknowledged, {repeated} requests sent again, but"
                    f" {run.stored} stored")
        return run

    async def answer(self, name: str, load: "Load", service: "Service", seconds: float) -> Run:
        """The same POSTs to a service that stores nothing. Every 2xx counts."""
        run = Run(name)
        await self._send(
            run, [], load, service, seconds, self.scene.began, self.scene.tokens_path)
        # Others wrote it.
        run.cost.wal_bytes = 0
        return run

    async def _send(
        self, run: Run, servers: list[int], load: "Load", service: "Service", seconds: float,
        first: int, tokens: str
    ) -> int:
        """Sends requests, and returns how many were sent a second time."""
        async with Meter(self.database, servers, service.pid) as run.cost:
            told = await wrk(load, service, seconds, first, tokens)
            run.cost.seconds = told["seconds"]
        run.requests = told["requests"] - told["refused"]
        run.items = run.requests * load.items
        run.latency = {key: told[key] for key in ("p50_ms", "p99_ms", "p999_ms", "max_ms")}
        if told["refused"] or told["broken"]:
            raise RuntimeError(
                f"{run.contender}: {told['refused']} refused, {told['broken']} broken")
        return told["repeated"]


@dataclass
class Service:
    """A service under load."""

    url: str
    pid: int
    table: str


@dataclass
class Load:
    """The load that wrk sends; `twice` of 100 requests are sent a second time."""

    kind: str
    path: str
    items: int
    connections: int
    twice: int = 0


async def wrk(load: Load, service: Service, seconds: float, first: int, tokens: str) -> dict:
    """Runs wrk to its end and returns its counts."""
    threads = 1
    process = await asyncio.create_subprocess_exec(
        "wrk", "--threads", str(threads), "--connections", str(load.connections),
        "--duration", f"{max(1, round(seconds))}s", "--timeout", "10s",
        "--script", str(LUA), service.url + load.path, "--", load.kind, str(load.items),
        str(first), str(STEP_MS), tokens, str(threads), str(load.twice),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    output = (await process.communicate())[0].decode()
    if process.returncode:
        raise RuntimeError(f"wrk failed: {output}")
    return json.loads(output.strip().splitlines()[-1])

"""The cost of work: CPU from /proc, WAL and bytes from Postgres, flushes of the disk."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str] | None:
    try:
        # The name, in brackets, may contain anything; the parent's id is the second field after it.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def tree(root: int) -> list[int]:
    """The process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat(int(entry))):
            children.setdefault(int(fields[1]), []).append(int(entry))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def cpu_seconds(root: int) -> float:
    """CPU of the tree so far, including children that have ended."""
    stats = [fields for pid in tree(root) if (fields := _stat(pid))]
    return sum(int(ticks) for fields in stats for ticks in fields[11:15]) / TICKS


def memory_bytes(root: int) -> int:
    """Resident memory of the tree; shared memory counts for each process."""
    total = 0
    for pid in tree(root):
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += sum(
            int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))
    return total


def flushes_per_second(folder: str, seconds: float = 0.3) -> float:
    """Sequential durable writes of 8 KiB per second on the disk of `folder`."""
    path = Path(folder) / "flush-probe"
    with open(path, "wb", buffering=0) as file:
        file.write(bytes(1 << 20))
        os.fsync(file.fileno())
        count, begin = 0, time.monotonic()
        while time.monotonic() - begin < seconds:
            os.pwrite(file.fileno(), bytes(8192), count % 128 * 8192)
            os.fdatasync(file.fileno())
            count += 1
        rate = count / (time.monotonic() - begin)
    path.unlink()
    return rate


def busy_seconds() -> float:
    """CPU of the whole machine so far."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / TICKS


def own_seconds() -> float:
    """CPU of this program and of its load generators that have ended."""
    return sum(os.times()[:4])


@dataclass
class Cost:
    """The cost of a measured piece of work."""

    seconds: float = 0
    service_cpu: float = 0
    # Of each PostgreSQL server.
    servers_cpu: tuple[float, ...] = ()
    wal_bytes: int = 0
    ping_bytes: int = 0
    # Cores used by other programs on this machine.
    others: float = 0

    @property
    def postgres_cpu(self) -> float:
        return sum(self.servers_cpu)


PING_BYTES = """
  SELECT sum(pg_relation_size(relid) + pg_indexes_size(relid))::bigint
  FROM pg_partition_tree('ping') WHERE isleaf"""


class Meter:
    """`async with Meter(…) as cost:` fills `cost` at its end. WAL and bytes are those of the server of
    `database`, CPU is that of all `servers`."""

    def __init__(self, database, servers: list[int], service: int | None = None):
        self.database, self.servers, self.service = database, servers, service

    async def _read(self) -> tuple:
        wal, size = await self.database.fetchrow(
            f"SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn, ({PING_BYTES})")
        service = cpu_seconds(self.service) if self.service else 0
        return (
            int(wal), size, service, busy_seconds(), own_seconds(), time.monotonic(),
            *map(cpu_seconds, self.servers))

    async def __aenter__(self) -> Cost:
        self.cost, self.before = Cost(), await self._read()
        return self.cost

    async def __aexit__(self, *_):
        wal, size, service, busy, own, clock, *servers = (
            after - before for before, after in zip(self.before, await self._read(), strict=True))
        cost = self.cost
        cost.wal_bytes, cost.ping_bytes, cost.servers_cpu = wal, size, tuple(servers)
        cost.service_cpu = service
        cost.others = max(0, busy - cost.postgres_cpu - service - own) / clock
        cost.seconds = cost.seconds or clock

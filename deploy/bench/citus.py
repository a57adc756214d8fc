"""Compares a plain PostgreSQL with Citus, and numbers of shards with each other.

`deploy/bench/citus` prepares the databases, each with a guardd of its own. Only one guardd runs at a
time: the others are stopped meanwhile, because each asks its database for silent phones."""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from statistics import mean, median

import asyncpg

from contenders import Bench, Load, Run, Service
from gauges import flushes_per_second
from scene import Scene
from verdict import at_least, at_most, brief, each, micros, run_json

PLAIN = "plain"
# The number of shards that is compared with a plain PostgreSQL, and those compared with each other.
USUAL, FEWEST, MOST = 8, 4, 64

LOADS = {
    "single pings, 64 connections": Load("one", "/v1/pings", 1, 64),
    "uploads of 100, 8 connections": Load("batch", "/v1/pings", 100, 8),
    "permission reports, 16 connections": Load("report", "/v1/permission-reports", 1, 16),
}
SINGLE, UPLOADS, REPORTS = LOADS

BEGAN = time.monotonic()


def say(text: str) -> None:
    print(f"{time.monotonic() - BEGAN:5.0f} s  {text}", file=sys.stderr, flush=True)


class Side:
    """A database, the service on it, and the servers that store it."""

    def __init__(self, name: str, dsn: str, service: Service, servers: list[int]):
        self.name, self.dsn, self.service, self.servers = name, dsn, service, servers

    async def prepare(self, place: str) -> None:
        folder = f"{place}/{self.name}"
        os.mkdir(folder)
        self.database = await asyncpg.connect(self.dsn)
        self.bench = Bench(self.database, self.dsn, self.servers, Scene(folder))
        with self.running():
            await self.bench.scene.fill(self.database, self.service.url)
            # Their contacts are written once a second. By them every phone was silent since its
            # clock-in, hours ago, and the service would examine all of them over and over.
            await asyncio.sleep(3)
            await self.database.execute("UPDATE device_contact SET contact_resumed_at = NULL")

    @contextlib.contextmanager
    def running(self):
        """Lets the stopped service run."""
        os.kill(self.service.pid, signal.SIGCONT)
        try:
            yield
        finally:
            os.kill(self.service.pid, signal.SIGSTOP)

    async def run(self, load: Load, seconds: float) -> Run:
        with self.running():
            # The service notices the time that it was stopped, and records it.
            await asyncio.sleep(1)
            return await self.bench.post(self.name, load, self.service, seconds)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", required=True)
    parser.add_argument("--plain", type=int, required=True, help="process of that server")
    parser.add_argument(
        "--node", type=int, action="append", help="processes of coordinator and workers")
    parser.add_argument(
        "--side", nargs=4, action="append", metavar=("NAME", "DATABASE", "URL", "PID"),
        help="`plain` or the number of shards; database, and address and process of its guardd")
    parser.add_argument("--vacuum", action="append", help="URL of a database of a server")
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


async def tidy(urls: list[str], command: str) -> None:
    """Runs the command in all these databases."""
    for url in urls:
        database = await asyncpg.connect(url)
        await database.execute(command)
        await database.close()


async def run_round(sides: list[Side], seconds: float) -> dict:
    """One run of each load on each side, by load and side."""
    runs = {}
    for kind, load in LOADS.items():
        for side in sides:
            runs[kind, side.name] = run = await side.run(load, seconds)
            say(f"  {kind}, {side.name}: {run.rate:,.0f}/s")
    return runs


def figures(rounds: list[dict]) -> list:
    def rates(kind, mine, other):
        return each(rounds, lambda r: r[kind, mine].rate / r[kind, other].rate)

    def costs(kind):
        def cost(runs, name):
            run = runs[kind, name]
            return micros(run.cost.postgres_cpu, run.items)

        return each(rounds, lambda r: cost(r, str(MOST)) / cost(r, str(FEWEST)))

    usual = str(USUAL)
    return [
        at_least(f"single pings/s, {usual} shards ÷ plain", 0.4, 0.6, "",
                 rates(SINGLE, usual, PLAIN)),
        at_least(f"pings/s in uploads of 100, {usual} shards ÷ plain", 0.4, 0.6, "",
                 rates(UPLOADS, usual, PLAIN)),
        at_most(f"Postgres CPU, a single ping, {MOST} shards ÷ {FEWEST}", 1.2, 1.1, "",
                costs(SINGLE)),
        at_most(f"Postgres CPU, a ping of 100, {MOST} shards ÷ {FEWEST}", 1.2, 1.1, "",
                costs(UPLOADS)),
        at_least(f"single pings/s, {MOST} shards ÷ {FEWEST}", 0.8, 0.9, "",
                 rates(SINGLE, str(MOST), str(FEWEST))),
        at_least(f"pings/s in uploads of 100, {MOST} shards ÷ {FEWEST}", 0.8, 0.9, "",
                 rates(UPLOADS, str(MOST), str(FEWEST))),
    ]


def run_lines(rounds: list[dict], kind: str, names: list[str]) -> list[str]:
    """One line per side: medians over the rounds, and the median of the ratios of each round."""
    lines = []
    for name in names:
        runs = [r[kind, name] for r in rounds]
        ratio = median(r[kind, name].rate / r[kind, PLAIN].rate for r in rounds)

        def cost(value, runs=runs):
            return brief(median(micros(value(run.cost), run.items) for run in runs))

        nodes = [
            cost(lambda c, node=node: c.servers_cpu[node])
            for node in range(len(runs[0].cost.servers_cpu))]
        lines.append(
            f"  {name if name == PLAIN else name + ' shards':<10}"
            f" {median(run.rate for run in runs):>9,.0f} {ratio:>7.2f}"
            f" {cost(lambda c: c.service_cpu):>8} {cost(lambda c: c.postgres_cpu):>9}"
            f"  {' + '.join(nodes) if len(nodes) > 1 else '':<20}"
            f" {brief(median(run.latency['p50_ms'] for run in runs)):>7}"
            f" {brief(median(run.latency['p99_ms'] for run in runs)):>7}")
    return lines


def report_json(rounds: list[dict], names: list[str], about: dict) -> str:
    """CPU of the servers is that of the coordinator, then that of each worker."""
    return json.dumps(
        {"ratios": [figure.json() for figure in figures(rounds)], "about": about,
         "rounds": [
             {kind: {name: run_json(r[kind, name]) for name in names} for kind in LOADS}
             for r in rounds]},
        indent=2, ensure_ascii=False)


def report(rounds: list[dict], names: list[str], about: dict) -> str:
    others = ", ".join(f"{mean(run.cost.others for run in r.values()):.1f}" for r in rounds)
    flushes = ", ".join(f"{rate:,.0f}" for rate in about["flushes"])
    lines = [
        f"{len(rounds)} rounds of {about['seconds']:g} s per run on {os.cpu_count()} cores,"
        f" Postgres {about['postgres']}, Citus {about['citus']}, fsync on;",
        f"load {about['load']:.1f} before the start;"
        f" the disk made 8 KiB durable {flushes} times per second before each round;",
        f"other programs used {others} cores meanwhile.",
        "Every ping counted was acknowledged, and found in the table afterwards.", "",
        f"{'':<12} {'a second':>9} {'÷ plain':>7} {'service':>8} {'Postgres':>9}"
        f"  {'of it coordinator':<20} {'p50':>7} {'p99':>7}",
        f"{'':<12} {'median':>9} {'median':>7} {'µs CPU':>8} {'µs CPU':>9}"
        f"  {'and workers':<20} {'ms':>7} {'ms':>7}"]
    for kind in LOADS:
        lines += [kind, *run_lines(rounds, kind, names)]
    found = figures(rounds)
    lines += ["", f"{'':<53} {'required (aim)':<19} {'measured':>8}  least…most"]
    lines += [figure.line() for figure in found]
    missed = sum(not figure.met for figure in found)
    return "\n".join(lines + ["", f"{len(found) - missed} met, {missed} MISSED."])


async def main() -> None:
    given, load = options(), os.getloadavg()[0]
    sides = [
        Side(name, dsn, Service(url, int(pid), "ping"),
             [given.plain] if name == PLAIN else given.node)
        for name, dsn, url, pid in given.side]
    for side in sides:
        os.kill(side.service.pid, signal.SIGSTOP)
    for side in sides:
        say(f"employees clock in: {side.name}")
        await side.prepare(given.place)
    # Warm up connections, plans and caches before anything counts.
    say("warming up")
    await run_round(sides, 1)
    await tidy(given.vacuum, "CHECKPOINT")
    rounds, flushes = [], []
    for number in range(1, given.rounds + 1):
        await tidy(given.vacuum, "VACUUM (ANALYZE)")
        flushes.append(flushes_per_second(given.place))
        say(f"round {number} of {given.rounds}; the disk flushes {flushes[-1]:,.0f} times/s")
        # Turn about, so that none always runs after the same other.
        rounds.append(await run_round(sides[::-1] if number % 2 == 0 else sides, given.seconds))
    about = {
        "seconds": given.seconds, "flushes": flushes, "load": load,
        "postgres": await sides[0].database.fetchval("SHOW server_version"),
        "citus": await sides[-1].database.fetchval(
            "SELECT extversion FROM pg_extension WHERE extname = 'citus'")}
    show = report_json if given.json else report
    print(show(rounds, [side.name for side in sides], about))


asyncio.run(main())

"""Runs all contenders in turn, round after round, and prints the results.

`deploy/bench/run` prepares a cluster with the schema, guardd and the peer."""

import argparse
import asyncio
import contextlib
import os
import subprocess
import sys
import time

import asyncpg

from board import board
from contenders import APPS, BATCHING_APPS, Bench, Load, Service
from downgrades import downgrades
from gauges import flushes_per_second
from looks import look, wait_for
from notifications import notifications
from outage import outage
from scene import Scene
from states import states
from traffic import Traffic
from verdict import report

PARTS = (
    "copy", "single", "limit", "batches", "apps", "reports", "peer", "duplicates", "queue",
    "states", "downgrades", "board", "outage", "notifications", "looks")
# How many pings of 100 are sent twice.
TWICE = (0, 1, 10)


BEGAN = time.monotonic()


def say(text: str) -> None:
    print(f"{time.monotonic() - BEGAN:5.0f} s  {text}", file=sys.stderr, flush=True)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ("database", "place", "guardd", "peer", "past", "delivery", "programs"):
        parser.add_argument(f"--{name}", required=True)
    for name in (
        "postgres-pid", "guardd-pid", "peer-pid", "past-port", "delivery-port", "limit-port",
        "rounds",
    ):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    given.only = given.only.split(",")
    if unknown := set(given.only) - set(PARTS):
        parser.error(f"`--only`: there is no part `{unknown.pop()}`; parts: {', '.join(PARTS)}")
    return given


def services(given) -> list[tuple[str, str, Load]]:
    """Name, part and load of all runs with wrk, in the order of a round."""
    one, many = "/v1/pings", "/v1/pings/batch"
    plan = [
        ("single 16", "single", Load("one", one, 1, 16)),
        ("constant 16", "limit", Load("one", one, 1, 16)),
        ("peer single 16", "peer", Load("one", one, 1, 16)),
        ("single 64", "single", Load("one", one, 1, 64)),
        ("constant 64", "limit", Load("one", one, 1, 64)),
        ("peer single 64", "peer", Load("one", one, 1, 64)),
        ("batches", "batches", Load("batch", one, 100, 8)),
        ("peer batches", "peer", Load("batch", many, 100, 8)),
        *(
            (app, "apps", Load(app, f"/v1/apps/{app}", 1, 64))
            for app in APPS),
        *(
            (f"{app} batches", "apps", Load(app, f"/v1/apps/{app}", 100, 8))
            for app in BATCHING_APPS),
        ("reports", "reports", Load("report", "/v1/permission-reports", 1, 16)),
        *(
            (f"single, {percent} % twice", "duplicates", Load("one", one, 1, 64, percent))
            for percent in TWICE),
    ]
    return [step for step in plan if step[1] in given.only]


async def run_round(bench: Bench, given, seconds: float, places: dict) -> dict:
    """One run of each; raw INSERT with as many rows per commit as guardd has just reached."""
    runs = {}
    if "copy" in given.only:
        runs["copy"] = await bench.copy(seconds)
    for name, part, load in services(given):
        place = places[part if part in ("peer", "limit") else "guardd"]
        send = bench.answer if part == "limit" else bench.post
        runs[name] = run = await send(name, load, place, seconds)
        say(f"  {name}: {run.rate:,.0f}/s")
        if name in ("single 64", "batches") and run.commits:
            rows = min(round(run.rows_a_commit), 4000)
            together = 1 if load.items == 1 else min(rows, load.items)
            runs[f"insert as {name}"] = await bench.insert(max(seconds / 2, 1), rows, together)
        if name == "batches" and "queue" in given.only:
            async with Traffic(given.database, bench.scene.queued) as traffic:
                queued = "batches, queue"
                runs[queued] = await bench.post(queued, load, place, seconds)
            bench.scene.queued += 1_000_000
            if traffic.finished < seconds:
                raise RuntimeError(f"only {traffic.finished} notifications went through the queue")
    return runs


async def once(bench: Bench, given, places: dict, rounds: list[dict]) -> dict:
    """The measurements that run once, at the end."""
    found = {}
    if "states" in given.only:
        say("unchanged states of phones")
        seconds = round(max(1, given.seconds / 2))
        found["states"] = await states(
            bench.database, places["guardd"], given.place, seconds)
    if "downgrades" in given.only:
        say("downgrades under full ping load")
        seconds = 10 if given.seconds < 5 else 30
        guardsim = os.path.join(given.programs, "guardsim")
        found["downgrade"], rounds[-1]["single, downgrades"] = await downgrades(
            bench, guardsim, places["guardd"], seconds)
    if "board" in given.only:
        say("the board under full ping load")
        found["board"], rounds[-1]["single, board"] = await board(
            bench, places["guardd"], os.environ["BENCH_TOKEN"], 10 if given.seconds < 5 else 30)
    if "outage" in given.only:
        say("reports after an outage")
        found["outage"] = await outage(
            bench.database, places["guardd"], given.postgres_pid, given.rounds)
    guardd = ["setpriv", "--pdeathsig", "INT", "--", os.path.join(given.programs, "guardd")]
    if "notifications" in given.only:
        say("notifications")
        found["notifications"] = await notifications(
            given.delivery, guardd, given.delivery_port, given.place)
    if "looks" in given.only:
        say("requests of managers over a month of pings")
        found["looks"] = await look(
            given.past, os.environ["PAST_TOKEN"], os.environ["PAST_PASSWORD"], guardd,
            given.past_port)
    return found


@contextlib.contextmanager
def limit(given, scene: Scene):
    """The server that answers every request as guardd answers a ping."""
    server = subprocess.Popen([
        "setpriv", "--pdeathsig", "INT", "--", os.path.join(given.programs, "constant"),
        str(given.limit_port), scene.answer(given.guardd)])
    try:
        wait_for(given.limit_port, server)
        yield Service(f"http://127.0.0.1:{given.limit_port}", server.pid, "")
    finally:
        server.terminate()
        server.wait()


async def main() -> None:
    given, load = options(), os.getloadavg()[0]
    database = await asyncpg.connect(given.database)
    scene = Scene(given.place)
    bench = Bench(database, given.database, [given.postgres_pid], scene)
    places = {
        "guardd": Service(given.guardd, given.guardd_pid, "ping"),
        "peer": Service(given.peer, given.peer_pid, "peer_ping"),
    }
    await scene.fill(database, given.guardd)
    rounds, flushes = [], []
    with limit(given, scene) as places["limit"]:
        # Warm up connections, plans, caches and the workers of the peer before anything counts.
        say("warming up")
        await run_round(bench, given, 1, places)
        await database.execute("CHECKPOINT")
        for number in range(1, given.rounds + 1):
            await database.execute("VACUUM (ANALYZE)")
            flushes.append(flushes_per_second(given.place))
            say(f"round {number} of {given.rounds}; the disk flushes {flushes[-1]:,.0f} times/s")
            rounds.append(await run_round(bench, given, given.seconds, places))
    extra = await once(bench, given, places, rounds)
    about = {
        "cores": os.cpu_count(), "rounds": given.rounds, "secondsPerRun": given.seconds,
        "flushesPerSecond": flushes, "load": load,
        "postgres": await database.fetchval("SHOW server_version"),
        "pings": await database.fetchval("SELECT count(*) FROM ping"),
    }
    print(report(rounds, extra, about, given.json))


asyncio.run(main())

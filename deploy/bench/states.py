"""Compares the cost of a phone's unchanged state with that of `/healthz`, which does nothing."""

import asyncio
import json
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from contenders import Service
from gauges import cpu_seconds
from scene import enrol, instant, post

LUA = Path(__file__).parent / "states.lua"
CONNECTIONS = 16
# Employees who are not in a shift.
FIRST, PHONES = 3_000_001, 100


def tag(service: Service, token: str) -> str:
    request = urllib.request.Request(
        f"{service.url}/v1/me", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.headers["ETag"]


async def microseconds(
    service: Service, path: str, phones: str, status: str, seconds: int
) -> float:
    """The service's CPU per request of `path`, all of which must be answered with `status`."""
    before = cpu_seconds(service.pid)
    process = await asyncio.create_subprocess_exec(
        "wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{seconds}s",
        "--script", str(LUA), service.url + path, "--", phones,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    output = (await process.communicate())[0].decode()
    if process.returncode:
        raise RuntimeError(f"wrk failed: {output}")
    counts = json.loads(output.strip().splitlines()[-1])
    answered = counts.pop(status)
    if any(counts.values()) or not answered:
        raise RuntimeError(f"{path}: {answered} responses {status}, but also {counts}")
    return (cpu_seconds(service.pid) - before) * 1e6 / answered


def report(service: Service, token: str) -> None:
    now = instant(int(time.time() * 1000))
    body = {
        "sentAt": now, "recordedAt": now, "sequence": 1, "authorization": "always",
        "accuracy": "full", "services": "on"}
    post(f"{service.url}/v1/permission-reports", body, token)


async def states(database, service: Service, place: str, seconds: int) -> dict:
    """Microseconds of CPU per request, of five turns each."""
    tokens = await enrol(database, list(range(FIRST, FIRST + PHONES)))
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda token: report(service, token), tokens))
        tags = list(threads.map(lambda token: tag(service, token), tokens))
    phones = f"{place}/states"
    Path(phones).write_text(
        "".join(f"{token} {known}\n" for token, known in zip(tokens, tags, strict=True)), encoding="ascii")
    found = {"health": [], "unchanged": []}
    for _ in range(5):
        found["health"].append(await microseconds(service, "/healthz", "-", "200", seconds))
        found["unchanged"].append(await microseconds(service, "/v1/me", phones, "304", seconds))
    return found

"""Measures how soon a downgrade is committed while other phones saturate guardd with pings."""

import asyncio
import json

from contenders import Bench, Load, Run, Service

PHONES = 250
DOWNGRADES_A_MINUTE = 3000


async def downgrades(
    bench: Bench, guardsim: str, service: Service, seconds: int
) -> tuple[dict, Run]:
    """Percentiles in ms from a report's last byte to COMMIT of incident and notification, measured
    by guardd, and the run of the pings meanwhile. Every record is checked in the database."""
    process = await asyncio.create_subprocess_exec(
        guardsim, "load", "--server", service.url, "--tokens", bench.scene.reporting_path,
        "--phones", str(PHONES), "--seconds", str(seconds), "--rate", str(PHONES),
        "--downgrades", str(DOWNGRADES_A_MINUTE), "--database", bench.dsn, "--json", "--quiet",
        stdout=asyncio.subprocess.PIPE)
    run = await bench.post(
        "single, downgrades", Load("one", "/v1/pings", 1, 64), service, seconds,
        bench.scene.saturating_path)
    told = (await process.communicate())[0].decode()
    if process.returncode:
        raise RuntimeError(f"guardsim load ended with {process.returncode}: {told}")
    found = json.loads(told)
    spread = found["milliseconds"]["detections"]
    return {
        "p50": [spread["p50"]], "p99": [spread["p99"]], "p999": [spread["p999"]],
        "count": spread["count"], "longest": spread["longest"], "records": found["confirmed"],
    }, run

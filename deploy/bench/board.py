"""Measures how soon the board is answered while phones saturate guardd with pings."""

import asyncio
import http.client
import time

from contenders import Bench, Load, Run, Service

A_SECOND = 20


def ask(service: Service, token: str, seconds: int) -> list[float]:
    """Milliseconds of each request, in order of length. The wait for a late answer to the one
    before counts, too."""
    connection = http.client.HTTPConnection(service.url.removeprefix("http://"), timeout=30)
    headers, spans, begin = {"Authorization": f"Bearer {token}"}, [], time.perf_counter()
    for number in range(seconds * A_SECOND):
        due = begin + number / A_SECOND
        if (early := due - time.perf_counter()) > 0:
            time.sleep(early)
            due = time.perf_counter()
        connection.request("GET", "/v1/board", headers=headers)
        answer = connection.getresponse()
        answer.read()
        spans.append((time.perf_counter() - due) * 1000)
        if answer.status != 200:
            raise RuntimeError(f"/v1/board got status {answer.status}")
    connection.close()
    return sorted(spans)


async def board(bench: Bench, service: Service, token: str, seconds: int) -> tuple[dict, Run]:
    """Percentiles of a board of all employees in ms, and the run of the pings meanwhile."""
    asked = asyncio.create_task(asyncio.to_thread(ask, service, token, seconds))
    run = await bench.post("single, board", Load("one", "/v1/pings", 1, 64), service, seconds)
    spans = await asked
    return {
        "p50": spans[len(spans) // 2], "p99": spans[len(spans) * 99 // 100],
        "longest": spans[-1], "count": len(spans)}, run

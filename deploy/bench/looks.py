"""The requests of managers over a month of pings: by HTTP, one after the other."""

import http.client
import subprocess
import time
import urllib.parse
from datetime import datetime, timedelta, timezone
from pathlib import Path
from statistics import median

import asyncpg

LOOKS, WARM_UP = 41, 5
FOLDED_WITHIN = 180  # seconds
PATIENCE = 5  # seconds for all requests of one page


async def look(url: str, token: str, password: str, guardd: list[str], port: int) -> dict:
    """Fills the database at `url`, serves it, and returns the median milliseconds of each request.

    The API is called with `token`, pages with the session of boss@example.com."""
    database = await asyncpg.connect(url)
    await database.execute((Path(__file__).parent / "past.sql").read_text())
    await database.execute("VACUUM (ANALYZE)")
    service = subprocess.Popen(
        [*guardd, "--database", url, "--listen", f"127.0.0.1:{port}", "--log-level", "warning"])
    try:
        wait_for(port, service)
        await folded(database)
        await database.execute("VACUUM (ANALYZE)")
        today = datetime.now(timezone.utc).date()
        day, first, last = (today - timedelta(days=days) for days in (8, 30, 1))
        api = {"Authorization": f"Bearer {token}"}
        pages = {"Cookie": session(port, password)}
        found = {
            "board": milliseconds(port, api, "/v1/board"),
            "day": milliseconds(port, api, f"/v1/coverage?team=1&date={day}"),
            "shift": milliseconds(port, api, "/v1/employees/250/shifts/20/coverage"),
            "month": milliseconds(
                port, api, f"/v1/coverage?from={first}&to={last}&by=employee"),
            "boardPage": milliseconds(port, pages, "/"),
            "monthPage": milliseconds(port, pages, f"/coverage?from={first}&to={last}"),
            "timeSheet": milliseconds(port, api, f"/v1/time-sheets?from={first}&to={last}"),
            "timeSheetFile": milliseconds(
                port, api, f"/v1/time-sheets?from={first}&to={last}&format=csv"),
            "timeSheetPage": milliseconds(port, pages, f"/time-sheets?from={first}&to={last}"),
            "reviewsPage": milliseconds(port, pages, "/reviews"),
            "planPage": milliseconds(port, pages, f"/plan?day={today - timedelta(days=7)}"),
            "pings": await database.fetchval("SELECT count(*) FROM ping"),
        }
    finally:
        service.terminate()
        service.wait()
    await database.close()
    return found


def wait_for(port: int, service: subprocess.Popen) -> None:
    """Waits until the service is ready."""
    for _ in range(300):
        try:
            if get(port, "/readyz")[0] == 200:
                return
        except OSError:
            pass
        if service.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError(f"the service on port {port} did not start")


async def folded(database) -> None:
    """Waits until guardd has rolled up the month's shifts, if it stores rollups."""
    if not await database.fetchval("SELECT to_regclass('coverage_rollup') IS NOT NULL"):
        return
    deadline = time.monotonic() + FOLDED_WITHIN
    while await database.fetchval(
        "SELECT count(*) FROM shift"
        " LEFT JOIN coverage_rollup AS rollup USING (employee_id, shift_no)"
        " WHERE rollup.positions IS NULL"
    ):
        if time.monotonic() > deadline:
            raise RuntimeError("guardd did not roll up the month's shifts in time")
        time.sleep(0.5)


def get(port: int, path: str, headers: dict | None = None, connection=None) -> tuple[int, bytes]:
    connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers=headers or {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def session(port: int, password: str) -> str:
    """The cookie from log-in."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    form = urllib.parse.urlencode({"email": "boss@example.com", "password": password})
    connection.request(
        "POST", "/login", form,
        {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
    answer = connection.getresponse()
    answer.read()
    if not (cookie := answer.getheader("Set-Cookie")):
        raise RuntimeError(f"log-in got status {answer.status}")
    return cookie.split(";")[0]


def milliseconds(port: int, headers: dict, path: str) -> float | None:
    """The median; `None` if guardd times out, after 15 s."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    times, begin = [], time.monotonic()
    while len(times) < WARM_UP + LOOKS and time.monotonic() - begin < PATIENCE:
        sent = time.perf_counter()
        status, body = get(port, path, headers, connection)
        times.append((time.perf_counter() - sent) * 1000)
        if status == 503:
            return None
        if status != 200:
            raise RuntimeError(f"{path} got status {status}: {body[:200]!r}")
    return median(times[WARM_UP:] or times)

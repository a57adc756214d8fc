"""A typical service for comparison: FastAPI and asyncpg, one INSERT per ping.

It uses the same table under another name, looks tokens up once and then in a dict, checks that a
ping lies in a shift, and answers after COMMIT. It does less than guardd: it has no results per
item, records no sign of life and watches nothing."""

import base64
import hashlib
import os
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone

import asyncpg
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

CONNECTIONS = 10  # of each worker
NOT_TOLD = -32768

INSERT = """
  INSERT INTO peer_ping (
    employee_id, device_no, recorded_at, effective_at, shift_no, latitude_e7, longitude_e7,
    arrived_ms, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
  SELECT $1, $2, $3, $4, shift_no, $5, $6, $7, $8, $9, $10, $11, $12
  FROM shift
  WHERE employee_id = $1 AND $4 >= started_at AND (ended_at IS NULL OR $4 < ended_at)
  ON CONFLICT DO NOTHING"""


class Fix(BaseModel):
    recordedAt: datetime
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    accuracy: float | None = None
    speed: float | None = None
    heading: float | None = None
    altitude: float | None = None
    battery: int | None = Field(default=None, ge=0, le=100)


class Ping(Fix):
    sentAt: datetime | None = None


class Batch(BaseModel):
    sentAt: datetime | None = None
    pings: list[Fix] = Field(min_length=1, max_length=1000)


def narrowed(number: float | None) -> int:
    return NOT_TOLD if number is None else min(max(round(number), NOT_TOLD + 1), 32767)


def row(device: tuple[int, int], fix: Fix, sent_at: datetime | None, now: datetime) -> tuple:
    age = max((sent_at or now) - fix.recordedAt, timedelta())
    return (
        *device, fix.recordedAt, now - age, round(fix.latitude * 1e7),
        round(fix.longitude * 1e7), min(int(age.total_seconds() * 1000), 2**31 - 1),
        narrowed(fix.accuracy), narrowed(None if fix.speed is None else fix.speed * 100),
        narrowed(fix.heading), narrowed(fix.altitude), 127 if fix.battery is None else fix.battery)


@asynccontextmanager
async def life(app: FastAPI):
    async with asyncpg.create_pool(
        os.environ["DATABASE"], min_size=CONNECTIONS, max_size=CONNECTIONS
    ) as app.state.pool:
        yield


app = FastAPI(lifespan=life)
devices: dict[str, tuple[int, int]] = {}


async def device(authorization: str = Header()) -> tuple[int, int]:
    if known := devices.get(authorization):
        return known
    try:
        _, employee, number, secret = authorization.removeprefix("Bearer ").split("_", 3)
        token_hash = hashlib.sha256(base64.urlsafe_b64decode(secret + "=")).digest()
        claimed = int(employee), int(number)
    except ValueError:
        raise HTTPException(401) from None
    found = await app.state.pool.fetchval(
        "SELECT token_hash = $3 AND revoked_at IS NULL FROM device"
        " WHERE employee_id = $1 AND device_no = $2", *claimed, token_hash)
    if not found:
        raise HTTPException(401)
    devices[authorization] = claimed
    return claimed


@app.post("/v1/pings", status_code=201)
async def one(ping: Ping, device: tuple[int, int] = Depends(device)):
    now = datetime.now(timezone.utc)
    await app.state.pool.execute(INSERT, *row(device, ping, ping.sentAt, now))
    return {"stored": True}


@app.post("/v1/pings/batch", status_code=201)
async def many(batch: Batch, device: tuple[int, int] = Depends(device)):
    now = datetime.now(timezone.utc)
    rows = [row(device, fix, batch.sentAt, now) for fix in batch.pings]
    async with app.state.pool.acquire() as connection, connection.transaction():
        await connection.executemany(INSERT, rows)
    return {"stored": True}

"""Traffic in the outbox: notifications are queued, and guardd claims and finishes them. Their
incidents are over, so none is sent."""

import asyncio
import time

import asyncpg

from scene import EMPLOYEES

MESSAGES_A_SECOND = 200
# Numbers that guardd never uses.
FIRST_SUBJECT = 1_000_000_000

ENQUEUE = """
  INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
  VALUES ($1, 0, $2, 0, false, now())"""


class Traffic:
    """`async with Traffic(dsn) as traffic:` runs during a measurement."""

    def __init__(self, dsn: str, subject: int):
        self.dsn, self.subject, self.finished = dsn, FIRST_SUBJECT + subject, 0
        self.is_over = False

    async def __aenter__(self):
        self.connection = await asyncpg.connect(self.dsn)
        self.task = asyncio.create_task(self._enqueue(self.connection))
        return self

    async def __aexit__(self, *_):
        self.is_over = True
        await self.task
        self.finished = await self.connection.fetchval(
            "SELECT count(*) FROM notification_history WHERE subject >= $1", self.subject)
        await self.connection.close()

    async def _enqueue(self, connection) -> None:
        begin, sent = time.monotonic(), 0
        while not self.is_over:
            await connection.execute(ENQUEUE, sent % EMPLOYEES + 1, self.subject + sent)
            sent += 1
            await asyncio.sleep(begin + sent / MESSAGES_A_SECOND - time.monotonic())

"""The outbox at work: messages are queued, claimed by lease and finished, as a dispatcher does."""

import asyncio
import contextlib
import time

import asyncpg

from scene import EMPLOYEES

MESSAGES_A_SECOND = 200
CLAIM_MAX = 100
# Subjects that guardd does not reach.
FIRST_SUBJECT = 1_000_000_000

ENQUEUE = """
  INSERT INTO notification (employee_id, topic, subject, ordinal, slot, urgent, due_at)
  VALUES ($1, 0, $2, 0, $1 % 64, false, now())"""
CLAIM = f"""
  UPDATE notification SET lease = lease + 1, attempts = attempts + 1,
    due_at = now() + interval '30 seconds'
  WHERE (employee_id, topic, subject, ordinal) IN (
    SELECT employee_id, topic, subject, ordinal FROM notification
    WHERE due_at <= now() AND subject >= {FIRST_SUBJECT}
    ORDER BY due_at LIMIT {CLAIM_MAX})
  RETURNING employee_id, subject"""
FINISH = """
  DELETE FROM notification
  WHERE (employee_id, subject) IN (SELECT * FROM unnest($1::int[], $2::int[]))
    AND topic = 0 AND ordinal = 0 AND lease > 0"""


class Traffic:
    """`async with Traffic(dsn) as traffic:` runs beside whatever is measured."""

    def __init__(self, dsn: str, subject: int):
        self.dsn, self.subject, self.finished = dsn, FIRST_SUBJECT + subject, 0

    async def __aenter__(self):
        self.connections = [await asyncpg.connect(self.dsn) for _ in range(2)]
        self.tasks = [
            asyncio.create_task(self._enqueue(self.connections[0])),
            asyncio.create_task(self._deliver(self.connections[1]))]
        return self

    async def __aexit__(self, *_):
        for task in self.tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self.connections[1].execute(
            f"DELETE FROM notification WHERE subject >= {FIRST_SUBJECT}")
        for connection in self.connections:
            await connection.close()

    async def _enqueue(self, connection) -> None:
        begin, sent = time.monotonic(), 0
        while True:
            await connection.execute(ENQUEUE, sent % EMPLOYEES + 1, self.subject + sent)
            sent += 1
            await asyncio.sleep(begin + sent / MESSAGES_A_SECOND - time.monotonic())

    async def _deliver(self, connection) -> None:
        while True:
            claimed = await connection.fetch(CLAIM)
            if claimed:
                await connection.execute(
                    FINISH, [row[0] for row in claimed], [row[1] for row in claimed])
                self.finished += len(claimed)
            await asyncio.sleep(0.05)

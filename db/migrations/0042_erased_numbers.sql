-- Why: nothing of an erased employee may pass for the next one's with the same number. Caches are
--   compared by the version of guard_state, so a version must not occur twice for a number: it begins
--   at the database's clock, in microseconds since 1970. And the service gives no number twice: it
--   remembers those of erased employees, and nothing else of them.
-- Locks: guard_state, for an instant. Size: a number for each employee who was erased.
ALTER TABLE guard_state
  ALTER COLUMN version SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

CREATE TABLE erased_number (
  number int NOT NULL,  -- nobody's, until an administrator gives it to another employee on purpose
  CONSTRAINT erased_number_pk PRIMARY KEY (number)
);
SELECT replicate_everywhere('erased_number');
-- Of erasures before, as far as the audit log still knows them.
INSERT INTO erased_number (number)
SELECT DISTINCT target FROM audit_entry WHERE action = 28 AND target IS NOT NULL;

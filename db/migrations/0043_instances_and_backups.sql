-- Why: an instance that was asked to stop is no fault, and during an upgrade it must be seen which
--   version each instance has; backups are recorded, so that an old one is noticed.
-- Locks: heartbeat for an instant. Size: a row per instance and backup.
ALTER TABLE heartbeat
  ADD COLUMN stopped boolean NOT NULL DEFAULT false,
  ADD COLUMN version text;  -- NULL: of a program before this schema

CREATE TABLE backup (
  finished_at timestamptz NOT NULL,
  method      text        NOT NULL,  -- the program that made it
  CONSTRAINT backup_pk PRIMARY KEY (finished_at),
  CONSTRAINT backup_method_length CHECK (length(method) BETWEEN 1 AND 50)
);
SELECT replicate_everywhere('backup');

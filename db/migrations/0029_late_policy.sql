-- Why: a team chooses when its managers are notified of late employees and no-shows. For teams that
--   exist, that is never; a new team begins with 15 minutes and an hour.
-- Locks: policy_version, while its rows are checked. Size: eight bytes for each version.
ALTER TABLE policy_version ADD COLUMN late_after_ms int NOT NULL DEFAULT 0;  -- 0: never
ALTER TABLE policy_version ADD COLUMN no_show_after_ms int NOT NULL DEFAULT 0;
ALTER TABLE policy_version ADD CONSTRAINT policy_version_late_after_range
  CHECK (late_after_ms BETWEEN 0 AND 43200000);
ALTER TABLE policy_version ADD CONSTRAINT policy_version_no_show_after_range
  CHECK (no_show_after_ms BETWEEN 0 AND 43200000);

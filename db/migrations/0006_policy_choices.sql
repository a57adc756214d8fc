-- Why: a team chooses whether its employees may override a block with a reason, and after what time
--   they are reminded of a forgotten clock-out.
-- Locks: ACCESS EXCLUSIVE on `policy_version`, milliseconds (constants, nothing is rewritten).
-- Size: six bytes per version. A program of the previous schema keeps working; its versions get the
--   defaults.
ALTER TABLE policy_version
  ADD COLUMN reminder_after_ms int NOT NULL DEFAULT 36000000,
  ADD COLUMN self_override smallint NOT NULL DEFAULT 0,  -- 0 off, 1 with a reason
  ADD CONSTRAINT policy_version_reminder_after_range
    CHECK (reminder_after_ms BETWEEN 3600000 AND 86400000),
  ADD CONSTRAINT policy_version_self_override_known CHECK (self_override BETWEEN 0 AND 1);

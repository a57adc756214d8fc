-- Why: a browser page tracks only while it is on the screen; the employee is reminded, once a shift.
-- Version before: runs on it, and reminds nobody.
--   No position is missed in hidden time: that is counted from its end. The version before leaves
--   that time out, and misses the position as it always did.
-- Locks: policy_version, planned_policy, shift and device_contact, for an instant. Size: 4 bytes for
--   each policy, 8 for each shift with a reminder and each page.

ALTER TABLE policy_version
  ADD COLUMN hidden_reminder_after_ms int NOT NULL  -- how long a page may be out of view; 0: for
    DEFAULT 900000;                                 -- ever
ALTER TABLE policy_version ADD CONSTRAINT policy_version_hidden_reminder_after_range
  CHECK (hidden_reminder_after_ms BETWEEN 0 AND 14400000);

ALTER TABLE planned_policy
  ADD COLUMN hidden_reminder_after_ms int NOT NULL DEFAULT 900000;
ALTER TABLE planned_policy ADD CONSTRAINT policy_version_hidden_reminder_after_range
  CHECK (hidden_reminder_after_ms BETWEEN 0 AND 14400000);

ALTER TABLE shift
  ADD COLUMN hidden_reminder_at timestamptz;  -- when the employee was reminded; NULL: not yet

ALTER TABLE device_contact
  ADD COLUMN hidden_until timestamptz;  -- the end of the last time that its page was out of view

-- Why: an app that is installed again counts its reports from the start, which must not hide a
--   denial. So reports are ordered by installation, then by sequence, and a sequence identifies a
--   report only within its installation. A report has its place even without a sequence, and the
--   time from which it counts. A device's description follows its reports, including its app.
-- Locks: ACCESS EXCLUSIVE on `permission_report` and `device`, milliseconds (constant defaults,
--   nothing is rewritten); the check reads `device` once. The unique index is built under the lock,
--   some hundred thousand rows a second. Size: 4 bytes per report, some 40 bytes per installation.
ALTER TABLE permission_report
  ADD COLUMN installation_no int NOT NULL DEFAULT 0,  -- among the device's; 0: the enrolment
  ADD COLUMN place       bigint,       -- within its installation; NULL: its sequence
  ADD COLUMN counts_from timestamptz;  -- not before the preceding report; NULL: effective_at
DROP INDEX permission_report_sequence_once;
CREATE UNIQUE INDEX permission_report_sequence_once
  ON permission_report (employee_id, device_no, installation_no, sequence)
  WHERE sequence IS NOT NULL;

ALTER TABLE device
  ADD COLUMN app             text,                            -- and its version
  ADD COLUMN installation_no int    NOT NULL DEFAULT 0,       -- of the newest; 0: the enrolment
  ADD COLUMN installations   text[] NOT NULL DEFAULT '{}';    -- their ids, the newest hundred first
ALTER TABLE device ADD CONSTRAINT device_app_length CHECK (length(app) <= 100);

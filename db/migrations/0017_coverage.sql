-- Why: coverage and incidents agree. The tracking settings of a phone are stored with its shift, so
--   that a new policy changes no open shift; a fix may be mocked or too inaccurate to prove a
--   position; a phone may announce a rest, and a page that it is hidden; incidents of silence are
--   the record of receipts, so signs need no receipts any more; and time in which no phone was
--   asked to track is distinguished.
-- Locks: ACCESS EXCLUSIVE on `policy_version`, `shift`, `take_over`, `device_pulse` and
--   `shift_signs`, milliseconds (nullable or constant, nothing is rewritten; the new checks of
--   `policy_version` and `shift_signs` read them once); then the rows of open shifts and of all
--   signs. A report reads shifts from signs until their totals are computed again, gradually. Stop
--   all instances first.
-- Size: some 30 bytes per shift and device; a rest is stored in columns of its ping that have no
--   meaning for a phone at rest, so a ping is as long as before.
ALTER TABLE policy_version
  ADD COLUMN max_rest_ms int NOT NULL DEFAULT 1800000,
  ADD COLUMN accuracy_max_m int;  -- NULL: every fix proves a position
ALTER TABLE policy_version ADD CONSTRAINT policy_version_max_rest_range
  CHECK (max_rest_ms BETWEEN 0 AND 3600000);
ALTER TABLE policy_version ADD CONSTRAINT policy_version_accuracy_max_range
  CHECK (accuracy_max_m BETWEEN 1 AND 100000);

ALTER TABLE shift
  ADD COLUMN asked_from timestamptz,  -- before it, no phone was asked to track; NULL: always asked
  ADD COLUMN offline_received_at timestamptz,  -- the receipt of an offline clock-in
  ADD COLUMN ping_interval_ms int NOT NULL DEFAULT 60000,
  ADD COLUMN max_rest_ms int NOT NULL DEFAULT 1800000,
  ADD COLUMN break_max_ms int NOT NULL DEFAULT 7200000,
  ADD COLUMN accuracy_max_m int,
  ADD COLUMN start_fix_proof smallint,  -- 2 mocked, 3 too inaccurate; NULL: it proves a position
  ADD COLUMN end_fix_proof smallint;
UPDATE shift SET ping_interval_ms = policy.ping_interval_ms, break_max_ms = policy.break_max_ms
FROM employee, policy_version AS policy
WHERE shift.ended_at IS NULL AND employee.employee_id = shift.employee_id
  AND policy.team_id = employee.team_id AND policy.version = shift.policy_version;

ALTER TABLE take_over
  ADD COLUMN fix_age_max_ms int,  -- how long a fix counts while this device tracks; NULL: as in the shift
  ADD COLUMN fresh_for_ms int;    -- the maximum age of a report it brought along; NULL: any

ALTER TABLE device_pulse
  ADD COLUMN position_at timestamptz,           -- the last accepted fix
  ADD COLUMN position_received_at timestamptz,  -- the receipt of its request
  ADD COLUMN sign_at timestamptz,               -- the newest accepted ping, or report
  ADD COLUMN quiet_since timestamptz,           -- the newest two receipts between which
  ADD COLUMN heard_again_at timestamptz,        -- there was no contact for two minutes or more
  ADD COLUMN hidden boolean NOT NULL DEFAULT false;  -- that ping reported a hidden page
COMMENT ON COLUMN device_pulse.last_rest_at IS 'may lie ahead: the end of an announced rest';
UPDATE device_pulse SET position_at = last_fix_at, position_received_at = last_fix_at;

-- Fixes and signs at rest that were rolled up together are rolled up again, as long as their pings
-- exist.
ALTER TABLE shift_signs DROP CONSTRAINT shift_signs_folded_whole;
ALTER TABLE shift_signs
  DROP COLUMN receipts,
  DROP COLUMN receipt_devices,
  ADD COLUMN position_kinds smallint[];  -- the kind of each run
UPDATE shift_signs
SET version = version + 1, sums = NULL, sums_version = NULL, sums_outage_ms = NULL,
  positions = CASE WHEN sealed THEN positions END,
  position_devices = CASE WHEN sealed THEN position_devices END,
  position_kinds = CASE WHEN sealed
    THEN array_fill(0::smallint, ARRAY[cardinality(position_devices)]) END;
ALTER TABLE shift_signs ADD CONSTRAINT shift_signs_folded_whole CHECK (
  (positions IS NULL) = (position_devices IS NULL)
  AND (positions IS NULL) = (position_kinds IS NULL));

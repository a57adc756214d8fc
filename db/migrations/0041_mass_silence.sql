-- Why: when most phones fall silent at the same time, something in front of the service probably fails, and
--   notifications about it wait while operators fix it. A team chooses how long. Ten minutes also for teams
--   that exist: an alarm to every employee was the fault.
-- Locks: policy_version and planned_policy, while their rows are checked. Size: four bytes for each version.
ALTER TABLE policy_version ADD COLUMN mass_silence_wait_ms int NOT NULL DEFAULT 600000;  -- 0: no wait
ALTER TABLE planned_policy ADD COLUMN mass_silence_wait_ms int NOT NULL DEFAULT 600000;
ALTER TABLE policy_version ADD CONSTRAINT policy_version_mass_silence_wait_range
  CHECK (mass_silence_wait_ms BETWEEN 0 AND 600000);
ALTER TABLE planned_policy ADD CONSTRAINT policy_version_mass_silence_wait_range
  CHECK (mass_silence_wait_ms BETWEEN 0 AND 600000);

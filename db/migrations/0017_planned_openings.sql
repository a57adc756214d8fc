-- Why: a team's policy may let its planned shifts open by themselves.
-- Locks: policy_version, for a moment; planned_shift against writes while the index is built.
-- Size: a byte per policy version, and an index entry per planned shift.
ALTER TABLE policy_version ADD COLUMN opens_planned_shifts boolean NOT NULL DEFAULT false;
CREATE INDEX planned_shift_by_start ON planned_shift (starts_at);

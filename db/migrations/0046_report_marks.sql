-- Why: the answer to a report says whether the employee is tracked now. It read all reports of the shift;
--   what it needs of them is now kept with the state. Every change of the state raises its version, and
--   what was kept with an earlier version, or by no version yet, is read from the reports once.
-- Locks: guard_state, for an instant. Size: a row for each employee, not rewritten.
ALTER TABLE guard_state ADD COLUMN marks_version bigint;           -- the version they belong to
ALTER TABLE guard_state ADD COLUMN marks_newest_at timestamptz;    -- when the newest report counts from
ALTER TABLE guard_state ADD COLUMN marks_previous_at timestamptz;  -- the same of the one before
ALTER TABLE guard_state ADD COLUMN marks_lost_at timestamptz;      -- the last that cannot locate
ALTER TABLE guard_state ADD COLUMN marks_restored_at timestamptz;  -- the last end of that
ALTER TABLE guard_state ADD COLUMN marks_lost boolean;             -- whether so just before the newest

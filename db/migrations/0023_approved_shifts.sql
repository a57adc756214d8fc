-- Why: managers approve the times of a shift for payroll, which locks them; employees confirm them.
--   The approved times are stored too, so that no program can change the times of an approved shift,
--   also not one of the version before, which knows nothing of approvals.
-- Locks: shift, for an instant. The constraints need no check of old rows: all are NULL there.
-- Size: some 50 bytes for each approved shift.
ALTER TABLE shift ADD COLUMN approved_at timestamptz;         -- NULL: not approved
ALTER TABLE shift ADD COLUMN approved_start timestamptz;
ALTER TABLE shift ADD COLUMN approved_end timestamptz;
ALTER TABLE shift ADD COLUMN times_confirmed_at timestamptz;  -- by the employee; NULL: not, or the
                                                              -- times have changed since
ALTER TABLE shift ADD COLUMN approved_by text;
ALTER TABLE shift ADD CONSTRAINT shift_approval_whole CHECK (
  num_nulls(approved_at, approved_by, approved_start, approved_end) IN (0, 4)) NOT VALID;
ALTER TABLE shift ADD CONSTRAINT shift_approval_locks CHECK (
  approved_at IS NULL
  OR (started_at = approved_start AND ended_at = approved_end AND ended_at IS NOT NULL
    AND NOT needs_review)) NOT VALID;
ALTER TABLE shift ADD CONSTRAINT shift_approved_by_length CHECK (length(approved_by) <= 100) NOT VALID;

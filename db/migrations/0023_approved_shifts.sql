-- Why: managers approve the times of a shift for payroll, which locks them; employees confirm them.
-- Locks: shift, while its rows are read: half a second for each million.
-- Size: some 30 bytes for each approved shift.
ALTER TABLE shift ADD COLUMN approved_at timestamptz;         -- NULL: not approved
ALTER TABLE shift ADD COLUMN times_confirmed_at timestamptz;  -- by the employee; NULL: not, or the
                                                              -- times have changed since
ALTER TABLE shift ADD COLUMN approved_by text;
ALTER TABLE shift ADD CONSTRAINT shift_approval_whole CHECK (
  (approved_at IS NULL) = (approved_by IS NULL)
  AND (approved_at IS NULL OR (ended_at IS NOT NULL AND NOT needs_review)));
ALTER TABLE shift ADD CONSTRAINT shift_approved_by_length CHECK (length(approved_by) <= 100);

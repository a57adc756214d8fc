-- Why: an employee who disagrees with the recorded times of a shift says why, and a manager decides.
-- Locks: shift and shift_correction, for an instant. The constraints need no check of old rows: all are NULL there.
-- Size: up to 500 characters for each shift with an objection, and each correction that answers one.
ALTER TABLE shift ADD COLUMN objected_at timestamptz;  -- NULL: no objection to the present times
ALTER TABLE shift ADD COLUMN objection text;
ALTER TABLE shift ADD CONSTRAINT shift_objection_whole CHECK (
  num_nulls(objected_at, objection) IN (0, 2)) NOT VALID;
ALTER TABLE shift ADD CONSTRAINT shift_objection_length CHECK (
  length(objection) BETWEEN 1 AND 500) NOT VALID;
-- An undo brings the objection back that the correction had answered.
ALTER TABLE shift_correction ADD COLUMN old_objected_at timestamptz;
ALTER TABLE shift_correction ADD COLUMN old_objection text;

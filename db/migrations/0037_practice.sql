-- Why: an administrator rehearses a working day with a practice employee, who must not show up
--   among the others, and is erased after an hour by whichever instance runs then.
-- Locks: team and employee, for an instant, and writes to employee until its index is built:
--   milliseconds. Size: a row per team and employee.
ALTER TABLE team ADD COLUMN is_practice boolean NOT NULL DEFAULT false;
ALTER TABLE employee ADD COLUMN practice_until timestamptz;  -- then erased; NULL: no practice

-- There is one practice team, for all rehearsals.
CREATE UNIQUE INDEX team_practice_once ON team (is_practice) WHERE is_practice;
-- The practice employees; empty most of the time.
CREATE INDEX employee_practice_until ON employee (practice_until)
  WHERE practice_until IS NOT NULL;

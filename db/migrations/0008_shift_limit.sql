-- Why: a shift keeps the limit it began under. Before, when it was read from the policy in force, a
--   shorter limit ended open shifts in the past, and later records were deleted.
-- Locks: ACCESS EXCLUSIVE on shift, milliseconds (a constant default, nothing is rewritten); then
--   the rows of open shifts and of their employees' guard_state. Size: four bytes per shift. A
--   program of the previous schema keeps working; its shifts get the default.
ALTER TABLE shift ADD COLUMN shift_max_ms int NOT NULL DEFAULT 57600000;

UPDATE shift SET shift_max_ms = policy.shift_max_ms
FROM employee, policy_version AS policy
WHERE shift.ended_at IS NULL AND employee.employee_id = shift.employee_id
  AND policy.team_id = employee.team_id AND policy.version = shift.policy_version;
-- The watch processes each and computes when something is due.
UPDATE guard_state SET version = version + 1, due_at = now() WHERE open_shift IS NOT NULL;

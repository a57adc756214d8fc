-- Why: somebody who has left must not clock in or be listed, while their shifts and times stay.
-- Locks: employee, for an instant. Size: a row per employee.
ALTER TABLE employee ADD COLUMN deactivated_at timestamptz;  -- NULL: active

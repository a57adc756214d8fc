-- Why: what an employee accepted at the clock-in is no news after a break.
-- Locks: guard_state, for a moment. Size: two bytes per employee.
ALTER TABLE guard_state
  ADD COLUMN break_accepted smallint NOT NULL DEFAULT 0;  -- one bit per kind, by its number

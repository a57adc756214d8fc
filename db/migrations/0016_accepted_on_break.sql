-- Why: what an employee accepted at the clock-in is no news after a break.
-- Locks: guard_state, for a moment. Size: four bytes per employee.
ALTER TABLE guard_state
  ADD COLUMN break_accepted int NOT NULL DEFAULT 0;  -- findings: one bit for each

-- Why: a phone that can be located again has as much time for its next position as after a
--   clock-in, also when it is allowed less than before (denied, then while in use), which closes no
--   incident. An incident that a late clock-out clips has the kind that it had in the shift.
-- Locks: ACCESS EXCLUSIVE on `guard_state` and `incident`, milliseconds (nothing is rewritten).
-- Size: 8 bytes per employee, 2 bytes per incident that became worse.
ALTER TABLE guard_state
  ADD COLUMN locatable_since timestamptz;  -- NULL: it could always be located in this shift
ALTER TABLE incident
  ADD COLUMN kind_before smallint;  -- until worsened_at; NULL: never worsened

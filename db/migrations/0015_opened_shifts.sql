-- Why: a manager or a plan may open a shift. No phone tracks it until its employee confirms it.
-- Locks: shift and guard_state, while their rows are checked. Size: two bytes per shift, and a name
--   and a reason for those that managers open.
ALTER TABLE shift ALTER COLUMN device_no DROP NOT NULL;  -- NULL: no phone ever tracked it
ALTER TABLE shift
  ADD COLUMN opened_by smallint NOT NULL DEFAULT 0,  -- 0 the employee, 1 a manager, 2 a plan
  ADD COLUMN confirm_by timestamptz,     -- it ends then unless confirmed; NULL: at its limit
  ADD COLUMN opened_by_name text,        -- the manager; asked_from is the confirmation
  ADD COLUMN opening_reason text;
ALTER TABLE shift
  ADD CONSTRAINT shift_opened_by_name_length CHECK (length(opened_by_name) BETWEEN 1 AND 100);
ALTER TABLE shift
  ADD CONSTRAINT shift_opening_reason_length CHECK (length(opening_reason) BETWEEN 1 AND 500);
ALTER TABLE shift
  ADD CONSTRAINT shift_device_unless_opened CHECK (device_no IS NOT NULL OR opened_by <> 0);

ALTER TABLE guard_state DROP CONSTRAINT guard_state_shift_whole;
ALTER TABLE guard_state
  ADD CONSTRAINT guard_state_shift_whole CHECK (  -- open_device NULL: it waits to be confirmed
    (open_shift IS NULL) = (opened_at IS NULL)
    AND (open_shift IS NOT NULL OR (open_device IS NULL AND report_id IS NULL)));


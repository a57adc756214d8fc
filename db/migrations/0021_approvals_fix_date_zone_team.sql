-- Why: an approved shift got another day, and left its pay period, when its employee changed the
--   team or the team its time zone. An approval fixes all three, and reopening frees them.
-- Version before: runs on it. Its approvals fix nothing, and its time sheets show every shift in the
--   present team and time zone. It reopens without clearing the columns, which do not count then;
--   if it approves the shift again, they hold again.
-- Locks: shift and past_shift, for an instant. Size: about 25 bytes for each approved shift.

ALTER TABLE shift
  ADD COLUMN approved_team int,   -- with the two below; NULL: the employee's present team holds
  ADD COLUMN approved_zone text,
  ADD COLUMN approved_day  date;  -- of its start in this zone

ALTER TABLE past_shift
  ADD COLUMN approved_team int,   -- as in shift, like the two below
  ADD COLUMN approved_zone text,
  ADD COLUMN approved_day  date;

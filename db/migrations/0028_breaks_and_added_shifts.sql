-- Why: managers correct breaks, and add shifts that everybody had forgotten. No position counts of
--   time that a correction took out of a break, and an added shift is not paid before its employee
--   confirmed it, or had a week to object.
-- Version before: runs on it. It corrects no break, and may be unable to undo a correction of
--   breaks. It shows positions of time that was in a break, of which there are few: they were refused or
--   deleted then. To it an added shift can be approved at once.
-- Locks: shift, shift_correction and past_shift, for an instant. Size: 17 bytes for each break
--   before and after a correction of breaks, and some 30 for each shift with one.

-- Start and end of each break in turn; the end of a break that lasts is NULL, as is the whole array
-- if the correction leaves breaks as they are.
ALTER TABLE shift_correction
  ADD COLUMN old_breaks timestamptz[],
  ADD COLUMN new_breaks timestamptz[];

ALTER TABLE shift
  ADD COLUMN added_time tstzmultirange;  -- what corrections in force took out of breaks: no
                                         -- position of it counts; NULL: nothing

ALTER TABLE past_shift
  ADD COLUMN unconfirmed boolean NOT NULL DEFAULT false;  -- only managers say it was worked

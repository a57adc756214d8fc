-- Why: what an employee was shown at the clock-in and went on with is told to nobody until it has been
--   better for a minute, through breaks and take-overs; an incident says whether it was of that.
-- Version before: runs on it. What it opens says that nothing was accepted; of a shift that began
--   under it, what was accepted may be told once.
-- Locks: guard_state and incident, for an instant each. Size: two bytes for each employee, one for
--   each incident.
-- Unused since schema 15: break_accepted.

ALTER TABLE guard_state
  ADD COLUMN accepted smallint NOT NULL DEFAULT 0,  -- IncidentKindSet: one bit per kind
  ADD COLUMN accepted_device smallint,              -- only its reports lower it
  ADD COLUMN accepted_shift int,                    -- the rest is of this shift, and of no other
  ADD COLUMN better_authorization timestamptz,      -- since when it reports the dimension better
  ADD COLUMN better_accuracy timestamptz,
  ADD COLUMN better_services timestamptz,
  ADD COLUMN better_mock_location timestamptz;

ALTER TABLE incident ADD COLUMN accepted boolean NOT NULL DEFAULT false;

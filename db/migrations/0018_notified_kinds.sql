-- Why: what holds is compared once a debounce with what the open app was last notified of, in all
--   dimensions at once; the steps to e-mail and managers count from the first alarm of a dimension.
-- Version before: runs on it, and leaves the columns; steps then count from what this one decides.
--   The end of an alarm says what held when it was sent, so that the rest is known to be over.
-- Locks: guard_state and delivery_attempt, for an instant. Size: two bytes for each employee and
--   attempt, 8 for each time.

ALTER TABLE guard_state
  ADD COLUMN notified_shift int,                -- the rest is of this shift, and of no other
  ADD COLUMN notified smallint NOT NULL         -- IncidentKindSet: one bit per kind
    DEFAULT 0,
  ADD COLUMN compares_at timestamptz,           -- the end of the debounce that runs
  ADD COLUMN alarmed_authorization timestamptz, -- the first alarm since the dimension was clear
  ADD COLUMN alarmed_services timestamptz,
  ADD COLUMN alarmed_accuracy timestamptz,
  ADD COLUMN alarmed_contact timestamptz,
  ADD COLUMN alarmed_fix timestamptz,
  ADD COLUMN alarmed_mock_location timestamptz;

ALTER TABLE delivery_attempt
  ADD COLUMN held smallint;  -- IncidentKindSet: what held at the end of an alarm

-- Why: a silence without contact follows from the last receipt before it and the next one, and from
--   what the phone announced, whenever that comes. The record kept only what had come by then.
-- Version before: runs on it. It leaves the columns, and silences that it records are only cut.
-- Locks: incident and device_contact, for an instant. Size: 8 bytes for each silence, and for each
--   device that has been at rest or hidden for long.

ALTER TABLE incident
  ADD COLUMN silent_since timestamptz;   -- of no contact: the last receipt before it

ALTER TABLE device_contact
  ADD COLUMN excused_until timestamptz;  -- the end of the rest or hidden time after silent_since,
                                         -- as known at contact_resumed_at

-- Why: pings that came late showed that a phone had been awake in an announced rest, and so silent,
--   but after the next long time without contact nobody knew any more when it had been heard. And
--   what a phone without a position misses is counted from the end of its rest, too.
-- Version before: runs on it, and leaves the columns.
-- Locks: device_contact, for an instant. Size: up to 500 bytes for each device that rests often.
-- Unused since schema 22: device_contact.hidden_until.

ALTER TABLE device_contact
  ADD COLUMN away_until   timestamptz,   -- the end of its last rest, or of the last time out of view
  ADD COLUMN excused_gaps tstzrange[];   -- those before silent_since with an excused_until, newest
                                         -- first, at most 16: from one receipt to the next

-- Why: what one debounce brings in several dimensions is one message, about the worst; what it
--   covers counts as notified, so that its end is told, and a break does not tell it again.
-- Version before: runs on it, and leaves the column empty.
-- Locks: delivery_attempt, for an instant. Size: two bytes for each attempt that covers something.

ALTER TABLE delivery_attempt
  ADD COLUMN covered smallint;  -- IncidentKindSet: milder kinds that the message covers

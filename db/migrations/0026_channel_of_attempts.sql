-- Why: the health of each channel is read from its newest attempts. A device's push target and a
--   team's contact may be gone when it is asked, often because of that very attempt.
-- Locks: delivery_attempt against writes while its rows are read: half a second for each million.
-- Size: no row is written (NULL: an attempt in the open app, one of a digest, or one from before);
--   an entry in the index for each attempt.
ALTER TABLE delivery_attempt ADD COLUMN channel smallint;
CREATE INDEX delivery_attempt_by_channel ON delivery_attempt (channel, started_at);

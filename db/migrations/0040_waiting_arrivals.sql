-- Why: an arrival that waits for its permission is decided after a minute, also if the phone says nothing
--   more; a worker looks for such arrivals.
-- Locks: device against writes, while it is read once. Size: nothing, but for seconds after an arrival.
CREATE INDEX device_by_arrival ON device (arrived_at) WHERE arrived_at IS NOT NULL;

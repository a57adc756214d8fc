-- Why: an app that reports its permission only when it is asked is asked when its employee arrives in a
--   region of shifts. Until it answers, the time of the arrival is kept here; never the place.
-- Locks: device, for an instant. Size: nothing, but for seconds after an arrival.
ALTER TABLE device ADD COLUMN arrived_at timestamptz;  -- the phone's time; NULL: nothing waits

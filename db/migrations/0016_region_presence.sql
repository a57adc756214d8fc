-- Why: a shift that began by an arrival ends when the phone has left the last region named for
--   shifts, and not at once, because a phone at the edge of a region crosses it often.
-- Version before: runs on it. It ends such a shift at any departure, at once.
-- Locks: device, for an instant, and while the index is built: it is empty. Size: 16 bytes for each
--   region of a phone, while an arrival waits or such a shift lasts.

ALTER TABLE device
  ADD COLUMN region_crossings bigint[],      -- hash of a region named for shifts, then the time of
                                             -- its newest crossing, in milliseconds since 1970,
                                             -- negative for a departure; and so on
  ADD COLUMN left_received_at timestamptz;   -- when its departure from the last of them was
                                             -- received; NULL: it is in one, or in none known

CREATE INDEX device_by_departure ON device (left_received_at) WHERE left_received_at IS NOT NULL;

-- Why: as in the migration before, for shifts. One table in each: a clock-in writes both.
-- Locks: shift against writes while its rows are read: half a second for each million.
-- Size: an entry for each shift that is not reviewed.
CREATE INDEX shift_to_review ON shift (started_at) WHERE needs_review;

-- Why: as in the migration before, for shifts of which only the times are kept.
-- Locks: past_shift against writes while its rows are read: half a second for each million.
-- Size: as there, and an index entry for each row.
ALTER TABLE past_shift ADD COLUMN approved_at timestamptz;
ALTER TABLE past_shift ADD COLUMN times_confirmed_at timestamptz;
ALTER TABLE past_shift ADD COLUMN approved_by text;
ALTER TABLE past_shift ADD COLUMN corrections smallint;  -- how many there were; NULL: unknown
CREATE INDEX past_shift_by_start ON past_shift (started_at);

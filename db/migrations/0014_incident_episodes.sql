-- Why: an incident has one kind from its opening to its close, so that whoever shows a kind beside a
--   start and an end says what was true between them. What replaces it in its dimension is the next
--   incident of the same episode.
-- Version before: runs on it. Its lists fail where they have an incident that this version closed
--   as changed or resumed (5 and 6). It may give an open incident another kind.
-- Locks: incident, for an instant. Size: four bytes for each incident that replaced another.
-- Unused since schema 14: worsened_at and kind_before.

ALTER TABLE incident ADD COLUMN episode int;  -- number of its first incident; NULL: this one

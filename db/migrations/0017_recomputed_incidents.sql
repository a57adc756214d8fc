-- Why: what comes late, such as a report of a phone that was offline, changes which incidents there
--   were; those that it makes or moves say so, and one of which nothing is left is withdrawn.
-- Version before: runs on it. What this version withdrew (7) is in none of its lists.
-- Locks: incident, for an instant. Size: one byte for each incident.

ALTER TABLE incident ADD COLUMN recomputed boolean NOT NULL DEFAULT false;

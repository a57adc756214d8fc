-- Why: the versions of a policy are listed with the name of who saved them. Audit entries have it
--   too, but are deleted earlier.
-- Locks: policy_version, for an instant. Size: a name for each version.
ALTER TABLE policy_version ADD COLUMN saved_by text;  -- NULL: the team's first version, or unknown
ALTER TABLE policy_version ADD CONSTRAINT policy_version_saved_by_length
  CHECK (length(saved_by) BETWEEN 1 AND 100) NOT VALID;

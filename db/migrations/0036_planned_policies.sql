-- Why: a policy may be valid from a later time. Until then it waits in a table of its own, and gets
--   its number when it is put in force, so that the numbers alone show what was in force when.
-- Locks: policy_version, for an instant. Size: at most a row for each team.
ALTER TABLE policy_version
  ADD COLUMN valid_from timestamptz;  -- when a planned one was to be put in force; NULL: created_at

-- The same settings with the same bounds. Here `version` is the one in force when it was planned.
CREATE TABLE planned_policy (
  LIKE policy_version INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT planned_policy_pk PRIMARY KEY (team_id),  -- only one waits
  CONSTRAINT planned_policy_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT planned_policy_named CHECK (num_nulls(valid_from, saved_by) = 0)
);
SELECT replicate_everywhere('planned_policy');

-- Why: an administrator dismisses the checklist of a new installation for good; and a team without
--   employees and history can be removed. Its number is never given to another team, because audit
--   entries still name it. Its policies go with it: guardd itself may not delete any.
-- Version before: runs on it. It shows no checklist, removes no team, and would give the number of
--   a removed team again if that was the highest.
-- Locks: team and policy_version, for an instant. Size: one row.

CREATE TABLE installation (
  checklist_dismissed_at timestamptz,                   -- NULL: administrators still see it
  removed_team_max       int      NOT NULL DEFAULT 0,   -- the highest number of a removed team
  number                 smallint NOT NULL DEFAULT 1,
  CONSTRAINT installation_pk PRIMARY KEY (number),
  CONSTRAINT installation_one_row CHECK (number = 1),
  CONSTRAINT installation_removed_team_max_not_negative CHECK (removed_team_max >= 0)
);
SELECT replicate_everywhere('installation');

ALTER TABLE policy_version DROP CONSTRAINT policy_version_team;
ALTER TABLE policy_version ADD CONSTRAINT policy_version_team
  FOREIGN KEY (team_id) REFERENCES team (team_id) ON DELETE CASCADE;

-- Why: of several instances one queues the weekly digest of a team: the one that inserts its row.
--   The figures are stored, so that every contact gets the same ones, also when a mail is tried
--   again.
-- Locks: none, the table is new. Size: some 300 bytes for each team with a contact that wants it;
--   rows are deleted after five weeks.
CREATE TABLE team_digest (
  team_id      int      NOT NULL,
  week         int      NOT NULL,  -- days from 1970-01-01 to its Monday
  shifts       int      NOT NULL,  -- that began in it; 0: there is no digest
  open_reviews int      NOT NULL,
  totals       bigint[] NOT NULL,  -- milliseconds by the number of the reason
  CONSTRAINT team_digest_pk PRIMARY KEY (team_id, week),
  CONSTRAINT team_digest_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT team_digest_counts CHECK (shifts >= 0 AND open_reviews >= 0)
);
SELECT replicate_everywhere('team_digest');

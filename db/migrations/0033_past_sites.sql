-- Why: a clock-in that arrives late is judged by the sites that the team had when it was made, not by
--   those of today.
-- Version before: runs on it. It keeps nothing of the sites that it changes or removes, and what it
--   changes counts for the time before, too.
-- Locks: site, for an instant. Size: some 100 bytes for each change of a site, kept as long as fixes.

ALTER TABLE site
  ADD COLUMN since timestamptz NOT NULL DEFAULT '-infinity';  -- when it was last changed, or added

-- A site as it was before it was changed or removed.
CREATE TABLE past_site (
  since        timestamptz NOT NULL,
  until        timestamptz NOT NULL,  -- exclusive
  team_id      int         NOT NULL,
  latitude_e7  int         NOT NULL,  -- ten-millionths of a degree, of the center
  longitude_e7 int         NOT NULL,
  radius_m     int         NOT NULL,
  site_no      smallint    NOT NULL,
  name         text        NOT NULL,
  CONSTRAINT past_site_pk PRIMARY KEY (team_id, site_no, until),
  CONSTRAINT past_site_team FOREIGN KEY (team_id) REFERENCES team (team_id)
    ON DELETE CASCADE,  -- by a program of the version before, too
  CONSTRAINT past_site_in_order CHECK (since < until)
);
SELECT replicate_everywhere('past_site');

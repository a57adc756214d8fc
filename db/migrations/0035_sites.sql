-- Why: managers want to see when employees arrived at the places of work of their team, and left.
--   A visit is a position with a name: it is deleted with the fixes that it was found from.
-- Locks: team, for an instant. Size: up to a hundred sites for each team; some ten visits of a
--   hundred bytes for each shift of a team with sites, as long as fixes are kept.
ALTER TABLE team ADD COLUMN last_site smallint NOT NULL DEFAULT 0;  -- highest number given

-- A circle with a name.
CREATE TABLE site (
  team_id      int      NOT NULL,
  latitude_e7  int      NOT NULL,  -- ten-millionths of a degree, of the center
  longitude_e7 int      NOT NULL,
  radius_m     int      NOT NULL,
  site_no      smallint NOT NULL,
  name         text     NOT NULL,
  CONSTRAINT site_pk PRIMARY KEY (team_id, site_no),
  CONSTRAINT site_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT site_once UNIQUE (team_id, name),
  CONSTRAINT site_number CHECK (site_no > 0),
  CONSTRAINT site_on_earth CHECK (
    latitude_e7 BETWEEN -900000000 AND 900000000
    AND longitude_e7 BETWEEN -1800000000 AND 1800000000),
  CONSTRAINT site_radius CHECK (radius_m BETWEEN 50 AND 5000),
  CONSTRAINT site_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT replicate_everywhere('site');

-- A time that an employee's phone spent at a site, in a shift that has ended. The site may have
-- been changed or removed since.
CREATE TABLE site_visit (
  arrived_at   timestamptz NOT NULL,  -- the first fix inside
  last_seen_at timestamptz NOT NULL,  -- the last sign that it was inside
  employee_id  int         NOT NULL,
  shift_no     int         NOT NULL,
  visit_no     smallint    NOT NULL,  -- within the shift, from 1, by arrival
  site_no      smallint    NOT NULL,
  has_left     boolean     NOT NULL,  -- whether a later fix was outside
  name         text        NOT NULL,  -- of the site, at that time
  CONSTRAINT site_visit_pk PRIMARY KEY (employee_id, shift_no, visit_no),
  CONSTRAINT site_visit_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
    ON DELETE CASCADE,  -- the version before deletes shifts and does not know this table
  CONSTRAINT site_visit_in_order CHECK (arrived_at <= last_seen_at),
  CONSTRAINT site_visit_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
-- For retention.
CREATE INDEX site_visit_last_seen ON site_visit (last_seen_at);
SELECT distribute_by_employee('site_visit');

-- Why: an employee who has been away from all sites during a shift is told so and shown so, if the
--   team's policy asks for it; and a clock-out says whether it was made off site. The sites of a
--   shift are those at its clock-in, whatever becomes of them.
-- Version before: runs on it. Its policies ask for nothing; its shifts have no sites in force, and
--   its clock-outs do not say where they were made. What it deletes takes these rows along.
-- Locks: policy_version, planned_policy, shift and clock_action, for an instant. Size: 4 bytes for
--   each policy; for each shift of a team that asks for it, some 80 bytes and 14 for each site, and
--   some 40 for each time away, all of them no longer than fixes are kept.

ALTER TABLE policy_version
  ADD COLUMN away_after_ms int NOT NULL DEFAULT 0;  -- off site for how long is away; 0: nobody is
ALTER TABLE policy_version ADD CONSTRAINT policy_version_away_after_range
  CHECK (away_after_ms = 0 OR away_after_ms BETWEEN 300000 AND 7200000);

ALTER TABLE planned_policy
  ADD COLUMN away_after_ms int NOT NULL DEFAULT 0;
ALTER TABLE planned_policy ADD CONSTRAINT policy_version_away_after_range
  CHECK (away_after_ms = 0 OR away_after_ms BETWEEN 300000 AND 7200000);

-- Of the positions at clock-in and clock-out.
ALTER TABLE shift
  ADD COLUMN start_accuracy_m double precision,  -- NULL: not given
  ADD COLUMN end_accuracy_m   double precision;

ALTER TABLE clock_action
  ADD COLUMN ended_off_site smallint;  -- of a clock-out: 0 no, 1 yes, 2 unknown; NULL: not asked.
                                       -- Deleted like its place, so has_sites is set with it

-- The sites of a shift, and how far its positions have been compared with them.
CREATE TABLE sites_in_force (
  looked_at      timestamptz NOT NULL,  -- when they were last compared; at first: when it began
  looked_version bigint,                -- the guard_state then; NULL: not compared yet
  employee_id    int         NOT NULL,
  shift_no       int         NOT NULL,
  away_after_ms  int         NOT NULL,  -- of the policy that it began under
  last_away      smallint    NOT NULL DEFAULT 0,  -- the highest number of an away_span
  site_nos       smallint[]  NOT NULL,
  latitudes_e7   int[]       NOT NULL,
  longitudes_e7  int[]       NOT NULL,
  radii_m        int[]       NOT NULL,
  CONSTRAINT sites_in_force_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT sites_in_force_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
    ON DELETE CASCADE,
  CONSTRAINT sites_in_force_whole CHECK (
    cardinality(site_nos) > 0 AND cardinality(latitudes_e7) = cardinality(site_nos)
    AND cardinality(longitudes_e7) = cardinality(site_nos)
    AND cardinality(radii_m) = cardinality(site_nos))
);
SELECT distribute_by_employee('sites_in_force');
-- For retention.
CREATE INDEX sites_in_force_looked ON sites_in_force (looked_at);

-- A time in a shift during which all positions were off site.
CREATE TABLE away_span (
  started_at  timestamptz NOT NULL,  -- the first of these positions
  ended_at    timestamptz,           -- the first position that was not, or a break; NULL: it lasts
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  away_no     smallint    NOT NULL,  -- within the shift, from 1, in the order found
  CONSTRAINT away_span_pk PRIMARY KEY (employee_id, shift_no, away_no),
  CONSTRAINT away_span_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
    ON DELETE CASCADE,
  CONSTRAINT away_span_in_order CHECK (started_at < ended_at)
);
SELECT distribute_by_employee('away_span');
CREATE UNIQUE INDEX away_span_one_lasts ON away_span (employee_id, shift_no)
  WHERE ended_at IS NULL;
-- For retention.
CREATE INDEX away_span_started ON away_span (started_at);

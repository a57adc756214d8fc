-- Why: a clock-in is judged by its place and by what was planned, too, if the team's policy asks for
--   it. Of its position only the distance to a site is kept, no longer than fixes.
-- Version before: runs on it. Its policies ignore these findings; it knows none of them and moves
--   none. What it decides is not replayed by place.
-- Locks: policy_version, planned_policy, shift and clock_action, for an instant. Size: 8 bytes for
--   each policy, 1 for each shift, 20 for each clock-in of a team with sites.

-- 7864320: site_unknown, off_site, not_planned and too_early.
ALTER TABLE policy_version
  ADD COLUMN ignored int NOT NULL DEFAULT 7864320,  -- findings that are in no decision
  ADD COLUMN early_window_ms int NOT NULL           -- before a planned shift, without being too
    DEFAULT 900000;                                 -- early
ALTER TABLE policy_version ADD CONSTRAINT policy_version_early_window_range
  CHECK (early_window_ms BETWEEN 0 AND 14400000);

ALTER TABLE planned_policy
  ADD COLUMN ignored int NOT NULL DEFAULT 7864320,
  ADD COLUMN early_window_ms int NOT NULL DEFAULT 900000;
ALTER TABLE planned_policy ADD CONSTRAINT policy_version_early_window_range
  CHECK (early_window_ms BETWEEN 0 AND 14400000);

ALTER TABLE shift
  ADD COLUMN ignores_mock boolean NOT NULL DEFAULT false;  -- simulated positions are accepted

ALTER TABLE clock_action
  ADD COLUMN has_sites       boolean,           -- the team had sites at a clock-in; NULL: it is
                                                -- none, or its place is not kept any more
  ADD COLUMN site_no         smallint,          -- the nearest; NULL: no position accurate enough
  ADD COLUMN site_distance_m double precision,  -- of the position from its center
  ADD COLUMN site_margin_m   double precision,  -- how far inside, with the doubt; below 0: outside
  ADD COLUMN site_accuracy_m double precision;  -- NULL: not given
ALTER TABLE clock_action ADD CONSTRAINT clock_action_site_whole
  CHECK (num_nulls(site_no, site_distance_m, site_margin_m) IN (0, 3));
-- For retention.
CREATE INDEX clock_action_with_place ON clock_action (received_at) WHERE has_sites IS NOT NULL;

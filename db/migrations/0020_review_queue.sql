-- Why: what waits for a manager's decision is one queue, found without reading all clock actions and
--   shifts. A blocked clock-in waits for at most two days, so the query names its time.
-- Locks: clock_action, shift and guard_override against writes while the indexes are built.
-- Size: an entry for each blocked or kept clock action, unreviewed shift and unused override.
CREATE INDEX clock_action_blocked ON clock_action (received_at)
  WHERE outcome = 3 AND reviewed_at IS NULL;
CREATE INDEX clock_action_to_review ON clock_action (received_at)
  WHERE needs_review AND reviewed_at IS NULL;
CREATE INDEX shift_to_review ON shift (started_at) WHERE needs_review;
CREATE INDEX guard_override_unused ON guard_override (expires_at)
  WHERE used_shift IS NULL AND withdrawn_at IS NULL;

-- Why: what waits for a manager's decision is found without reading all clock actions. A blocked
--   clock-in waits for at most two days, so the query names its time.
-- Locks: clock_action against writes while its rows are read twice: a second for each million.
-- Size: an entry for each blocked or kept clock action that is not reviewed.
CREATE INDEX clock_action_blocked ON clock_action (received_at)
  WHERE outcome = 3 AND reviewed_at IS NULL;
CREATE INDEX clock_action_to_review ON clock_action (received_at)
  WHERE needs_review AND reviewed_at IS NULL;

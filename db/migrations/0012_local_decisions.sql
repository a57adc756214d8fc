-- Why: a phone decides a clock-in by the same rules before the network answers. What it decided, and
--   under which policy, is stored with the clock action, so that a manager who reviews an offline
--   clock-in sees what the employee was told.
-- Locks: clock_action, for an instant. Size: a row per clock action.
ALTER TABLE clock_action
  ADD COLUMN local_blocking       int,  -- the phone's decision, as above; NULL: it sent none
  ADD COLUMN local_warning        int,
  ADD COLUMN local_informing      int,
  ADD COLUMN local_policy_version int;  -- the version of the policy that the phone knew
ALTER TABLE clock_action ADD CONSTRAINT clock_action_local_decision_whole CHECK (
  num_nulls(local_blocking, local_warning, local_informing, local_policy_version) IN (0, 4));

-- Why: what the report of a clock-in or take-over leaves unknown is as reported shortly before,
--   perhaps in the shift before, to which those reports belong; whatever came late, and coverage,
--   knew nothing of them.
-- Version before: runs on it, and leaves the column empty.
-- Locks: shift, for an instant. Size: some 30 bytes for a shift that begins so.

ALTER TABLE shift
  ADD COLUMN earlier_reports bigint[];  -- reports of another shift with which this one begins

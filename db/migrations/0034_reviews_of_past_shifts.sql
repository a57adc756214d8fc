-- Why: a shift that still needs review when its coverage is deleted must not become payable by that.
-- Version before: runs on it. What it deletes becomes payable.
-- Locks: past_shift, for an instant. Size: a byte a row.

ALTER TABLE past_shift
  ADD COLUMN needs_review boolean NOT NULL DEFAULT false;  -- nobody decided while that was possible

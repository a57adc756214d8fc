-- Why: as in the migrations before, for overrides that the next clock-in may use.
-- Locks: guard_override against writes while its rows are read: an instant.
-- Size: an entry for each unused override.
CREATE INDEX guard_override_unused ON guard_override (expires_at)
  WHERE used_shift IS NULL AND withdrawn_at IS NULL;

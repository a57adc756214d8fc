-- Why: managers are notified once that the employee of a planned shift is late, and once of a
--   no-show. The update of these columns is what lets one instance queue the notification.
-- Locks: planned_shift, for an instant. Size: 8 bytes for each notification.
ALTER TABLE planned_shift ADD COLUMN late_at timestamptz;     -- when it was queued; NULL: not yet
ALTER TABLE planned_shift ADD COLUMN no_show_at timestamptz;

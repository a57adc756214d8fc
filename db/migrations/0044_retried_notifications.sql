-- Why: what an operator retries is tried at once, whatever failed before.
-- Locks: notification for an instant. Size: nothing but for retried notifications.
ALTER TABLE notification ADD COLUMN retried_at timestamptz;  -- asked for; NULL: never

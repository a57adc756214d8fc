-- Why: the settings of a phone list an app under its own name, so steps name it. The app says it.
-- Locks: device, for an instant. Size: a row per device.
ALTER TABLE device ADD COLUMN app_name text;  -- as the phone shows it; NULL: never said
ALTER TABLE device
  ADD CONSTRAINT device_app_name_length CHECK (length(app_name) BETWEEN 1 AND 30);

-- Why: a page that is installed to the Home Screen does not see what the browser has stored, so a
--   code works once more within ten minutes. The device that used it first is revoked then.
-- Locks: enrolment_code, for an instant. Size: a row per code.
ALTER TABLE enrolment_code
  ADD COLUMN replaced_device_no smallint;  -- the device that used it first, if another did again

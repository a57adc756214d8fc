-- Why: notifications reach the open app. A notification is written without a request, so the
--   language that a phone last asked for is stored with the phone; and the time from its evidence
--   to the first app is stored with the message, for every instance to see.
-- Locks: ACCESS EXCLUSIVE on `device` and `inbox`, milliseconds (nullable, nothing is rewritten;
--   `device`, a row per phone, is read once). Size: two bytes per phone, four per message.
ALTER TABLE device
  ADD COLUMN language text,  -- ISO 639-1, a supported one; NULL: never asked for one
  ADD CONSTRAINT device_language_code CHECK (language ~ '^[a-z]{2}$');

ALTER TABLE inbox
  ADD COLUMN communicated_ms int;  -- from the evidence's last byte read to the first app; NULL: not
                                   -- measured, because another instance read the evidence

-- Why: messages reach the open app. A message is written when nobody asks, so the language that a
--   phone asked for last is kept with it; and how long after its evidence a message reached an app
--   is kept with the message, for every instance to see.
-- Locks: ACCESS EXCLUSIVE on `device` and `inbox`, milliseconds (nullable, nothing is rewritten;
--   `device`, a row a phone, is read once). Size: two bytes a phone, four a message.
ALTER TABLE device
  ADD COLUMN language text,  -- ISO 639-1, one that we have texts for; NULL: it never named one
  ADD CONSTRAINT device_language_code CHECK (language ~ '^[a-z]{2}$');

ALTER TABLE inbox
  ADD COLUMN communicated_ms int;  -- from the evidence's last byte read to the first app; NULL: not
                                   -- measured, for another instance read the evidence

-- Why: support has to see what a phone said, beside what the rules made of it.
-- Locks: permission_report, for an instant. The constraint needs no check of old rows: all are NULL
--   there.
-- Size: some 100 bytes for each report in raw values; nothing for a report in our own codes.
ALTER TABLE permission_report ADD COLUMN raw text;  -- JSON; NULL: none were sent, or too many
ALTER TABLE permission_report ADD CONSTRAINT permission_report_raw_length
  CHECK (length(raw) BETWEEN 1 AND 1000) NOT VALID;

-- Why: one table for whatever reaches a team's managers, so that another channel to them needs no
--   migration. The programs alone give codes to channels and languages. The number of a contact is
--   never given again, because delivery attempts of a removed one still name it.
-- Locks: team, team_contact and webhook, for an instant. Size: a row per team, contact and webhook.
--   Programs of the previous version cannot read contacts afterwards: their notifications wait.
ALTER TABLE team ADD COLUMN last_contact smallint NOT NULL DEFAULT 0;  -- highest number given
ALTER TABLE team_contact RENAME COLUMN email TO address;
-- Those that exist are by e-mail.
ALTER TABLE team_contact ADD COLUMN channel smallint NOT NULL DEFAULT 3;
ALTER TABLE team_contact ALTER COLUMN channel DROP DEFAULT;
ALTER TABLE team_contact ADD COLUMN secret bytea;           -- NULL: the channel has none
ALTER TABLE team_contact ADD COLUMN previous_secret bytea;  -- signs until the new one is known
ALTER TABLE team_contact DROP CONSTRAINT team_contact_once;
ALTER TABLE team_contact DROP CONSTRAINT team_contact_number;
ALTER TABLE team_contact DROP CONSTRAINT team_contact_email_length;
ALTER TABLE team_contact DROP CONSTRAINT team_contact_language_known;
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_once UNIQUE (team_id, channel, address);
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_number CHECK (contact_no > 0);
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_channel_not_negative CHECK (channel >= 0);
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_address_length CHECK (length(address) BETWEEN 1 AND 2048);
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_language_length CHECK (length(language) BETWEEN 2 AND 35);
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_secret_length CHECK (
    length(secret) BETWEEN 24 AND 64 AND length(previous_secret) BETWEEN 24 AND 64);
INSERT INTO team_contact (
  team_id, contact_no, channel, address, language, secret, previous_secret)
SELECT team_id, webhook_no, 4, url, 'en', secret, previous_secret FROM webhook;
DROP TABLE webhook;
-- Numbers were at most 1999, also those of contacts that were removed.
UPDATE team SET last_contact = 1999;

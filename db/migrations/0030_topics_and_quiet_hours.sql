-- Why: a contact chooses what it is notified of and when it is left alone. While some contacts of a
--   team are, a notification that includes others reaches only some of them. And a digest can be
--   sent before it is due, without being taken for the one that is.
-- Version before: runs on it. It notifies every contact of everything, at any time; of chat webhooks
--   (channel 5), which it does not know, it cannot read the list: add none while it runs.
-- Locks: team_contact, delivery_attempt and team_digest, for an instant. Size: 8 bytes for each
--   contact; 24 and 2 for each contact, for each notification included in another.

ALTER TABLE team_contact
  ADD COLUMN topics smallint NOT NULL DEFAULT 7,  -- the sum of 1 interruptions, 2 clock-ins to
                                                  -- review, 4 late and no-show, 8 away from site,
                                                  -- 16 automatic clock-outs; the digest is apart
  ADD COLUMN quiet_from_min  smallint,            -- minutes of the team's local day; NULL: none
  ADD COLUMN quiet_until_min smallint,
  ADD COLUMN urgent_in_quiet boolean NOT NULL DEFAULT false;  -- urgent ones do not wait
ALTER TABLE team_contact ADD CONSTRAINT team_contact_quiet_whole
  CHECK (num_nulls(quiet_from_min, quiet_until_min) IN (0, 2));
ALTER TABLE team_contact ADD CONSTRAINT team_contact_quiet_range CHECK (
  quiet_from_min BETWEEN 0 AND 1439 AND quiet_until_min BETWEEN 0 AND 1439
  AND quiet_from_min <> quiet_until_min);

ALTER TABLE delivery_attempt
  ADD COLUMN contacts smallint[];  -- of one included in another: whom that went to; NULL: all

ALTER TABLE team_digest
  ADD COLUMN queued boolean NOT NULL DEFAULT true;  -- for the contacts that get it each week

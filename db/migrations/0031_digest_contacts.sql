-- Why: a contact by e-mail may get a summary of the team's week, every Monday.
-- Locks: team_contact, for an instant. Size: no row is written.
ALTER TABLE team_contact ADD COLUMN weekly_digest boolean NOT NULL DEFAULT false;

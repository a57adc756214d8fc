-- Why: an account that is a contact of a team gets alerts in the browsers in which it has switched
--   them on, beside e-mails or instead of them.
-- Version before: runs on it. It notifies contacts by their address alone, whatever they have chosen,
--   and it leaves the browsers of a session that it ends: switch alerts off by hand until all
--   programs are of this version. Attempts at browsers look to it like those at unknown contacts.
-- Locks: team_contact, for an instant. Size: some 700 bytes for each browser.

ALTER TABLE team_contact
  ADD COLUMN ways smallint NOT NULL DEFAULT 3;  -- of a contact by e-mail: the sum of 1 e-mail,
                                                -- 2 browsers of its account
ALTER TABLE team_contact ADD CONSTRAINT team_contact_ways_known CHECK (ways BETWEEN 1 AND 3);

-- A browser in which an account has switched alerts on. Numbers are random, because delivery attempts
-- still name removed ones.
CREATE TABLE account_browser (
  session_id bigint      NOT NULL,  -- in which it was last switched on; ends with that, if somebody
                                    -- ends it. No reference, because sessions are not replicated
  added_at   timestamptz NOT NULL,
  account_id int         NOT NULL,
  browser_no smallint    NOT NULL,
  address    text        NOT NULL,  -- the endpoint of its push service
  public_key bytea       NOT NULL,
  secret     bytea       NOT NULL,
  user_agent text        NOT NULL,
  CONSTRAINT account_browser_pk PRIMARY KEY (browser_no),
  CONSTRAINT account_browser_account FOREIGN KEY (account_id) REFERENCES account (account_id),
  CONSTRAINT account_browser_once UNIQUE (address),
  CONSTRAINT account_browser_number CHECK (browser_no > 0),
  CONSTRAINT account_browser_address_length CHECK (length(address) BETWEEN 1 AND 2048),
  CONSTRAINT account_browser_public_key_length CHECK (length(public_key) = 65),
  CONSTRAINT account_browser_secret_length CHECK (length(secret) = 16),
  CONSTRAINT account_browser_user_agent_length CHECK (length(user_agent) <= 300)
);
SELECT replicate_everywhere('account_browser');
CREATE INDEX account_browser_by_account ON account_browser (account_id);

-- Why: managers and administrators have accounts and log in, programs have API tokens; both have
--   rights team by team; and an audit log shows who viewed or changed what.
-- Locks: none, the tables are new. Size: a row per account, session, token and team with rights;
--   one per account or address with login attempts, for a day; one per viewed track or
--   administrative action.

-- Accounts of managers and administrators.
CREATE TABLE account (
  account_id  int         NOT NULL,
  employee_id int,                      -- their own number: they cannot override their own block
  created_at  timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,              -- NULL: login is allowed
  role        smallint    NOT NULL,     -- 0 administrator, 1 manager
  email       text        NOT NULL,     -- as compared: in lower case
  name        text        NOT NULL,
  password    text        NOT NULL,     -- $scrypt$ln=…,r=…,p=…$salt$hash
  CONSTRAINT account_pk PRIMARY KEY (account_id),
  CONSTRAINT account_email_once UNIQUE (email),
  CONSTRAINT account_id_positive CHECK (account_id > 0),
  CONSTRAINT account_role_known CHECK (role BETWEEN 0 AND 1),
  CONSTRAINT account_email_length CHECK (length(email) BETWEEN 3 AND 254),
  CONSTRAINT account_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT replicate_everywhere('account');

-- The rights of a manager.
CREATE TABLE account_team (
  account_id int      NOT NULL,
  team_id    int      NOT NULL,
  rights     smallint NOT NULL,         -- the sum of 1 coverage, 2 track
  CONSTRAINT account_team_pk PRIMARY KEY (account_id, team_id),
  CONSTRAINT account_team_account FOREIGN KEY (account_id) REFERENCES account (account_id),
  CONSTRAINT account_team_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT account_team_rights_known CHECK (rights BETWEEN 1 AND 3)
);
SELECT replicate_everywhere('account_team');

-- API tokens: the credentials of programs.
CREATE TABLE api_token (
  token_id    int         NOT NULL,
  role        smallint    NOT NULL,     -- 0 administrator, 1 manager
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  revoked_at  timestamptz,
  secret_hash bytea       NOT NULL,     -- SHA-256 of the secret
  name        text        NOT NULL,     -- its purpose
  CONSTRAINT api_token_pk PRIMARY KEY (token_id),
  CONSTRAINT api_token_role_known CHECK (role BETWEEN 0 AND 1),
  CONSTRAINT api_token_secret_hash_length CHECK (length(secret_hash) = 32),
  CONSTRAINT api_token_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT replicate_everywhere('api_token');

-- The rights of a manager's token.
CREATE TABLE api_token_team (
  token_id int      NOT NULL,
  team_id  int      NOT NULL,
  rights   smallint NOT NULL,           -- as account_team.rights
  CONSTRAINT api_token_team_pk PRIMARY KEY (token_id, team_id),
  CONSTRAINT api_token_team_token FOREIGN KEY (token_id) REFERENCES api_token (token_id),
  CONSTRAINT api_token_team_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT api_token_team_rights_known CHECK (rights BETWEEN 1 AND 3)
);
SELECT replicate_everywhere('api_token_team');

-- A login session. Its secret changes at intervals; the previous one is valid until the new one has
-- arrived.
CREATE TABLE session (
  session_id     bigint      NOT NULL,  -- milliseconds since 2025, and 22 bits
  created_at     timestamptz NOT NULL,  -- the database's clock, like all times here
  used_at        timestamptz NOT NULL,  -- to the minute
  expires_at     timestamptz NOT NULL,  -- even with use
  renew_at       timestamptz NOT NULL,  -- when its secret changes
  previous_until timestamptz,           -- NULL: until the new secret is first used
  ended_at       timestamptz,           -- logged out or revoked
  account_id     int         NOT NULL,
  secret_hash    bytea       NOT NULL,  -- SHA-256 of the secret
  previous_hash  bytea,                 -- SHA-256 of the previous secret
  address        text        NOT NULL,  -- the IP address of the login; empty: unknown
  user_agent     text        NOT NULL,
  CONSTRAINT session_pk PRIMARY KEY (session_id),
  CONSTRAINT session_account FOREIGN KEY (account_id) REFERENCES account (account_id),
  CONSTRAINT session_secret_hash_length CHECK (length(secret_hash) = 32),
  CONSTRAINT session_previous_hash_length CHECK (length(previous_hash) = 32),
  CONSTRAINT session_address_length CHECK (length(address) <= 100),
  CONSTRAINT session_user_agent_length CHECK (length(user_agent) <= 300)
);
CREATE INDEX session_by_account ON session (account_id, session_id);

-- Rate limits for login attempts by account and by address: each attempt moves `free_at` forward,
-- and none is allowed while it is too far ahead of now. The key is a digest, so neither addresses
-- nor mistyped names are stored.
CREATE TABLE login_rate_limit (
  free_at timestamptz NOT NULL,
  subject bytea       NOT NULL,         -- SHA-256 of the account's name or the address
  CONSTRAINT login_rate_limit_pk PRIMARY KEY (subject),
  CONSTRAINT login_rate_limit_subject_length CHECK (length(subject) = 32)
) WITH (fillfactor = 70);

-- The audit log. Never updated. `AuditAction` in Sources/ReadModels/Audit.swift has its actions.
CREATE TABLE audit_entry (
  entry_id    bigint      NOT NULL,     -- milliseconds since 2025, and 22 bits
  at          timestamptz NOT NULL,
  from_at     timestamptz,              -- the viewed span
  to_at       timestamptz,
  employee_id int         NOT NULL,     -- 0: none in particular
  account_id  int,                      -- NULL: a token or the command line
  team_id     int,                      -- the employee's team at that time
  shift_no    int,                      -- the shift that was viewed
  target      int,                      -- the number of what was changed, by action
  action      smallint    NOT NULL,
  actor       text        NOT NULL,     -- the actor's name at that time
  reason      text,                     -- the stated purpose, or the change
  CONSTRAINT audit_entry_pk PRIMARY KEY (employee_id, entry_id),
  CONSTRAINT audit_entry_span_forward CHECK (from_at <= to_at),
  CONSTRAINT audit_entry_actor_length CHECK (length(actor) BETWEEN 1 AND 100),
  CONSTRAINT audit_entry_reason_length CHECK (length(reason) <= 500)
);
SELECT distribute_by_employee('audit_entry');
CREATE INDEX audit_entry_by_time ON audit_entry (entry_id);

-- The audit log is deleted only by age, none of the last eight days, or together with its employee:
-- no single entry can be taken out of it. The service may call these functions, which run as their
-- owner, but not delete entries itself. Both return the numbers of what they deleted.
CREATE FUNCTION delete_audit_entries(cutoff timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY DELETE FROM audit_entry
    WHERE at < least(cutoff, now() - interval '8 days') RETURNING entry_id;
END $$;
REVOKE ALL ON FUNCTION delete_audit_entries(timestamptz) FROM PUBLIC;

-- Number 0 is no employee: entries about nobody in particular stay.
CREATE FUNCTION erase_audit_entries(erased int) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF erased > 0 AND NOT EXISTS (SELECT 1 FROM employee WHERE employee_id = erased) THEN
    RETURN QUERY DELETE FROM audit_entry WHERE employee_id = erased RETURNING entry_id;
  END IF;
END $$;
REVOKE ALL ON FUNCTION erase_audit_entries(int) FROM PUBLIC;

-- Why: managers and administrators have accounts and log in; accounts and tokens have two rights,
--   team by team; viewing an employee's positions is recorded, for the employee to read.
-- Locks: ACCESS EXCLUSIVE on `access_token`, milliseconds (a constraint over a row per token).
--   Size: a row per account, session and team with rights; one per guessed address or account,
--   until it expires; one per viewed track or administrative action, for a year.
ALTER TABLE access_token
  DROP CONSTRAINT access_token_role_known,
  ADD CONSTRAINT access_token_role_known CHECK (role BETWEEN 0 AND 1);

-- The rights of a manager's token: 1 coverage, 2 track.
CREATE TABLE access_token_team (
  token_id int      NOT NULL REFERENCES access_token (token_id),
  team_id  int      NOT NULL REFERENCES team (team_id),
  rights   smallint NOT NULL,
  CONSTRAINT access_token_team_pk PRIMARY KEY (token_id, team_id),
  CONSTRAINT access_token_team_rights_known CHECK (rights BETWEEN 1 AND 3)
);
SELECT replicate_everywhere('access_token_team');

CREATE TABLE account (
  account_id  int         NOT NULL,
  employee_id int,                      -- their own number: they cannot override their own block
  role        smallint    NOT NULL,     -- 0 administrator, 1 manager
  created_at  timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
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

CREATE TABLE account_team (
  account_id int      NOT NULL REFERENCES account (account_id),
  team_id    int      NOT NULL REFERENCES team (team_id),
  rights     smallint NOT NULL,
  CONSTRAINT account_team_pk PRIMARY KEY (account_id, team_id),
  CONSTRAINT account_team_rights_known CHECK (rights BETWEEN 1 AND 3)
);
SELECT replicate_everywhere('account_team');

-- A login session. Its secret changes at intervals; the previous one is valid until the new one has
-- arrived.
CREATE TABLE session (
  session_id   bigint      NOT NULL,    -- 41 bits of milliseconds, 22 random
  created_at   timestamptz NOT NULL,    -- the database's clock, like all times here
  used_at      timestamptz NOT NULL,    -- to the minute
  expires_at   timestamptz NOT NULL,    -- even with use
  renew_at     timestamptz NOT NULL,    -- when its secret changes
  former_until timestamptz,             -- NULL: until the new secret is first used
  ended_at     timestamptz,             -- logged out or revoked
  account_id   int         NOT NULL REFERENCES account (account_id),
  secret_hash  bytea       NOT NULL,
  former_hash  bytea,
  address      text        NOT NULL,
  user_agent   text        NOT NULL,
  CONSTRAINT session_pk PRIMARY KEY (session_id),
  CONSTRAINT session_secret_hash_length CHECK (length(secret_hash) = 32),
  CONSTRAINT session_former_hash_length CHECK (length(former_hash) = 32),
  CONSTRAINT session_address_length CHECK (length(address) <= 100),
  CONSTRAINT session_user_agent_length CHECK (length(user_agent) <= 300)
);
SELECT replicate_everywhere('session');
CREATE INDEX session_by_account ON session (account_id, session_id);

-- Rate limits for login attempts by account and by address: each attempt moves `free_at` forward,
-- and too far ahead of now no attempt is allowed. The key is a digest, so neither addresses nor
-- mistyped names are stored.
CREATE TABLE login_pressure (
  free_at timestamptz NOT NULL,
  subject bytea       NOT NULL,
  CONSTRAINT login_pressure_pk PRIMARY KEY (subject),
  CONSTRAINT login_pressure_subject_length CHECK (length(subject) = 32)
) WITH (fillfactor = 70);
SELECT replicate_everywhere('login_pressure');

-- The audit log. Never updated. Employee 0: none in particular.
CREATE TABLE audit_entry (
  entry_id    bigint      NOT NULL,     -- 41 bits of milliseconds, 22 random
  at          timestamptz NOT NULL,
  from_at     timestamptz,              -- the viewed span
  to_at       timestamptz,
  employee_id int         NOT NULL,
  account_id  int,                      -- NULL: a token or the command line
  team_id     int,
  shift_no    int,
  target      int,                      -- the account or token that was changed
  action      smallint    NOT NULL,
  actor       text        NOT NULL,     -- the actor's name at that time
  reason      text,
  CONSTRAINT audit_entry_pk PRIMARY KEY (employee_id, entry_id),
  CONSTRAINT audit_entry_span_forward CHECK (from_at <= to_at),
  CONSTRAINT audit_entry_actor_length CHECK (length(actor) BETWEEN 1 AND 100),
  CONSTRAINT audit_entry_reason_length CHECK (length(reason) <= 500)
);
SELECT distribute_by_employee('audit_entry');
CREATE INDEX audit_entry_by_time ON audit_entry (entry_id);

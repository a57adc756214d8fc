-- Why: teams, policies, employees, phones and credentials.
-- Locks: none on data. Size: a row per team, policy version, employee, phone or token.
CREATE TABLE team (
  team_id        int         NOT NULL,
  policy_version int         NOT NULL DEFAULT 1,  -- the version in force
  created_at     timestamptz NOT NULL DEFAULT now(),
  name           text        NOT NULL,
  time_zone      text        NOT NULL,            -- IANA; a shift belongs to its local date here
  CONSTRAINT team_pk PRIMARY KEY (team_id),
  CONSTRAINT team_name_once UNIQUE (name),
  CONSTRAINT team_id_positive CHECK (team_id > 0),
  CONSTRAINT team_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT replicate_everywhere('team');

-- Never updated: a decision refers to the version it was made under.
CREATE TABLE policy_version (
  team_id          int         NOT NULL REFERENCES team (team_id),
  version          int         NOT NULL,
  preset           smallint    NOT NULL,  -- 0 standard, 1 strict, 2 advisory
  blocking         int         NOT NULL,  -- one bit per finding
  warning          int         NOT NULL,
  fresh_for_ms     int         NOT NULL,
  debounce_ms      int         NOT NULL,
  ping_interval_ms int         NOT NULL,
  break_max_ms     int         NOT NULL,
  shift_max_ms     int         NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT policy_version_pk PRIMARY KEY (team_id, version),
  CONSTRAINT policy_version_preset_known CHECK (preset BETWEEN 0 AND 2),
  CONSTRAINT policy_version_one_severity CHECK (blocking & warning = 0),
  CONSTRAINT policy_version_fresh_for_range CHECK (fresh_for_ms BETWEEN 1000 AND 86400000),
  CONSTRAINT policy_version_debounce_range CHECK (debounce_ms BETWEEN 0 AND 3000),
  CONSTRAINT policy_version_ping_interval_range CHECK (ping_interval_ms BETWEEN 1000 AND 3600000),
  CONSTRAINT policy_version_break_max_range CHECK (break_max_ms BETWEEN 60000 AND 86400000),
  CONSTRAINT policy_version_shift_max_range CHECK (shift_max_ms BETWEEN 14400000 AND 86400000)
);
SELECT replicate_everywhere('policy_version');

CREATE TABLE employee (
  employee_id int         NOT NULL,
  team_id     int         NOT NULL REFERENCES team (team_id),
  created_at  timestamptz NOT NULL DEFAULT now(),
  name        text        NOT NULL,
  CONSTRAINT employee_pk PRIMARY KEY (employee_id),
  CONSTRAINT employee_id_positive CHECK (employee_id > 0),
  CONSTRAINT employee_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT distribute_by_employee('employee');
CREATE INDEX employee_by_team ON employee (team_id);

CREATE TABLE device (
  employee_id      int         NOT NULL REFERENCES employee (employee_id),
  newest_report_id bigint,               -- the report in force off shift; NULL: never reported
  enrolled_at      timestamptz NOT NULL DEFAULT now(),
  revoked_at       timestamptz,
  device_no        smallint    NOT NULL,
  platform         smallint    NOT NULL, -- 0 unknown, 1 iOS, 2 Android, 3 web
  can_report       boolean     NOT NULL, -- whether the app can report permissions at all
  token_hash       bytea       NOT NULL, -- SHA-256 of the token's secret
  os_version       text,
  model            text,
  CONSTRAINT device_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT device_platform_known CHECK (platform BETWEEN 0 AND 3),
  CONSTRAINT device_token_hash_length CHECK (length(token_hash) = 32),
  CONSTRAINT device_os_version_length CHECK (length(os_version) <= 50),
  CONSTRAINT device_model_length CHECK (length(model) <= 100)
);
SELECT distribute_by_employee('device');

-- The last contact and position of a device; only times, no positions.
CREATE TABLE device_pulse (
  employee_id      int         NOT NULL,
  last_received_at timestamptz NOT NULL,
  last_fix_at      timestamptz,
  device_no        smallint    NOT NULL,
  CONSTRAINT device_pulse_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT device_pulse_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no)
) WITH (fillfactor = 60);
SELECT distribute_by_employee('device_pulse');

-- A code is exchanged for a device's token once. It contains its employee, so one shard is enough.
CREATE TABLE enrolment_code (
  employee_id int         NOT NULL REFERENCES employee (employee_id),
  device_no   smallint,                 -- the device that used it; NULL: unused
  expires_at  timestamptz NOT NULL,
  code_hash   bytea       NOT NULL,     -- SHA-256 of the code's secret
  CONSTRAINT enrolment_code_pk PRIMARY KEY (employee_id, code_hash),
  CONSTRAINT enrolment_code_hash_length CHECK (length(code_hash) = 32)
);
SELECT distribute_by_employee('enrolment_code');

-- API tokens of managers and administrators.
CREATE TABLE access_token (
  token_id    int         NOT NULL,
  role        smallint    NOT NULL,     -- 0 administrator
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  revoked_at  timestamptz,
  secret_hash bytea       NOT NULL,
  name        text        NOT NULL,
  CONSTRAINT access_token_pk PRIMARY KEY (token_id),
  CONSTRAINT access_token_role_known CHECK (role = 0),
  CONSTRAINT access_token_secret_hash_length CHECK (length(secret_hash) = 32),
  CONSTRAINT access_token_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT replicate_everywhere('access_token');

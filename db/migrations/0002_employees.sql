-- Why: teams and their policies, employees, and their enrolled devices.
-- Locks: none, the tables are new. Size: a row per team, policy version, employee, device and code.
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
  team_id                  int         NOT NULL,
  version                  int         NOT NULL,            -- within the team, from 1
  created_at               timestamptz NOT NULL DEFAULT now(),
  blocking                 int         NOT NULL,            -- one bit per finding, by its number
  warning                  int         NOT NULL,            -- one bit per finding
  fresh_for_ms             int         NOT NULL,            -- the maximum age of a report
  debounce_ms              int         NOT NULL,            -- what is restored sooner is a flicker
  ping_interval_ms         int         NOT NULL,
  break_max_ms             int         NOT NULL,            -- after it the employee is asked
  shift_max_ms             int         NOT NULL,            -- after it the shift ends automatically
  reminder_after_ms        int         NOT NULL DEFAULT 36000000,  -- of a forgotten clock-out
  email_after_ms           int         NOT NULL DEFAULT 300000,    -- escalation to e-mail
  managers_after_ms        int         NOT NULL DEFAULT 600000,    -- escalation to managers
  cooldown_ms int         NOT NULL DEFAULT 600000,
  max_rest_ms              int         NOT NULL DEFAULT 1800000,   -- the longest announced rest
  accuracy_max_m           int,                             -- NULL: every fix proves a position
  preset                   smallint    NOT NULL,            -- 0 standard, 1 strict, 2 advisory
  self_override            smallint    NOT NULL DEFAULT 0,  -- 0 off, 1 with a reason
  CONSTRAINT policy_version_pk PRIMARY KEY (team_id, version),
  CONSTRAINT policy_version_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT policy_version_preset_known CHECK (preset BETWEEN 0 AND 2),
  CONSTRAINT policy_version_self_override_known CHECK (self_override BETWEEN 0 AND 1),
  CONSTRAINT policy_version_one_severity CHECK (blocking & warning = 0),
  CONSTRAINT policy_version_fresh_for_range CHECK (fresh_for_ms BETWEEN 1000 AND 86400000),
  CONSTRAINT policy_version_debounce_range CHECK (debounce_ms BETWEEN 0 AND 3000),
  CONSTRAINT policy_version_ping_interval_range CHECK (ping_interval_ms BETWEEN 1000 AND 3600000),
  CONSTRAINT policy_version_break_max_range CHECK (break_max_ms BETWEEN 60000 AND 86400000),
  CONSTRAINT policy_version_shift_max_range CHECK (shift_max_ms BETWEEN 14400000 AND 86400000),
  CONSTRAINT policy_version_reminder_after_range
    CHECK (reminder_after_ms BETWEEN 3600000 AND 86400000),
  CONSTRAINT policy_version_email_after_range CHECK (email_after_ms BETWEEN 0 AND 86400000),
  CONSTRAINT policy_version_managers_after_range CHECK (managers_after_ms BETWEEN 0 AND 86400000),
  CONSTRAINT policy_version_cooldown_range
    CHECK (cooldown_ms BETWEEN 0 AND 86400000),
  CONSTRAINT policy_version_max_rest_range CHECK (max_rest_ms BETWEEN 0 AND 3600000),
  CONSTRAINT policy_version_accuracy_max_range CHECK (accuracy_max_m BETWEEN 1 AND 100000)
);
SELECT replicate_everywhere('policy_version');

CREATE TABLE employee (
  employee_id int         NOT NULL,
  team_id     int         NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  name        text        NOT NULL,
  email       text,                       -- for notifications; NULL: none
  CONSTRAINT employee_pk PRIMARY KEY (employee_id),
  CONSTRAINT employee_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT employee_id_positive CHECK (employee_id > 0),
  CONSTRAINT employee_name_length CHECK (length(name) BETWEEN 1 AND 100),
  CONSTRAINT employee_email_length CHECK (length(email) BETWEEN 3 AND 254)
);
SELECT distribute_by_employee('employee');
CREATE INDEX employee_by_team ON employee (team_id);

-- An enrolled phone or browser. Its description follows its newest report.
CREATE TABLE device (
  employee_id      int         NOT NULL,
  installation_no  int         NOT NULL DEFAULT 0,  -- of the newest installation; 0: the enrolment
  newest_report_id bigint,                -- the report in force off shift; NULL: never reported
  enrolled_at      timestamptz NOT NULL DEFAULT now(),
  revoked_at       timestamptz,           -- NULL: allowed
  device_no        smallint    NOT NULL,  -- within the employee, from 1
  platform         smallint    NOT NULL,  -- 0 unknown, 1 iOS, 2 Android, 3 web
  can_report       boolean     NOT NULL,  -- whether the app can report permissions at all
  token_hash       bytea       NOT NULL,  -- SHA-256 of the token's secret
  os_version       text,
  model            text,
  language         text,                  -- ISO 639-1, a supported one; NULL: never asked for one
  app              text,                  -- with its version
  installations    text[]      NOT NULL DEFAULT '{}',  -- their ids, the newest hundred first
  CONSTRAINT device_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT device_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT device_platform_known CHECK (platform BETWEEN 0 AND 3),
  CONSTRAINT device_token_hash_length CHECK (length(token_hash) = 32),
  CONSTRAINT device_os_version_length CHECK (length(os_version) <= 50),
  CONSTRAINT device_model_length CHECK (length(model) <= 100),
  CONSTRAINT device_language_code CHECK (language ~ '^[a-z]{2}$'),
  CONSTRAINT device_app_length CHECK (length(app) <= 100)
);
SELECT distribute_by_employee('device');

-- The last contact, position and sign of life of a device: only times, no positions.
CREATE TABLE device_contact (
  employee_id          int         NOT NULL,
  last_received_at     timestamptz NOT NULL,
  last_fix_at          timestamptz,      -- the last fix, whether or not it was accepted
  last_rest_at         timestamptz,      -- may lie ahead: the end of an announced rest
  position_at          timestamptz,      -- the last accepted fix
  position_received_at timestamptz,      -- the receipt of its request
  sign_of_life_at      timestamptz,      -- the newest accepted ping, or report
  silent_since         timestamptz,      -- the newest two receipts between which
  contact_resumed_at   timestamptz,      -- there was no contact for two minutes or more
  device_no            smallint    NOT NULL,
  hidden               boolean     NOT NULL DEFAULT false,  -- that ping reported a hidden page
  CONSTRAINT device_contact_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT device_contact_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no)
) WITH (fillfactor = 60);
SELECT distribute_by_employee('device_contact');

-- A code is exchanged for a device's token once. It contains its employee, so one shard is enough.
CREATE TABLE enrolment_code (
  expires_at  timestamptz NOT NULL,
  employee_id int         NOT NULL,
  device_no   smallint,                 -- the device that used it; NULL: unused
  code_hash   bytea       NOT NULL,     -- SHA-256 of the code's secret
  CONSTRAINT enrolment_code_pk PRIMARY KEY (employee_id, code_hash),
  CONSTRAINT enrolment_code_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT enrolment_code_hash_length CHECK (length(code_hash) = 32)
);
SELECT distribute_by_employee('enrolment_code');

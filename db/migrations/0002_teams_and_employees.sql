-- Why: teams and their policies, and employees.
-- Locks: none, the tables are new. Size: a row per team, policy version, employee and erased
--   employee; at most one planned policy per team.
CREATE TABLE team (
  team_id        int         NOT NULL,
  policy_version int         NOT NULL DEFAULT 1,      -- the version in force
  created_at     timestamptz NOT NULL DEFAULT now(),
  name           text        NOT NULL,
  time_zone      text        NOT NULL,                -- IANA; shifts belong to its local dates
  last_contact   smallint    NOT NULL DEFAULT 0,      -- highest number given to a contact
  last_site      smallint    NOT NULL DEFAULT 0,      -- highest number given to a site
  is_practice    boolean     NOT NULL DEFAULT false,  -- the team of practice employees
  CONSTRAINT team_pk PRIMARY KEY (team_id),
  CONSTRAINT team_name_once UNIQUE (name),
  CONSTRAINT team_id_positive CHECK (team_id > 0),
  CONSTRAINT team_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
-- There is one practice team, for all rehearsals.
CREATE UNIQUE INDEX team_practice_once ON team (is_practice) WHERE is_practice;
SELECT replicate_everywhere('team');

-- Never updated: a decision refers to the version it was made under. Audit entries have the name of
-- who saved it, too, but are deleted earlier.
CREATE TABLE policy_version (
  team_id              int         NOT NULL,
  version              int         NOT NULL,            -- within the team, from 1
  created_at           timestamptz NOT NULL DEFAULT now(),
  blocking             int         NOT NULL,            -- one bit per finding, by its number
  warning              int         NOT NULL,            -- one bit per finding
  fresh_for_ms         int         NOT NULL,            -- the maximum age of a report
  debounce_ms          int         NOT NULL,            -- what is restored sooner is a flicker
  ping_interval_ms     int         NOT NULL,
  break_max_ms         int         NOT NULL,            -- after it the employee is asked
  shift_max_ms         int         NOT NULL,            -- after it the shift ends automatically
  reminder_after_ms    int         NOT NULL DEFAULT 36000000,  -- of a forgotten clock-out
  email_after_ms       int         NOT NULL DEFAULT 300000,    -- escalation to e-mail
  managers_after_ms    int         NOT NULL DEFAULT 600000,    -- escalation to managers
  cooldown_ms          int         NOT NULL DEFAULT 600000,
  max_rest_ms          int         NOT NULL DEFAULT 1800000,   -- the longest announced rest
  accuracy_max_m       int,                             -- NULL: every fix proves a position
  preset               smallint    NOT NULL,            -- 0 standard, 1 strict, 2 advisory
  self_override        smallint    NOT NULL DEFAULT 0,  -- 0 off, 1 with a reason
  opens_planned_shifts boolean     NOT NULL DEFAULT false,  -- whether they open by themselves
  saved_by             text,                            -- NULL: the first version, or unknown
  late_after_ms        int         NOT NULL DEFAULT 0,  -- when managers are notified of an employee
                                                        -- who is late; 0: never
  no_show_after_ms     int         NOT NULL DEFAULT 0,  -- and of a no-show; 0: never
  valid_from           timestamptz,                     -- when a planned version was to be put in
                                                        -- force; NULL: created_at
  mass_silence_wait_ms int         NOT NULL DEFAULT 600000,  -- how long notifications wait while
                                                             -- most phones are silent; 0: no wait
  CONSTRAINT policy_version_pk PRIMARY KEY (team_id, version),
  CONSTRAINT policy_version_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT policy_version_preset_not_negative CHECK (preset >= 0),
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
  CONSTRAINT policy_version_cooldown_range CHECK (cooldown_ms BETWEEN 0 AND 86400000),
  CONSTRAINT policy_version_max_rest_range CHECK (max_rest_ms BETWEEN 0 AND 3600000),
  CONSTRAINT policy_version_accuracy_max_range CHECK (accuracy_max_m BETWEEN 1 AND 100000),
  CONSTRAINT policy_version_saved_by_length CHECK (length(saved_by) BETWEEN 1 AND 100),
  CONSTRAINT policy_version_late_after_range CHECK (late_after_ms BETWEEN 0 AND 43200000),
  CONSTRAINT policy_version_no_show_after_range CHECK (no_show_after_ms BETWEEN 0 AND 43200000),
  CONSTRAINT policy_version_mass_silence_wait_range
    CHECK (mass_silence_wait_ms BETWEEN 0 AND 600000)
);
SELECT replicate_everywhere('policy_version');

-- A policy that is valid from a later time waits here, and gets its number when it is put in force,
-- so that the numbers alone show what was in force when. The same settings with the same bounds: a
-- later column of policy_version needs one here. `version` is the one in force when it was planned.
CREATE TABLE planned_policy (
  LIKE policy_version INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT planned_policy_pk PRIMARY KEY (team_id),  -- only one waits
  CONSTRAINT planned_policy_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT planned_policy_named CHECK (num_nulls(valid_from, saved_by) = 0)
);
SELECT replicate_everywhere('planned_policy');

-- An inactive employee has left: they cannot clock in and are not listed, while their shifts and
-- times stay. A practice employee is for an administrator's rehearsal of a working day, is not
-- among the others, and is erased after an hour by whichever instance runs then.
CREATE TABLE employee (
  employee_id    int         NOT NULL,
  team_id        int         NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  name           text        NOT NULL,
  email          text,         -- for notifications; NULL: none
  phone_number   text,         -- as entered, for managers who call; NULL: none
  deactivated_at timestamptz,  -- NULL: active
  practice_until timestamptz,  -- when the practice employee is erased; NULL: no practice
  CONSTRAINT employee_pk PRIMARY KEY (employee_id),
  CONSTRAINT employee_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT employee_id_positive CHECK (employee_id > 0),
  CONSTRAINT employee_name_length CHECK (length(name) BETWEEN 1 AND 100),
  CONSTRAINT employee_email_length CHECK (length(email) BETWEEN 3 AND 254),
  CONSTRAINT employee_phone_number_form CHECK (
    length(phone_number) <= 31 AND phone_number ~ '^[+]?([ ()./-]*[0-9]){3}[0-9 ()./-]*$')
);
SELECT distribute_by_employee('employee');
CREATE INDEX employee_by_team ON employee (team_id);
-- Empty most of the time.
CREATE INDEX employee_practice_until ON employee (practice_until)
  WHERE practice_until IS NOT NULL;

-- The numbers of erased employees, of whom nothing else is kept. The service gives no number twice,
-- so that nothing of an erased employee passes for the next one's.
CREATE TABLE erased_number (
  number int NOT NULL,  -- nobody's, until an administrator gives it to another employee on purpose
  CONSTRAINT erased_number_pk PRIMARY KEY (number)
);
SELECT replicate_everywhere('erased_number');

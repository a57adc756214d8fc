-- Why: the rules' state of an employee, and the facts they produce.
-- Locks: SHARE ROW EXCLUSIVE on `employee`, milliseconds (foreign keys).
-- Size: guard_state a row per employee; a shift some 150 bytes; a report some 100; incidents few.

-- The state of the rules. Every report, clock-in and clock-out writes it with `version = n + 1
-- WHERE version = n` in the transaction of its effects, so that two concurrent events cannot both
-- rely on the old state.
CREATE TABLE guard_state (
  employee_id   int         NOT NULL REFERENCES employee (employee_id),
  last_shift    int         NOT NULL DEFAULT 0,
  last_incident int         NOT NULL DEFAULT 0,
  open_shift    int,
  version       bigint      NOT NULL DEFAULT 1,
  report_id     bigint,                 -- the tracking device's report in force
  opened_at     timestamptz,
  last_device   smallint    NOT NULL DEFAULT 0,
  open_device   smallint,               -- the tracking device
  CONSTRAINT guard_state_pk PRIMARY KEY (employee_id),
  CONSTRAINT guard_state_shift_whole CHECK (
    (open_shift IS NULL) = (open_device IS NULL) AND (open_shift IS NULL) = (opened_at IS NULL)
    AND (open_shift IS NOT NULL OR report_id IS NULL))
) WITH (fillfactor = 60);
SELECT distribute_by_employee('guard_state');

CREATE TABLE shift (
  employee_id        int         NOT NULL REFERENCES employee (employee_id),
  shift_no           int         NOT NULL,
  started_at         timestamptz NOT NULL,
  ended_at           timestamptz,       -- NULL: open
  evidence_report_id bigint,            -- the report of the decision
  policy_version     int         NOT NULL,
  fix_age_max_ms     int         NOT NULL,  -- how long a fix counts, by the policy at clock-in
  blocking           int         NOT NULL,  -- the decision: one bit per finding
  warning            int         NOT NULL,
  informing          int         NOT NULL,
  device_no          smallint    NOT NULL,
  verdict            smallint    NOT NULL,
  CONSTRAINT shift_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT shift_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT shift_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT shift_verdict_known CHECK (verdict BETWEEN 0 AND 2),
  CONSTRAINT shift_spans_disjoint EXCLUDE USING gist (
    employee_id WITH =, tstzrange(started_at, ended_at) WITH &&)
);
SELECT distribute_by_employee('shift');
CREATE UNIQUE INDEX shift_one_open ON shift (employee_id) WHERE ended_at IS NULL;
CREATE INDEX shift_by_start ON shift (started_at);

-- In a shift the whole history; off shift only a device's newest report is stored.
CREATE TABLE permission_report (
  employee_id         int         NOT NULL,
  shift_no            int,             -- the shift it belongs to; NULL: off shift
  report_id           bigint      NOT NULL,
  effective_at        timestamptz NOT NULL,
  received_at         timestamptz NOT NULL,
  skew_ms             bigint,          -- receipt minus the phone's sentAt
  sequence            bigint,
  device_no           smallint    NOT NULL,
  authorization_code  smallint    NOT NULL,
  grant_path          smallint    NOT NULL,
  accuracy            smallint    NOT NULL,
  services            smallint    NOT NULL,
  notifications       smallint    NOT NULL,
  battery_optimisation smallint   NOT NULL,
  background_refresh  smallint    NOT NULL,
  power_save          smallint    NOT NULL,
  foreground_service  smallint    NOT NULL,
  background_fix      smallint    NOT NULL,
  trigger             text,            -- what made the phone report, as sent
  source              text,            -- the source of the raw values; NULL: canonical
  CONSTRAINT permission_report_pk PRIMARY KEY (employee_id, report_id),
  CONSTRAINT permission_report_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT permission_report_authorization_known CHECK (authorization_code BETWEEN 0 AND 5),
  CONSTRAINT permission_report_trigger_length CHECK (length(trigger) <= 50),
  CONSTRAINT permission_report_source_length CHECK (length(source) <= 50)
);
SELECT distribute_by_employee('permission_report');
CREATE UNIQUE INDEX permission_report_sequence_once
  ON permission_report (employee_id, device_no, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX permission_report_by_shift ON permission_report (employee_id, shift_no, effective_at);

CREATE TABLE incident (
  employee_id     int         NOT NULL,
  incident_no     int         NOT NULL,
  shift_no        int         NOT NULL,
  opened_at       timestamptz NOT NULL,
  worsened_at     timestamptz,
  closed_at       timestamptz,          -- NULL: open
  debounced_until timestamptz NOT NULL,
  notice_due_at   timestamptz,          -- when the newest notification about it is due
  device_no       smallint    NOT NULL,
  dimension       smallint    NOT NULL,
  kind            smallint    NOT NULL,
  origin          smallint    NOT NULL,
  evidence        smallint    NOT NULL,
  closing         smallint,
  notices         smallint    NOT NULL DEFAULT 0,
  told_kind       smallint,             -- what the employee knew before the newest notification
  CONSTRAINT incident_pk PRIMARY KEY (employee_id, incident_no),
  CONSTRAINT incident_shift FOREIGN KEY (employee_id, shift_no)
    REFERENCES shift (employee_id, shift_no),
  CONSTRAINT incident_closing_with_end CHECK ((closed_at IS NULL) = (closing IS NULL)),
  CONSTRAINT incident_ends_after_start CHECK (closed_at >= opened_at)
);
SELECT distribute_by_employee('incident');
CREATE UNIQUE INDEX incident_one_open
  ON incident (employee_id, device_no, dimension) WHERE closed_at IS NULL;
CREATE INDEX incident_by_shift ON incident (employee_id, shift_no);

-- A clock action and its answer: a repeat gets the same answer.
CREATE TABLE attempt (
  employee_id    int         NOT NULL,
  shift_no       int,
  at             timestamptz NOT NULL,  -- its time, by the server's clock
  received_at    timestamptz NOT NULL,
  report_id      bigint,                -- the report it was decided on
  policy_version int         NOT NULL,
  blocking       int         NOT NULL,
  warning        int         NOT NULL,
  informing      int         NOT NULL,
  device_no      smallint    NOT NULL,
  outcome        smallint    NOT NULL,
  review         boolean     NOT NULL,  -- needs review by a manager
  body_hash      bytea       NOT NULL,  -- SHA-256 of the body without `sentAt`
  attempt_id     text        NOT NULL,
  CONSTRAINT attempt_pk PRIMARY KEY (employee_id, device_no, attempt_id),
  CONSTRAINT attempt_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT attempt_id_length CHECK (length(attempt_id) BETWEEN 1 AND 64),
  CONSTRAINT attempt_body_hash_length CHECK (length(body_hash) = 32)
);
SELECT distribute_by_employee('attempt');
CREATE INDEX attempt_by_time ON attempt (employee_id, received_at);

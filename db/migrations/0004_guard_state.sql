-- Why: the rules' state of an employee, and the permission reports it follows from.
-- Locks: none, the tables are new. Size: guard_state a row per employee; a report some 120 bytes,
--   and some 100 more in raw values.

-- The state of the rules. Every report and clock action writes it with `version = n + 1 WHERE
-- version = n` in the transaction of its effects, so that two concurrent events cannot both rely on
-- the old state. Caches are compared by the version, which begins at the database's clock, in
-- microseconds since 1970: it must not occur twice for a number, even after an erasure.
-- The marks are what the answer to a report needs of the reports of the shift. What is stored for
-- another version, or for none, is read from the reports once.
CREATE TABLE guard_state (
  employee_id            int         NOT NULL,
  last_shift             int         NOT NULL DEFAULT 0,  -- highest numbers within the employee
  last_incident          int         NOT NULL DEFAULT 0,
  last_override          int         NOT NULL DEFAULT 0,
  last_action            int         NOT NULL DEFAULT 0,
  open_shift             int,
  version                bigint      NOT NULL
    DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  report_id              bigint,       -- the tracking device's report in force
  due_at                 timestamptz,  -- when time alone causes a change: a reminder, the limit
  opened_at              timestamptz,  -- the start of the open shift
  taken_over_at          timestamptz,  -- of the newest take-over in it
  break_started_at       timestamptz,  -- of the newest break in it
  break_ended_at         timestamptz,
  flicker_earlier_at     timestamptz,  -- the newest but one
  flicker_newest_at      timestamptz,
  flicker_notified_at    timestamptz,  -- when *unstable* was last notified in the open shift
  unlocatable_since      timestamptz,  -- NULL: the device is locatable, or had a break since
  locatable_since        timestamptz,  -- NULL: the device was always locatable in this shift
  unconfirmed_started_at timestamptz,
  unconfirmed_ended_at   timestamptz,
  unconfirmed_shift      int,          -- it ended at its limit, and its end is not confirmed
  last_device            smallint    NOT NULL DEFAULT 0,  -- highest number within the employee
  open_device            smallint,     -- the tracking device; NULL: the open shift waits to be
                                       -- confirmed
  break_no               smallint,     -- the newest break in the open shift
  known_authorization    smallint    NOT NULL DEFAULT 0,  -- last known values of the device, with
  known_accuracy         smallint    NOT NULL DEFAULT 0,  -- the codes of permission_report
  known_services         smallint    NOT NULL DEFAULT 0,
  known_mock_location    smallint    NOT NULL DEFAULT 0,
  break_asked            boolean     NOT NULL DEFAULT false,  -- asked about a long break
  reminded               boolean     NOT NULL DEFAULT false,  -- asked about a forgotten clock-out
  break_accepted         smallint    NOT NULL DEFAULT 0,  -- kinds of incident accepted at the
                                                          -- clock-in, no news after a break: one
                                                          -- bit each, by its number
  marks_version          bigint,       -- the version they belong to
  marks_newest_at        timestamptz,  -- when the newest report counts from
  marks_previous_at      timestamptz,  -- the same of the one before
  marks_lost_at          timestamptz,  -- the last that cannot locate
  marks_restored_at      timestamptz,  -- the last end of that
  marks_lost             boolean,      -- whether so just before the newest
  CONSTRAINT guard_state_pk PRIMARY KEY (employee_id),
  CONSTRAINT guard_state_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT guard_state_shift_whole CHECK (
    (open_shift IS NULL) = (opened_at IS NULL)
    AND (open_shift IS NOT NULL OR (open_device IS NULL AND report_id IS NULL))),
  CONSTRAINT guard_state_break_whole CHECK ((break_no IS NULL) = (break_started_at IS NULL)),
  CONSTRAINT guard_state_unconfirmed_whole CHECK (
    (unconfirmed_shift IS NULL) = (unconfirmed_started_at IS NULL)
    AND (unconfirmed_shift IS NULL) = (unconfirmed_ended_at IS NULL))
) WITH (fillfactor = 60);
SELECT distribute_by_employee('guard_state');
CREATE INDEX guard_state_due ON guard_state (due_at) WHERE due_at IS NOT NULL;

-- In a shift the whole history; off shift only a device's newest report is stored. Reports are
-- ordered by installation, then by place: an app that is installed again counts from the start.
CREATE TABLE permission_report (
  employee_id          int         NOT NULL,
  shift_no             int,                   -- the shift it belongs to; NULL: off shift
  report_id            bigint      NOT NULL,
  effective_at         timestamptz NOT NULL,
  received_at          timestamptz NOT NULL,
  counts_from          timestamptz,           -- when it takes effect, not before the preceding
                                              -- report; NULL: effective_at
  exit_at              timestamptz,           -- when the system last terminated the app
  skew_ms              bigint,                -- receipt minus the phone's sentAt; NULL: unknown
  sequence             bigint,                -- the phone's number within its installation
  place                bigint,                -- within its installation; NULL: its sequence
  installation_no      int         NOT NULL DEFAULT 0,  -- among the device's; 0: the enrolment
  device_no            smallint    NOT NULL,
  authorization_code   smallint    NOT NULL,  -- 0 unknown, 1 not determined, 2 restricted,
                                              -- 3 denied, 4 while in use, 5 always
  grant_path           smallint    NOT NULL,  -- 0 unknown, 1 prompt, 2 settings, 3 administrator
  accuracy             smallint    NOT NULL,  -- 0 unknown, 1 full, 2 reduced
  services             smallint    NOT NULL,  -- 0 unknown, 1 off, 2 on; so are those below
  notifications        smallint    NOT NULL,
  battery_optimisation smallint    NOT NULL,
  background_refresh   smallint    NOT NULL,
  power_save           smallint    NOT NULL,
  foreground_service   smallint    NOT NULL,
  background_fix       smallint    NOT NULL,
  mock_location        smallint    NOT NULL DEFAULT 0,
  exit_cause           smallint,              -- 0 other, 1 permission change, 2 the user
  trigger              text,                  -- what made the phone report, as sent
  source               text,                  -- the source of the raw values; NULL: our own codes
  raw                  text,                  -- the raw values for support, as JSON; NULL: none
                                              -- were sent, or too many
  CONSTRAINT permission_report_pk PRIMARY KEY (employee_id, report_id),
  CONSTRAINT permission_report_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT permission_report_authorization_known CHECK (authorization_code BETWEEN 0 AND 5),
  CONSTRAINT permission_report_exit_whole CHECK ((exit_at IS NULL) = (exit_cause IS NULL)),
  CONSTRAINT permission_report_trigger_length CHECK (length(trigger) <= 50),
  CONSTRAINT permission_report_source_length CHECK (length(source) <= 50),
  CONSTRAINT permission_report_raw_length CHECK (length(raw) BETWEEN 1 AND 1000)
);
SELECT distribute_by_employee('permission_report');
CREATE UNIQUE INDEX permission_report_sequence_once
  ON permission_report (employee_id, device_no, installation_no, sequence)
  WHERE sequence IS NOT NULL;
CREATE INDEX permission_report_by_shift ON permission_report (employee_id, shift_no, effective_at);

-- Why: the rules' state of an employee, permission reports, shifts with everything that happens in
--   them, clock actions, overrides and planned shifts.
-- Locks: none, the tables are new.
-- Size: guard_state a row per employee; a shift some 250 bytes; a report some 120; a clock action
--   some 200; a planned shift some 150, two indexes included; the rest a few rows per shift.

-- The state of the rules. Every report and clock action writes it with `version = n + 1 WHERE
-- version = n` in the transaction of its effects, so that two concurrent events cannot both rely on
-- the old state.
CREATE TABLE guard_state (
  employee_id            int         NOT NULL,
  last_shift             int         NOT NULL DEFAULT 0,  -- highest numbers within the employee
  last_incident          int         NOT NULL DEFAULT 0,
  last_override          int         NOT NULL DEFAULT 0,
  last_action            int         NOT NULL DEFAULT 0,
  open_shift             int,
  version                bigint      NOT NULL DEFAULT 1,
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
  open_device            smallint,     -- the tracking device
  break_no               smallint,     -- the newest break in the open shift
  known_authorization    smallint    NOT NULL DEFAULT 0,  -- last known values of the device, with
  known_accuracy         smallint    NOT NULL DEFAULT 0,  -- the codes of permission_report
  known_services         smallint    NOT NULL DEFAULT 0,
  known_mock_location    smallint    NOT NULL DEFAULT 0,
  break_asked            boolean     NOT NULL DEFAULT false,  -- asked about a long break
  reminded               boolean     NOT NULL DEFAULT false,  -- asked about a forgotten clock-out
  CONSTRAINT guard_state_pk PRIMARY KEY (employee_id),
  CONSTRAINT guard_state_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT guard_state_shift_whole CHECK (
    (open_shift IS NULL) = (open_device IS NULL) AND (open_shift IS NULL) = (opened_at IS NULL)
    AND (open_shift IS NOT NULL OR report_id IS NULL)),
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
  CONSTRAINT permission_report_pk PRIMARY KEY (employee_id, report_id),
  CONSTRAINT permission_report_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT permission_report_authorization_known CHECK (authorization_code BETWEEN 0 AND 5),
  CONSTRAINT permission_report_exit_whole CHECK ((exit_at IS NULL) = (exit_cause IS NULL)),
  CONSTRAINT permission_report_trigger_length CHECK (length(trigger) <= 50),
  CONSTRAINT permission_report_source_length CHECK (length(source) <= 50)
);
SELECT distribute_by_employee('permission_report');
CREATE UNIQUE INDEX permission_report_sequence_once
  ON permission_report (employee_id, device_no, installation_no, sequence)
  WHERE sequence IS NOT NULL;
CREATE INDEX permission_report_by_shift ON permission_report (employee_id, shift_no, effective_at);

-- A shift keeps the tracking settings and limits it began under.
CREATE TABLE shift (
  employee_id         int         NOT NULL,
  shift_no            int         NOT NULL,  -- within the employee, from 1
  started_at          timestamptz NOT NULL,
  ended_at            timestamptz,           -- NULL: open
  original_started_at timestamptz,           -- before the first correction
  original_ended_at   timestamptz,
  start_fix_at        timestamptz,           -- the fix sent with the clock-in
  end_fix_at          timestamptz,           -- the fix sent with the clock-out
  asked_from          timestamptz,  -- before it, no phone was asked to track; NULL: always asked
  offline_received_at timestamptz,           -- the receipt of an offline clock-in
  evidence_report_id  bigint,                -- the report of the decision
  policy_version      int         NOT NULL,
  fix_age_max_ms      int         NOT NULL,  -- how long a fix counts
  shift_max_ms        int         NOT NULL DEFAULT 57600000,
  break_max_ms        int         NOT NULL DEFAULT 7200000,
  ping_interval_ms    int         NOT NULL DEFAULT 60000,
  max_rest_ms         int         NOT NULL DEFAULT 1800000,
  accuracy_max_m      int,                   -- NULL: every fix proves a position
  blocking            int         NOT NULL,  -- the decision: one bit per finding, by its number
  warning             int         NOT NULL,
  informing           int         NOT NULL,
  overridden          int         NOT NULL DEFAULT 0,  -- findings that an override allowed
  override_no         int,
  start_latitude_e7   int,                   -- of the fix sent with the clock-in
  start_longitude_e7  int,
  end_latitude_e7     int,                   -- of the fix sent with the clock-out
  end_longitude_e7    int,
  device_no           smallint    NOT NULL,  -- the device that clocked in
  verdict             smallint    NOT NULL,  -- 0 allow, 1 warn, 2 block
  ended_by            smallint,              -- 0 employee, 1 limit, 2 manager
  start_fix_proof     smallint,     -- 2 mocked, 3 too inaccurate; NULL: it proves a position
  end_fix_proof       smallint,
  needs_review        boolean     NOT NULL DEFAULT false,  -- it ended at its limit
  CONSTRAINT shift_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT shift_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT shift_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT shift_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT shift_verdict_known CHECK (verdict BETWEEN 0 AND 2),
  CONSTRAINT shift_start_fix_whole CHECK (
    (start_fix_at IS NULL) = (start_latitude_e7 IS NULL)
    AND (start_fix_at IS NULL) = (start_longitude_e7 IS NULL)),
  CONSTRAINT shift_end_fix_whole CHECK (
    (end_fix_at IS NULL) = (end_latitude_e7 IS NULL)
    AND (end_fix_at IS NULL) = (end_longitude_e7 IS NULL)),
  CONSTRAINT shift_spans_disjoint EXCLUDE USING gist (
    employee_id WITH =, tstzrange(started_at, ended_at) WITH &&)
);
SELECT distribute_by_employee('shift');
CREATE UNIQUE INDEX shift_one_open ON shift (employee_id) WHERE ended_at IS NULL;
CREATE INDEX shift_by_start ON shift (started_at);

CREATE TABLE shift_break (
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz,           -- NULL: open
  received_at timestamptz,           -- of the break start: from then on fixes are refused
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  break_no    smallint    NOT NULL,  -- within the shift, from 1
  CONSTRAINT shift_break_pk PRIMARY KEY (employee_id, shift_no, break_no),
  CONSTRAINT shift_break_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_break_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT shift_break_disjoint
    EXCLUDE USING gist (employee_id WITH =, tstzrange(started_at, ended_at) WITH &&)
);
SELECT distribute_by_employee('shift_break');

-- Another device tracks the shift from `at` on.
CREATE TABLE take_over (
  at             timestamptz NOT NULL,
  report_id      bigint,             -- the device's report in force when it took over
  employee_id    int         NOT NULL,
  shift_no       int         NOT NULL,
  fix_age_max_ms int,                -- how long a fix counts on this device; NULL: as in the shift
  fresh_for_ms   int,                -- the maximum age of a report it brought along; NULL: any
  device_no      smallint    NOT NULL,
  CONSTRAINT take_over_pk PRIMARY KEY (employee_id, shift_no, at),
  CONSTRAINT take_over_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT take_over_device
    FOREIGN KEY (employee_id, device_no) REFERENCES device (employee_id, device_no)
);
SELECT distribute_by_employee('take_over');

-- A clock action, its answer, which a repeat gets again, and its review. Outcomes:
--   clock-in: 0 clocked in, 1 already open, 2 open elsewhere, 3 blocked, 4 overlaps, 19 kept
--   clock-out: 5 clocked out, 6 no open shift, 7 ends before start, 18 out of order, 20 kept
--   break start: 8 on break, 9 without shift, 10 out of order, 21 kept
--   break end: 11 back at work, 12 without shift, 13 not on break, 14 out of order, 22 kept
--   take-over: 15 tracking, 16 without shift, 17 out of order, 23 kept
CREATE TABLE clock_action (
  employee_id    int         NOT NULL,
  shift_no       int,                   -- the shift begun, ended or in conflict
  at             timestamptz NOT NULL,  -- its time, by the server's clock
  received_at    timestamptz NOT NULL,
  reviewed_at    timestamptz,           -- NULL: not reviewed
  review_end     timestamptz,           -- of the shift opened, from the manager
  report_id      bigint,                -- the report it was decided on
  policy_version int         NOT NULL,
  action_no      int,                   -- within the employee, from 1
  blocking       int         NOT NULL,  -- the decision: one bit per finding, by its number
  warning        int         NOT NULL,
  informing      int         NOT NULL,
  review_shift   int,                   -- the shift that the review opened or corrected
  device_no      smallint    NOT NULL,
  outcome        smallint    NOT NULL,
  kept_reason    smallint,              -- why it was kept for review: 0 blocked, 1 overlaps,
                                        -- 2 too old, 3 out of order, 4 no open shift
  review_outcome smallint,              -- 0 accepted, 1 dismissed
  needs_review   boolean     NOT NULL,  -- it was kept for review
  body_hash      bytea       NOT NULL,  -- SHA-256 of the body without `sentAt`
  action_id      text        NOT NULL,  -- chosen by the phone
  reviewed_by    text,
  review_reason  text,
  CONSTRAINT clock_action_pk PRIMARY KEY (employee_id, device_no, action_id),
  CONSTRAINT clock_action_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT clock_action_id_length CHECK (length(action_id) BETWEEN 1 AND 64),
  CONSTRAINT clock_action_body_hash_length CHECK (length(body_hash) = 32),
  CONSTRAINT clock_action_review_outcome_whole
    CHECK ((reviewed_at IS NULL) = (review_outcome IS NULL)),
  CONSTRAINT clock_action_review_whole
    CHECK (reviewed_at IS NOT NULL OR (review_shift IS NULL AND review_end IS NULL)),
  CONSTRAINT clock_action_reviewed_by_length CHECK (length(reviewed_by) <= 100),
  CONSTRAINT clock_action_review_reason_length CHECK (length(review_reason) <= 500)
);
SELECT distribute_by_employee('clock_action');
CREATE INDEX clock_action_by_time ON clock_action (employee_id, received_at);
CREATE INDEX clock_action_by_number ON clock_action (employee_id, action_no)
  WHERE action_no IS NOT NULL;
-- The report of a clock action that waits for review is kept.
CREATE INDEX clock_action_waiting_report ON clock_action (employee_id, report_id)
  WHERE reviewed_at IS NULL AND action_no IS NOT NULL;

CREATE TABLE shift_correction (
  corrected_at     timestamptz NOT NULL DEFAULT now(),
  old_started_at   timestamptz NOT NULL,
  old_ended_at     timestamptz,           -- NULL: the shift was open
  new_started_at   timestamptz NOT NULL,
  new_ended_at     timestamptz,
  employee_id      int         NOT NULL,
  shift_no         int         NOT NULL,
  correction_no    smallint    NOT NULL,  -- within the shift, from 1
  undoes           smallint,              -- the correction that this one undoes
  old_ended_by     smallint,              -- as shift.ended_by
  old_needs_review boolean     NOT NULL DEFAULT false,
  corrected_by     text        NOT NULL,
  reason           text        NOT NULL,
  CONSTRAINT shift_correction_pk PRIMARY KEY (employee_id, shift_no, correction_no),
  CONSTRAINT shift_correction_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_correction_by_length CHECK (length(corrected_by) BETWEEN 1 AND 100),
  CONSTRAINT shift_correction_reason_length CHECK (length(reason) BETWEEN 1 AND 500)
);
SELECT distribute_by_employee('shift_correction');

-- Breaks as they were before a correction clipped them, for its undo.
CREATE TABLE shift_correction_break (
  started_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  received_at   timestamptz,
  employee_id   int         NOT NULL,
  shift_no      int         NOT NULL,
  correction_no smallint    NOT NULL,
  break_no      smallint    NOT NULL,
  CONSTRAINT shift_correction_break_pk
    PRIMARY KEY (employee_id, shift_no, correction_no, break_no),
  CONSTRAINT shift_correction_break_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
);
SELECT distribute_by_employee('shift_correction_break');

CREATE TABLE shift_note (
  created_at  timestamptz NOT NULL DEFAULT now(),
  from_at     timestamptz NOT NULL,  -- the span that the note explains
  to_at       timestamptz NOT NULL,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  note_no     smallint    NOT NULL,  -- within the shift, from 1
  note        text        NOT NULL,
  CONSTRAINT shift_note_pk PRIMARY KEY (employee_id, shift_no, note_no),
  CONSTRAINT shift_note_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_note_ends_after_start CHECK (to_at > from_at),
  CONSTRAINT shift_note_length CHECK (length(note) BETWEEN 1 AND 500)
);
SELECT distribute_by_employee('shift_note');

-- Permission for one clock-in in spite of findings.
CREATE TABLE guard_override (
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  withdrawn_at timestamptz,
  employee_id  int         NOT NULL,
  override_no  int         NOT NULL,  -- within the employee, from 1
  findings     int         NOT NULL,  -- the findings allowed: one bit each, by their number
  used_shift   int,                   -- the shift that began by it; NULL: unused
  author       smallint    NOT NULL,  -- 0 manager, 1 employee
  given_by     text        NOT NULL,  -- the author's name
  reason       text        NOT NULL,
  CONSTRAINT guard_override_pk PRIMARY KEY (employee_id, override_no),
  CONSTRAINT guard_override_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT guard_override_by_length CHECK (length(given_by) BETWEEN 1 AND 100),
  CONSTRAINT guard_override_reason_length CHECK (length(reason) BETWEEN 1 AND 500)
);
SELECT distribute_by_employee('guard_override');

-- The warnings that an employee acknowledged in the newest app session of a device.
CREATE TABLE acknowledgement (
  acknowledged_at timestamptz NOT NULL,
  employee_id     int         NOT NULL,
  findings        int         NOT NULL,  -- one bit per finding, by its number
  device_no       smallint    NOT NULL,
  app_session     text        NOT NULL,
  CONSTRAINT acknowledgement_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT acknowledgement_device
    FOREIGN KEY (employee_id, device_no) REFERENCES device (employee_id, device_no),
  CONSTRAINT acknowledgement_session_length CHECK (length(app_session) BETWEEN 1 AND 64)
);
SELECT distribute_by_employee('acknowledgement');

-- A planned shift distinguishes "scheduled" from "clocked in" on the board, and its end decides
-- when an employee is asked about a forgotten clock-out.
CREATE TABLE planned_shift (
  planned_shift_id bigint      NOT NULL,  -- 41 bits of milliseconds, 22 random
  starts_at        timestamptz NOT NULL,
  ends_at          timestamptz NOT NULL,
  created_at       timestamptz NOT NULL,
  employee_id      int         NOT NULL,
  created_by       text        NOT NULL,
  CONSTRAINT planned_shift_pk PRIMARY KEY (employee_id, planned_shift_id),
  CONSTRAINT planned_shift_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT planned_shift_ends_after_start CHECK (ends_at > starts_at),
  CONSTRAINT planned_shift_by_length CHECK (length(created_by) BETWEEN 1 AND 100),
  CONSTRAINT planned_shift_disjoint
    EXCLUDE USING gist (employee_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
);
SELECT distribute_by_employee('planned_shift');

-- What is left of a shift when its coverage is deleted: its record and its length.
CREATE TABLE past_shift (
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz NOT NULL,
  break_ms    bigint      NOT NULL,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  CONSTRAINT past_shift_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT past_shift_ends_after_start CHECK (ended_at > started_at)
);
SELECT distribute_by_employee('past_shift');

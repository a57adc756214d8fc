-- Why: breaks, take-overs, shifts that end at their limit, overrides, corrections, notes, clock
--   actions kept for review, acknowledged warnings: the events of a working day besides its start
--   and end.
-- Locks: ACCESS EXCLUSIVE on guard_state, shift, incident, permission_report, attempt, notification.
-- Every new column is nullable or has a constant default, so no table is rewritten; but the new
-- checks and one index read guard_state, shift, permission_report and attempt once under the lock,
-- so phones wait for that time. Size: a few rows per shift.
ALTER TABLE guard_state
  ADD COLUMN unconfirmed_started_at timestamptz,
  ADD COLUMN unconfirmed_ended_at timestamptz,
  ADD COLUMN taken_over_at timestamptz,
  ADD COLUMN break_started_at timestamptz,
  ADD COLUMN break_ended_at timestamptz,
  ADD COLUMN flicker_earlier_at timestamptz,
  ADD COLUMN flicker_newest_at timestamptz,
  ADD COLUMN due_at timestamptz,  -- when time alone causes a change: a reminder, the limit
  ADD COLUMN unconfirmed_shift int,
  ADD COLUMN last_override int NOT NULL DEFAULT 0,
  ADD COLUMN last_attempt int NOT NULL DEFAULT 0,
  ADD COLUMN break_no smallint,
  ADD COLUMN known_authorization smallint NOT NULL DEFAULT 0,  -- known values from the device
  ADD COLUMN known_accuracy smallint NOT NULL DEFAULT 0,
  ADD COLUMN known_services smallint NOT NULL DEFAULT 0,
  ADD COLUMN known_mock_location smallint NOT NULL DEFAULT 0,
  ADD COLUMN break_asked boolean NOT NULL DEFAULT false,
  ADD COLUMN reminded boolean NOT NULL DEFAULT false,
  ADD COLUMN flicker_told boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT guard_state_break_whole
    CHECK ((break_no IS NULL) = (break_started_at IS NULL)),
  ADD CONSTRAINT guard_state_unconfirmed_whole
    CHECK ((unconfirmed_shift IS NULL) = (unconfirmed_started_at IS NULL)
      AND (unconfirmed_shift IS NULL) = (unconfirmed_ended_at IS NULL));
CREATE INDEX guard_state_due ON guard_state (due_at) WHERE due_at IS NOT NULL;

ALTER TABLE shift
  ADD COLUMN original_started_at timestamptz,  -- before the first correction
  ADD COLUMN original_ended_at timestamptz,
  ADD COLUMN start_fix_at timestamptz,
  ADD COLUMN end_fix_at timestamptz,
  ADD COLUMN start_latitude_e7 int,
  ADD COLUMN start_longitude_e7 int,
  ADD COLUMN end_latitude_e7 int,
  ADD COLUMN end_longitude_e7 int,
  ADD COLUMN overridden int NOT NULL DEFAULT 0,  -- findings that an override allowed
  ADD COLUMN override_no int,
  ADD COLUMN ended_by smallint,
  ADD COLUMN review boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT shift_start_fix_whole
    CHECK ((start_fix_at IS NULL) = (start_latitude_e7 IS NULL)
      AND (start_fix_at IS NULL) = (start_longitude_e7 IS NULL)),
  ADD CONSTRAINT shift_end_fix_whole
    CHECK ((end_fix_at IS NULL) = (end_latitude_e7 IS NULL)
      AND (end_fix_at IS NULL) = (end_longitude_e7 IS NULL));

ALTER TABLE incident ADD COLUMN explained_by smallint;  -- the cause of a silence, found later

ALTER TABLE permission_report
  ADD COLUMN exit_at timestamptz,
  ADD COLUMN exit_cause smallint,
  ADD COLUMN mock_location smallint NOT NULL DEFAULT 0,
  ADD CONSTRAINT permission_report_exit_whole CHECK ((exit_at IS NULL) = (exit_cause IS NULL));

ALTER TABLE attempt
  ADD COLUMN settled_at timestamptz,
  ADD COLUMN settled_end timestamptz,  -- of the shift opened, from the manager
  ADD COLUMN attempt_no int,
  ADD COLUMN settled_shift int,  -- the one opened or corrected; shift_no is in the phone's answer
  ADD COLUMN settlement smallint,  -- 0 accepted, 1 dismissed
  ADD COLUMN settled_by text,
  ADD COLUMN settled_reason text,
  ADD CONSTRAINT attempt_settlement_whole CHECK ((settled_at IS NULL) = (settlement IS NULL)),
  ADD CONSTRAINT attempt_settled_whole
    CHECK (settled_at IS NOT NULL OR (settled_shift IS NULL AND settled_end IS NULL)),
  ADD CONSTRAINT attempt_settled_by_length CHECK (length(settled_by) <= 100),
  ADD CONSTRAINT attempt_settled_reason_length CHECK (length(settled_reason) <= 500);
-- Not unique: clock actions from before this migration have no number.
CREATE INDEX attempt_by_number ON attempt (employee_id, attempt_no) WHERE attempt_no IS NOT NULL;
-- The report of a clock action that waits for review is kept.
CREATE INDEX attempt_waiting_report ON attempt (employee_id, report_id)
  WHERE settled_at IS NULL AND attempt_no IS NOT NULL;

ALTER TABLE notification ALTER COLUMN kind DROP NOT NULL;

CREATE TABLE shift_break (
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  break_no    smallint    NOT NULL,
  CONSTRAINT shift_break_pk PRIMARY KEY (employee_id, shift_no, break_no),
  CONSTRAINT shift_break_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_break_ends_after_start CHECK (ended_at > started_at),
  CONSTRAINT shift_break_disjoint
    EXCLUDE USING gist (employee_id WITH =, tstzrange(started_at, ended_at) WITH &&)
);
CREATE TABLE take_over (
  at          timestamptz NOT NULL,
  report_id   bigint,  -- the device's report in force when it took over
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  device_no   smallint    NOT NULL,
  CONSTRAINT take_over_pk PRIMARY KEY (employee_id, shift_no, at),
  CONSTRAINT take_over_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT take_over_device
    FOREIGN KEY (employee_id, device_no) REFERENCES device (employee_id, device_no)
);
CREATE TABLE shift_correction (
  corrected_at   timestamptz NOT NULL DEFAULT now(),
  old_started_at timestamptz NOT NULL,
  old_ended_at   timestamptz,
  new_started_at timestamptz NOT NULL,
  new_ended_at   timestamptz,
  employee_id    int         NOT NULL,
  shift_no       int         NOT NULL,
  correction_no  smallint    NOT NULL,
  corrected_by   text        NOT NULL,
  reason         text        NOT NULL,
  CONSTRAINT shift_correction_pk PRIMARY KEY (employee_id, shift_no, correction_no),
  CONSTRAINT shift_correction_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_correction_by_length CHECK (length(corrected_by) BETWEEN 1 AND 100),
  CONSTRAINT shift_correction_reason_length CHECK (length(reason) BETWEEN 1 AND 500)
);
CREATE TABLE shift_note (
  created_at  timestamptz NOT NULL DEFAULT now(),
  from_at     timestamptz NOT NULL,
  to_at       timestamptz NOT NULL,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  note_no     smallint    NOT NULL,
  note        text        NOT NULL,
  CONSTRAINT shift_note_pk PRIMARY KEY (employee_id, shift_no, note_no),
  CONSTRAINT shift_note_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_note_ends_after_start CHECK (to_at > from_at),
  CONSTRAINT shift_note_length CHECK (length(note) BETWEEN 1 AND 500)
);
CREATE TABLE guard_override (
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  withdrawn_at timestamptz,
  employee_id  int         NOT NULL,
  override_no  int         NOT NULL,
  findings     int         NOT NULL,
  used_shift   int,
  author       smallint    NOT NULL,
  given_by     text        NOT NULL,
  reason       text        NOT NULL,
  CONSTRAINT guard_override_pk PRIMARY KEY (employee_id, override_no),
  CONSTRAINT guard_override_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT guard_override_by_length CHECK (length(given_by) BETWEEN 1 AND 100),
  CONSTRAINT guard_override_reason_length CHECK (length(reason) BETWEEN 1 AND 500)
);
CREATE TABLE acknowledgement (
  acknowledged_at timestamptz NOT NULL,
  employee_id     int         NOT NULL,
  findings        int         NOT NULL,
  device_no       smallint    NOT NULL,
  app_session     text        NOT NULL,
  CONSTRAINT acknowledgement_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT acknowledgement_device
    FOREIGN KEY (employee_id, device_no) REFERENCES device (employee_id, device_no),
  CONSTRAINT acknowledgement_session_length CHECK (length(app_session) BETWEEN 1 AND 64)
);
SELECT distribute_by_employee('shift_break');
SELECT distribute_by_employee('take_over');
SELECT distribute_by_employee('shift_correction');
SELECT distribute_by_employee('shift_note');
SELECT distribute_by_employee('guard_override');
SELECT distribute_by_employee('acknowledgement');

-- Open shifts at this time: the watch processes each and computes when something is due, and the
-- device's last report gives the known values.
UPDATE guard_state SET version = version + 1, due_at = now() WHERE open_shift IS NOT NULL;
UPDATE guard_state AS state
SET known_authorization = report.authorization_code, known_accuracy = report.accuracy,
  known_services = report.services
FROM permission_report AS report
WHERE report.employee_id = state.employee_id AND report.report_id = state.report_id;

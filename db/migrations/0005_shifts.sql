-- Why: shifts with their breaks, take-overs, corrections and notes, planned shifts, and the
--   settings of time sheets.
-- Locks: none, the tables are new. Size: a shift some 250 bytes, and some 50 more once approved; a
--   planned shift some 150, two indexes included; the rest a few rows per shift.

-- A shift keeps the tracking settings and limits it began under. The employee, a manager or a plan
-- opens it; unless the employee did, no phone tracks it until the employee confirms it. Managers
-- approve its times for payroll: these are stored a second time, so that shift_approval_locks keeps
-- every program from changing the times of an approved shift.
CREATE TABLE shift (
  employee_id         int         NOT NULL,
  shift_no            int         NOT NULL,  -- within the employee, from 1
  started_at          timestamptz NOT NULL,
  ended_at            timestamptz,           -- NULL: open
  original_started_at timestamptz,           -- before the first correction
  original_ended_at   timestamptz,
  start_fix_at        timestamptz,           -- the fix sent with the clock-in
  end_fix_at          timestamptz,           -- the fix sent with the clock-out
  asked_from          timestamptz,           -- before it, no phone was asked to track; NULL: always
                                             -- asked; the confirmation of a shift opened otherwise
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
  device_no           smallint,              -- the device that clocked in or confirmed; NULL: no
                                             -- phone ever tracked it
  verdict             smallint    NOT NULL,  -- 0 allow, 1 warn, 2 block
  ended_by            smallint,              -- 0 employee, 1 limit, 2 manager, 3 declined
  start_fix_proof     smallint,              -- 2 mocked, 3 too inaccurate; NULL: it proves a
                                             -- position
  end_fix_proof       smallint,
  needs_review        boolean     NOT NULL DEFAULT false,  -- its times wait for a manager
  opened_by           smallint    NOT NULL DEFAULT 0,      -- 0 the employee, 1 a manager, 2 a plan
  confirm_by          timestamptz,           -- it ends then unless confirmed; NULL: at its limit
  opened_by_name      text,                  -- the manager who opened it
  opening_reason      text,
  approved_at         timestamptz,           -- NULL: not approved
  approved_start      timestamptz,
  approved_end        timestamptz,
  times_confirmed_at  timestamptz,           -- by the employee; NULL: not, or the times have
                                             -- changed since
  approved_by         text,
  objected_at         timestamptz,           -- NULL: no objection to the present times
  objection           text,                  -- why the employee disagrees with them
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
  CONSTRAINT shift_device_unless_opened CHECK (device_no IS NOT NULL OR opened_by <> 0),
  CONSTRAINT shift_opened_by_name_length CHECK (length(opened_by_name) BETWEEN 1 AND 100),
  CONSTRAINT shift_opening_reason_length CHECK (length(opening_reason) BETWEEN 1 AND 500),
  CONSTRAINT shift_approval_whole CHECK (
    num_nulls(approved_at, approved_by, approved_start, approved_end) IN (0, 4)),
  CONSTRAINT shift_approval_locks CHECK (
    approved_at IS NULL
    OR (started_at = approved_start AND ended_at = approved_end AND ended_at IS NOT NULL
      AND NOT needs_review)),
  CONSTRAINT shift_approved_by_length CHECK (length(approved_by) <= 100),
  CONSTRAINT shift_objection_whole CHECK (num_nulls(objected_at, objection) IN (0, 2)),
  CONSTRAINT shift_objection_length CHECK (length(objection) BETWEEN 1 AND 500),
  CONSTRAINT shift_spans_disjoint EXCLUDE USING gist (
    employee_id WITH =, tstzrange(started_at, ended_at) WITH &&)
);
SELECT distribute_by_employee('shift');
CREATE UNIQUE INDEX shift_one_open ON shift (employee_id) WHERE ended_at IS NULL;
CREATE INDEX shift_by_start ON shift (started_at);
CREATE INDEX shift_to_review ON shift (started_at) WHERE needs_review;

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
  old_objected_at  timestamptz,           -- the objection that the correction answered, which an
  old_objection    text,                  -- undo restores
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

-- What is left of a shift when its coverage is deleted: its record and its length.
CREATE TABLE past_shift (
  started_at         timestamptz NOT NULL,
  ended_at           timestamptz NOT NULL,
  break_ms           bigint      NOT NULL,
  employee_id        int         NOT NULL,
  shift_no           int         NOT NULL,
  approved_at        timestamptz,           -- as in shift, like the two below
  times_confirmed_at timestamptz,
  approved_by        text,
  corrections        smallint,              -- how many there were; NULL: unknown
  CONSTRAINT past_shift_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT past_shift_ends_after_start CHECK (ended_at > started_at)
);
SELECT distribute_by_employee('past_shift');
CREATE INDEX past_shift_by_start ON past_shift (started_at);

-- A planned shift distinguishes "scheduled" from "clocked in" on the board, and its end decides
-- when an employee is asked about a forgotten clock-out. The instance whose update sets late_at or
-- no_show_at queues the notification, so that managers get each once.
CREATE TABLE planned_shift (
  planned_shift_id bigint      NOT NULL,  -- 41 bits of milliseconds, 22 random
  starts_at        timestamptz NOT NULL,
  ends_at          timestamptz NOT NULL,
  created_at       timestamptz NOT NULL,
  employee_id      int         NOT NULL,
  created_by       text        NOT NULL,
  late_at          timestamptz,           -- when it was queued that the employee is late; NULL: not
  no_show_at       timestamptz,           -- and that they have not come
  CONSTRAINT planned_shift_pk PRIMARY KEY (employee_id, planned_shift_id),
  CONSTRAINT planned_shift_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT planned_shift_ends_after_start CHECK (ends_at > starts_at),
  CONSTRAINT planned_shift_by_length CHECK (length(created_by) BETWEEN 1 AND 100),
  CONSTRAINT planned_shift_disjoint
    EXCLUDE USING gist (employee_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
);
SELECT distribute_by_employee('planned_shift');
CREATE INDEX planned_shift_by_start ON planned_shift (starts_at);

-- A time sheet covers a pay period, and its file has the columns that payroll reads. One row.
CREATE TABLE payroll_settings (
  starts_on    date       NOT NULL,  -- the first day of one pay period
  number       smallint   NOT NULL DEFAULT 1,
  period       smallint   NOT NULL,  -- 0 week, 1 two weeks, 2 half a month, 3 month
  hours_format smallint   NOT NULL,  -- 0 hours and minutes, 1 decimal hours
  columns      smallint[] NOT NULL,
  CONSTRAINT payroll_settings_pk PRIMARY KEY (number),
  CONSTRAINT payroll_settings_one_row CHECK (number = 1),
  CONSTRAINT payroll_settings_period_known CHECK (period BETWEEN 0 AND 3),
  CONSTRAINT payroll_settings_hours_format_known CHECK (hours_format BETWEEN 0 AND 1),
  CONSTRAINT payroll_settings_columns_count CHECK (cardinality(columns) BETWEEN 1 AND 30)
);
SELECT replicate_everywhere('payroll_settings');

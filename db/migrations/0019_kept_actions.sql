-- Why: nothing acknowledged is lost by a record that arrives late. Fixes that a late break,
--   clock-out, take-over or correction moves outside the tracked time stay stored and are deleted
--   later (`purge`); the newest correction can be undone; clock actions are kept for review with a
--   reason.
-- Locks: ACCESS EXCLUSIVE on shift_break, shift_correction and attempt, milliseconds: new columns only,
--   nullable or with a constant default, so no table is rewritten.
-- Size: purge and shift_correction_break a few rows per correction.

-- Fixes recorded with a shift in [from_at, to_at) are deleted 7 days after `sealed_at`, if the
-- shift still does not count them then.
CREATE TABLE purge (
  sealed_at   timestamptz NOT NULL,
  from_at     timestamptz NOT NULL,
  to_at       timestamptz NOT NULL,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  cause       smallint    NOT NULL,  -- 0 outside the shift, 1 on a device that did not track
  CONSTRAINT purge_pk PRIMARY KEY (employee_id, shift_no, sealed_at, cause, from_at),
  CONSTRAINT purge_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
);
SELECT distribute_by_employee('purge');
CREATE INDEX purge_by_time ON purge (sealed_at);

-- The receipt of the break start: earlier fixes are sealed, later ones refused.
ALTER TABLE shift_break ADD COLUMN received_at timestamptz;

ALTER TABLE shift_correction
  ADD COLUMN undoes smallint,        -- the correction that this one undoes
  ADD COLUMN old_ended_by smallint,  -- how the shift had ended before
  ADD COLUMN old_review boolean NOT NULL DEFAULT false;

-- Breaks as they were before a correction clipped them.
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

ALTER TABLE attempt ADD COLUMN kept_reason smallint;  -- why it was kept for review

-- Why: incidents, and how fast they were detected and restored.
-- Locks: none, the tables are new. Size: some 100 bytes per incident, 60 per detection, 80 per
--   restoration.

-- An impairment of tracking in a shift. Kinds: 0 restricted, 1 denied, 2 not determined, 3 while in
-- use, 4 services off, 5 accuracy reduced, 6 no contact, 7 no fix, 8 app terminated, 9 mock
-- location.
CREATE TABLE incident (
  employee_id         int         NOT NULL,
  incident_no         int         NOT NULL,  -- within the employee, from 1
  shift_no            int         NOT NULL,
  opened_at           timestamptz NOT NULL,
  worsened_at         timestamptz,           -- NULL: never worsened
  closed_at           timestamptz,           -- NULL: open
  debounced_until     timestamptz NOT NULL,  -- if restored before: a flicker
  notification_due_at timestamptz,           -- of the newest notification about it
  device_no           smallint    NOT NULL,
  dimension           smallint    NOT NULL,  -- 0 authorization, 1 services, 2 accuracy, 3 contact,
                                             -- 4 fix, 5 app, 6 mock
  kind                smallint    NOT NULL,
  kind_before         smallint,              -- until worsened_at
  explained_by        smallint,              -- the kind that caused a silence, found later
  notified_kind       smallint,              -- known to the employee before the newest notification
  notification_count  smallint    NOT NULL DEFAULT 0,
  origin              smallint    NOT NULL,  -- 0 at clock-in, 1 mid-shift
  evidence            smallint    NOT NULL,  -- 0 reported, 1 inferred
  close_reason        smallint,              -- 0 restored, 1 flicker, 2 shift ended,
                                             -- 3 device changed, 4 break started
  notified_before     boolean     NOT NULL DEFAULT false,  -- an earlier notification was due when
                                                           -- the newest was queued
  CONSTRAINT incident_pk PRIMARY KEY (employee_id, incident_no),
  CONSTRAINT incident_shift FOREIGN KEY (employee_id, shift_no)
    REFERENCES shift (employee_id, shift_no),
  CONSTRAINT incident_close_reason_with_end
    CHECK ((closed_at IS NULL) = (close_reason IS NULL)),
  CONSTRAINT incident_ends_after_start CHECK (closed_at >= opened_at)
);
SELECT distribute_by_employee('incident');
CREATE UNIQUE INDEX incident_one_open
  ON incident (employee_id, device_no, dimension) WHERE closed_at IS NULL;
CREATE INDEX incident_by_shift ON incident (employee_id, shift_no);
-- Managers page through incidents by time.
CREATE INDEX incident_by_opening ON incident (opened_at);

-- Each opening or worsening of an incident by a report, written in the same transaction. The
-- instance that served the request adds the duration; without it the detection counts as missed.
CREATE TABLE detection (
  received_at timestamptz NOT NULL,  -- of the request with the evidence
  report_id   bigint      NOT NULL,
  employee_id int         NOT NULL,
  incident_no int         NOT NULL,
  elapsed_ms  int,                   -- last byte read to COMMIT returned; NULL: not measured
  kind        smallint    NOT NULL,  -- of the incident
  worsened    boolean     NOT NULL,  -- the incident was already open
  CONSTRAINT detection_pk PRIMARY KEY (employee_id, report_id, incident_no),
  CONSTRAINT detection_elapsed_positive CHECK (elapsed_ms >= 0)
);
SELECT distribute_by_employee('detection');
CREATE INDEX detection_by_time ON detection (received_at);

-- A report after which a tracking device can be located again.
CREATE TABLE restoration (
  lost_at     timestamptz NOT NULL,  -- when the first impairment began
  restored_at timestamptz NOT NULL,  -- effective time of the report
  received_at timestamptz NOT NULL,
  report_id   bigint      NOT NULL,
  skew_ms     bigint,                -- of the phone's clock; NULL: unknown
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  device_no   smallint    NOT NULL,
  CONSTRAINT restoration_pk PRIMARY KEY (employee_id, report_id)
);
SELECT distribute_by_employee('restoration');
CREATE INDEX restoration_by_time ON restoration (received_at);

-- Why: clock actions with their answers and reviews, overrides, and acknowledged warnings.
-- Locks: none, the tables are new. Size: a clock action some 200 bytes; a row per override, and per
--   device with acknowledged warnings.

-- A clock action, its answer, which a repeat gets again, and its review. A phone decides a clock-in
-- by the same rules before the network answers; what it decided is stored, so that a manager who
-- reviews an offline clock-in sees what the employee saw. Outcomes:
--   clock-in: 0 clocked in, 1 already open, 2 open elsewhere, 3 blocked, 4 overlaps, 19 kept
--   clock-out: 5 clocked out, 6 no open shift, 7 ends before start, 18 out of order, 20 kept
--   break start: 8 on break, 9 without shift, 10 out of order, 21 kept
--   break end: 11 back at work, 12 without shift, 13 not on break, 14 out of order, 22 kept
--   take-over: 15 tracking, 16 without shift, 17 out of order, 23 kept
--   decline of a shift opened by a manager or a plan: 24 declined, 25 none waits
CREATE TABLE clock_action (
  employee_id          int         NOT NULL,
  shift_no             int,                   -- the shift begun, ended or in conflict
  at                   timestamptz NOT NULL,  -- its time, by the server's clock
  received_at          timestamptz NOT NULL,
  reviewed_at          timestamptz,           -- NULL: not reviewed
  review_end           timestamptz,           -- of the shift opened, from the manager
  report_id            bigint,                -- the report it was decided on
  policy_version       int         NOT NULL,
  action_no            int,                   -- within the employee, from 1
  blocking             int         NOT NULL,  -- the decision: one bit per finding, by its number
  warning              int         NOT NULL,
  informing            int         NOT NULL,
  review_shift         int,                   -- the shift that the review opened or corrected
  device_no            smallint    NOT NULL,
  outcome              smallint    NOT NULL,
  kept_reason          smallint,              -- why it was kept for review: 0 blocked, 1 overlaps,
                                              -- 2 too old, 3 out of order, 4 no open shift
  review_outcome       smallint,              -- 0 accepted, 1 dismissed
  needs_review         boolean     NOT NULL,  -- it was kept for review
  body_hash            bytea       NOT NULL,  -- SHA-256 of the body without `sentAt`
  action_id            text        NOT NULL,  -- chosen by the phone
  reviewed_by          text,
  review_reason        text,
  local_blocking       int,                   -- the phone's decision, as above; NULL: it sent none
  local_warning        int,
  local_informing      int,
  local_policy_version int,                   -- the version of the policy that the phone knew
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
  CONSTRAINT clock_action_review_reason_length CHECK (length(review_reason) <= 500),
  CONSTRAINT clock_action_local_decision_whole CHECK (
    num_nulls(local_blocking, local_warning, local_informing, local_policy_version) IN (0, 4))
);
SELECT distribute_by_employee('clock_action');
CREATE INDEX clock_action_by_time ON clock_action (employee_id, received_at);
CREATE INDEX clock_action_by_number ON clock_action (employee_id, action_no)
  WHERE action_no IS NOT NULL;
-- The report of a clock action that waits for review is kept.
CREATE INDEX clock_action_waiting_report ON clock_action (employee_id, report_id)
  WHERE reviewed_at IS NULL AND action_no IS NOT NULL;
-- What waits for a manager's decision is found without reading all clock actions. A blocked
-- clock-in waits for at most two days, so the query names its time.
CREATE INDEX clock_action_blocked ON clock_action (received_at)
  WHERE outcome = 3 AND reviewed_at IS NULL;
CREATE INDEX clock_action_to_review ON clock_action (received_at)
  WHERE needs_review AND reviewed_at IS NULL;

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
-- Those that the next clock-in may use.
CREATE INDEX guard_override_unused ON guard_override (expires_at)
  WHERE used_shift IS NULL AND withdrawn_at IS NULL;

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

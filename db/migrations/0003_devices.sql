-- Why: the enrolled devices of employees, their last contact, enrolment codes, and what apps report
--   about their own screens.
-- Locks: none, the tables are new. Size: a row per device and code; some 120 bytes per event of an
--   app, at most 1,000 per device and day, kept for a month.

-- An enrolled phone or browser. Its description follows its newest report. With an app from a store
-- that reports its permission only when it is asked, an arrival in a region of shifts waits for
-- that answer, at most a minute: its time is stored until then, the place never.
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
  app_name         text,                  -- as the settings show it, for steps; NULL: unknown
  phone_app        smallint,              -- 0 OwnTracks, 1 Overland, 2 Traccar Client,
                                          -- 3 Transistorsoft; NULL: an app of ours
  app_interval_ms  int,                   -- as the app was set up; NULL: the team's
  arrived_at       timestamptz,           -- the phone's time of an arrival; NULL: nothing waits
  CONSTRAINT device_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT device_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT device_platform_known CHECK (platform BETWEEN 0 AND 3),
  CONSTRAINT device_token_hash_length CHECK (length(token_hash) = 32),
  CONSTRAINT device_os_version_length CHECK (length(os_version) <= 50),
  CONSTRAINT device_model_length CHECK (length(model) <= 100),
  CONSTRAINT device_language_code CHECK (language ~ '^[a-z]{2}$'),
  CONSTRAINT device_app_length CHECK (length(app) <= 100),
  CONSTRAINT device_app_name_length CHECK (length(app_name) BETWEEN 1 AND 30)
);
SELECT distribute_by_employee('device');
-- For the worker that decides arrivals.
CREATE INDEX device_by_arrival ON device (arrived_at) WHERE arrived_at IS NOT NULL;

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

-- A code is exchanged for a device's token once, and once more within ten minutes, because a page
-- that is installed to the Home Screen does not see what the browser has stored; the device that
-- used it first is revoked then. A code contains its employee, so one shard is enough.
CREATE TABLE enrolment_code (
  expires_at         timestamptz NOT NULL,
  employee_id        int         NOT NULL,
  device_no          smallint,              -- the device that used it; NULL: unused
  code_hash          bytea       NOT NULL,  -- SHA-256 of the code's secret
  replaced_device_no smallint,              -- the device that used it first, if another did again
  CONSTRAINT enrolment_code_pk PRIMARY KEY (employee_id, code_hash),
  CONSTRAINT enrolment_code_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id),
  CONSTRAINT enrolment_code_hash_length CHECK (length(code_hash) = 32)
);
SELECT distribute_by_employee('enrolment_code');

-- What an app showed and what the employee did, so that the service can measure how well it guides:
-- whether the indicator came in time, whether guidance led to a grant, and whether a refused
-- clock-in was shown.
CREATE TABLE app_event (
  recorded_at  timestamptz NOT NULL,  -- by the phone's clock
  effective_at timestamptz NOT NULL,
  received_at  timestamptz NOT NULL,
  employee_id  int         NOT NULL,
  after_ms     int,                   -- of kind 1: from the opening of the app
  device_no    smallint    NOT NULL,
  kind         smallint    NOT NULL,  -- 0 permission insufficient, 1 indicator shown, 2 explanation
                                      -- shown, 3 dialog answered, 4 settings opened, 5 restored,
                                      -- 6 answer shown
  permission   smallint,              -- of kinds 3 and 5: the authorization from then on
  app_session  text        NOT NULL,  -- chosen by the app, new at every start
  action_id    text,                  -- of kind 6: the clock action
  CONSTRAINT app_event_pk PRIMARY KEY (employee_id, device_no, app_session, kind, recorded_at),
  CONSTRAINT app_event_session_length CHECK (length(app_session) BETWEEN 1 AND 64),
  CONSTRAINT app_event_action_length CHECK (length(action_id) BETWEEN 1 AND 64),
  CONSTRAINT app_event_after_positive CHECK (after_ms >= 0)
);
SELECT distribute_by_employee('app_event');
CREATE INDEX app_event_by_time ON app_event (effective_at);
CREATE INDEX app_event_by_receipt ON app_event (employee_id, device_no, received_at);

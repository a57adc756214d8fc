-- Why: apps tell what they showed and what the employee did, so that the service can measure how well
--   it guides: whether the indicator came in time, whether guidance led to a grant, and whether a
--   refused clock-in was shown.
-- Locks: none, the table is new. Size: some 120 bytes per event, at most 1,000 per device and day,
--   kept for a month.
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

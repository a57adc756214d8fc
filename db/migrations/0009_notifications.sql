-- Why: notifications: the outbox, delivery attempts and history, the inbox of the open app, the
--   push targets of devices, and the contacts and digests of teams.
-- Locks: none, the tables are new. Size: a row per notification and delivery attempt, dropped week
--   by week; a row per device and contact; some 300 bytes for each team and week with a digest, for
--   five weeks.

-- The outbox. A notification is written in the transaction of the fact it reports, under a key
-- derived from that fact, so it can be neither lost nor duplicated. It escalates: open app, push,
-- e-mail, managers. The worker that processes it holds a lease, and workers look for employees by
-- `due_at` alone. Topics, and the number that is the subject:
--   of an incident: 0 incident, 1 unstable, 9 restored
--   of a shift: 2 clock-out reminder, 3 ended at the limit, 4 long break, 7 corrected,
--     8 opened (the ordinal says how), 14 recorded times accepted
--   of a clock action: 5 clock-in blocked, 6 for review, 15 clock-in by an arrival blocked (the
--     ordinal is the device)
--   of a test: 10 test
--   the start of a planned shift: 11 late, 12 no-show
--   a week, as days from 1970-01-01 to its Monday: 13 weekly digest (the ordinal is the
--     contact)
CREATE TABLE notification (
  employee_id  int         NOT NULL,
  subject      int         NOT NULL,
  queued_at    timestamptz NOT NULL DEFAULT now(),
  due_at       timestamptz NOT NULL,  -- when it is processed next; leased: the lease's end
  first_due_at timestamptz,           -- the escalation counts from it; NULL: not processed yet
  managers_at  timestamptz,           -- the earliest time for the managers
  lease        int         NOT NULL DEFAULT 0,  -- grows with every claim; in the WHERE of a finish
  topic        smallint    NOT NULL,
  ordinal      smallint    NOT NULL,  -- its place among the subject's notifications, from 1,
                                      -- unless the topic says otherwise
  kind         smallint,              -- the kind of incident when it was queued; NULL: none
  attempts     smallint    NOT NULL DEFAULT 0,
  failures     smallint    NOT NULL DEFAULT 0,      -- how often processing failed
  urgent       boolean     NOT NULL,
  leased       boolean     NOT NULL DEFAULT false,  -- to a worker, until `due_at`
  retried_at   timestamptz,           -- when an operator had it tried at once, whatever failed
                                      -- before; NULL: never
  CONSTRAINT notification_pk PRIMARY KEY (employee_id, topic, subject, ordinal),
  CONSTRAINT notification_employee FOREIGN KEY (employee_id) REFERENCES employee (employee_id)
) WITH (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000
);
SELECT distribute_by_employee('notification');
CREATE INDEX notification_by_due ON notification (due_at);

-- A delivery attempt to one address: written before the request, and completed after it. The health
-- of a channel is read from its newest attempts. They store the channel themselves, because the
-- push target or contact may be gone by then, often because of that very attempt.
CREATE TABLE delivery_attempt (
  started_at  timestamptz NOT NULL,  -- the database's clock, like all times here
  ended_at    timestamptz,           -- NULL: unknown outcome
  retry_at    timestamptz,           -- the earliest next attempt
  employee_id int         NOT NULL,
  subject     int         NOT NULL,
  topic       smallint    NOT NULL,
  ordinal     smallint    NOT NULL,
  attempt_no  smallint    NOT NULL,  -- within the notification, from 1; 0: part of a digest
  step        smallint    NOT NULL,  -- 0 open app, 1 push, 2 e-mail, 3 managers
  recipient   smallint    NOT NULL,  -- device or contact; 0 the employee
  kind        smallint,              -- the kind of incident, as written in it
  outcome     smallint,              -- 0 accepted, 1 retry, 2 unknown, 3 address gone, 4 refused,
                                     -- 5 misconfigured, 6 in a digest
  reason      text,                  -- why it failed; contains no address and no token
  reference   text,                  -- the provider's id for it; in a digest: the digest's key
  channel     smallint,              -- 0 APNs, 1 FCM, 2 Web Push, 3 e-mail, 4 webhook; NULL: in the
                                     -- open app, or part of a digest
  CONSTRAINT delivery_attempt_pk
    PRIMARY KEY (employee_id, topic, subject, ordinal, attempt_no, started_at),
  CONSTRAINT delivery_attempt_reason_length CHECK (length(reason) <= 500),
  CONSTRAINT delivery_attempt_reference_length CHECK (length(reference) <= 200)
) PARTITION BY RANGE (started_at);
SELECT distribute_by_employee('delivery_attempt');
CREATE TABLE delivery_attempt_other PARTITION OF delivery_attempt DEFAULT;
CREATE INDEX delivery_attempt_by_channel ON delivery_attempt (channel, started_at);

-- Notifications that left the outbox, and why.
CREATE TABLE notification_history (
  finished_at timestamptz NOT NULL,
  queued_at   timestamptz NOT NULL,
  due_at      timestamptz NOT NULL,  -- when it was first due
  employee_id int         NOT NULL,
  subject     int         NOT NULL,
  topic       smallint    NOT NULL,
  ordinal     smallint    NOT NULL,
  kind        smallint,
  attempts    smallint    NOT NULL,
  outcome     smallint    NOT NULL,  -- 0 delivered, 1 restored, 2 shift ended, 3 superseded,
                                     -- 4 resolved, 5 not needed, 6 expired, 7 unreachable, 8 failed
  urgent      boolean     NOT NULL,
  reason      text,                  -- of a dead letter
  CONSTRAINT notification_history_pk
    PRIMARY KEY (employee_id, topic, subject, ordinal, finished_at),
  CONSTRAINT notification_history_reason_length CHECK (length(reason) <= 500)
) PARTITION BY RANGE (finished_at);
SELECT distribute_by_employee('notification_history');
CREATE TABLE notification_history_other PARTITION OF notification_history DEFAULT;
-- Dead letters are few and searched across all employees: 7 unreachable, 8 failed.
CREATE INDEX notification_history_dead ON notification_history (finished_at)
  WHERE outcome IN (7, 8);

-- Creates the partitions of delivery attempts and history of `weeks` weeks from the one that holds
-- `first`; a week whose rows are already in a default partition is left there. Returns how many
-- were created. Waits for the default partitions for at most a fifth of a second.
CREATE FUNCTION create_notification_weeks(first timestamptz, weeks int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  monday date := date_trunc('week', first AT TIME ZONE 'UTC')::date;
  parent text;
  clock text;
  has_rows boolean;
  created int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('notification weeks'));
  PERFORM set_config('lock_timeout', '200ms', true);
  FOR week IN 1 .. weeks LOOP
    FOR parent, clock IN VALUES
      ('delivery_attempt', 'started_at'), ('notification_history', 'finished_at')
    LOOP
      CONTINUE WHEN to_regclass(parent || '_' || to_char(monday, 'IYYY"w"IW')) IS NOT NULL;
      EXECUTE format(
        'SELECT EXISTS (SELECT 1 FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L)',
        parent || '_other', clock,
        monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00') INTO has_rows;
      CONTINUE WHEN has_rows;
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || '_' || to_char(monday, 'IYYY"w"IW'), parent,
        monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00');
      created := created + 1;
    END LOOP;
    monday := monday + 7;
  END LOOP;
  RETURN created;
END $$;
REVOKE ALL ON FUNCTION create_notification_weeks(timestamptz, int) FROM PUBLIC;

-- Drops one week of delivery attempts or history that is wholly before `cutoff`, and returns its
-- name; NULL: there is none. Waits for its readers and writers for at most a fifth of a second.
CREATE FUNCTION drop_notification_week(cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  week text;
BEGIN
  PERFORM set_config('lock_timeout', '200ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('notification weeks'));
  SELECT relname INTO week FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent IN ('delivery_attempt'::regclass, 'notification_history'::regclass)
    AND relname ~ '_[0-9]{4}w[0-9]{2}$'
    AND to_date(right(relname, 7), 'IYYY"w"IW') + 7 <= (cutoff AT TIME ZONE 'UTC')::date
  ORDER BY relname LIMIT 1;
  IF week IS NOT NULL THEN EXECUTE format('DROP TABLE %I', week); END IF;
  RETURN week;
END $$;
REVOKE ALL ON FUNCTION drop_notification_week(timestamptz) FROM PUBLIC;

-- Notifications for the open app.
CREATE TABLE inbox (
  created_at      timestamptz NOT NULL,
  written_at      timestamptz,           -- NULL: no app has received it yet
  employee_id     int         NOT NULL,
  notification_no int         NOT NULL,  -- within the employee, from 1
  subject         int         NOT NULL,
  delivery_ms     int,                   -- from the evidence's last byte read to the first app;
                                         -- NULL: another instance read the evidence
  topic           smallint    NOT NULL,
  ordinal         smallint    NOT NULL,
  kind            smallint,
  urgent          boolean     NOT NULL,
  CONSTRAINT inbox_pk PRIMARY KEY (employee_id, notification_no),
  CONSTRAINT inbox_notification_once UNIQUE (employee_id, topic, subject, ordinal)
);
SELECT distribute_by_employee('inbox');

-- Devices with an open app.
CREATE TABLE live_stream (
  open_until  timestamptz NOT NULL,  -- a lease: an instance that crashes closes nothing
  instance_id bigint      NOT NULL,  -- identifies the instance and the stream
  employee_id int         NOT NULL,
  device_no   smallint    NOT NULL,
  app_session text,                  -- NULL: the app sends none
  CONSTRAINT live_stream_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT live_stream_app_session_length CHECK (length(app_session) BETWEEN 1 AND 64)
) WITH (fillfactor = 60);
SELECT distribute_by_employee('live_stream');

-- A device's push target.
CREATE TABLE push_target (
  registered_at timestamptz NOT NULL,
  employee_id   int         NOT NULL,
  device_no     smallint    NOT NULL,
  channel       smallint    NOT NULL,  -- 0 APNs, 1 FCM, 2 Web Push
  sandbox       boolean     NOT NULL,  -- APNs: a development build
  address       text        NOT NULL,  -- token, or the browser's endpoint
  public_key    bytea,                 -- Web Push: the browser's key, uncompressed P-256
  secret        bytea,                 -- Web Push: its authentication secret
  CONSTRAINT push_target_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT push_target_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT push_target_channel_not_negative CHECK (channel >= 0),
  CONSTRAINT push_target_keys_with_browser
    CHECK ((channel = 2) = (public_key IS NOT NULL) AND (channel = 2) = (secret IS NOT NULL)),
  CONSTRAINT push_target_address_length CHECK (length(address) BETWEEN 1 AND 2048),
  CONSTRAINT push_target_public_key_length CHECK (length(public_key) = 65),
  CONSTRAINT push_target_secret_length CHECK (length(secret) = 16)
);
SELECT distribute_by_employee('push_target');

-- The contacts of a team: whatever reaches its managers, by any channel. The number of a removed
-- contact is not given to another one, because delivery attempts still name it.
CREATE TABLE team_contact (
  team_id         int      NOT NULL,
  contact_no      smallint NOT NULL,  -- within the team, from 1
  address         text     NOT NULL,
  language        text     NOT NULL DEFAULT 'en',
  channel         smallint NOT NULL,  -- 3 e-mail, 4 webhook
  secret          bytea,              -- NULL: the channel has none
  previous_secret bytea,              -- also signs, until the receiver knows the new one
  weekly_digest   boolean  NOT NULL DEFAULT false,  -- by e-mail: the team's week, every Monday
  CONSTRAINT team_contact_pk PRIMARY KEY (team_id, contact_no),
  CONSTRAINT team_contact_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT team_contact_once UNIQUE (team_id, channel, address),
  CONSTRAINT team_contact_number CHECK (contact_no > 0),
  CONSTRAINT team_contact_channel_not_negative CHECK (channel >= 0),
  CONSTRAINT team_contact_address_length CHECK (length(address) BETWEEN 1 AND 2048),
  CONSTRAINT team_contact_language_length CHECK (length(language) BETWEEN 2 AND 35),
  CONSTRAINT team_contact_secret_length CHECK (
    length(secret) BETWEEN 24 AND 64 AND length(previous_secret) BETWEEN 24 AND 64)
);
SELECT replicate_everywhere('team_contact');

-- When a team's managers were last notified, for each sort of notification: one is sent at once,
-- and one more for everything that happens within the following minute.
CREATE TABLE team_notification (
  sent_at timestamptz NOT NULL,
  team_id int         NOT NULL,
  about   int         NOT NULL,  -- the first employee it was about
  subject smallint    NOT NULL,  -- 0 incidents, 1 clock actions, 2 ends of incidents, 3 tests,
                                 -- 4 late employees, 5 no-shows
  CONSTRAINT team_notification_pk PRIMARY KEY (team_id, subject),
  CONSTRAINT team_notification_team FOREIGN KEY (team_id) REFERENCES team (team_id)
) WITH (fillfactor = 50);

-- Of several instances one queues the weekly digest of a team: the one that inserts its row. The
-- figures are stored, so that every contact gets the same ones, also when an e-mail is retried.
CREATE TABLE team_digest (
  team_id      int      NOT NULL,
  week         int      NOT NULL,  -- days from 1970-01-01 to its Monday
  shifts       int      NOT NULL,  -- that began in it; 0: there is no digest
  open_reviews int      NOT NULL,
  totals       bigint[] NOT NULL,  -- milliseconds by the number of the reason
  CONSTRAINT team_digest_pk PRIMARY KEY (team_id, week),
  CONSTRAINT team_digest_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT team_digest_counts CHECK (shifts >= 0 AND open_reviews >= 0)
);
SELECT replicate_everywhere('team_digest');

-- Why: notifications are delivered. A notification escalates (open app, push, e-mail, managers);
--   the worker that processes it holds a lease, stores each attempt before it is made, and moves
--   the notification to history when nobody is left to notify. In addition: the addresses of
--   employees and contacts, and a team's escalation delays.
-- Locks: ACCESS EXCLUSIVE on `policy_version`, `employee` and `notification`, milliseconds
--   (nullable or constant, nothing is rewritten; one small index is built). A program of the
--   previous schema keeps working. Size: a row per attempt and notification, dropped week by week.
ALTER TABLE policy_version
  ADD COLUMN email_after_ms int NOT NULL DEFAULT 300000,
  ADD COLUMN managers_after_ms int NOT NULL DEFAULT 600000,
  ADD COLUMN message_cooldown_ms int NOT NULL DEFAULT 600000,
  ADD CONSTRAINT policy_version_email_after_range CHECK (email_after_ms BETWEEN 0 AND 86400000),
  ADD CONSTRAINT policy_version_managers_after_range
    CHECK (managers_after_ms BETWEEN 0 AND 86400000),
  ADD CONSTRAINT policy_version_message_cooldown_range
    CHECK (message_cooldown_ms BETWEEN 0 AND 86400000);

ALTER TABLE employee
  ADD COLUMN email text,
  ADD CONSTRAINT employee_email_length CHECK (length(email) BETWEEN 3 AND 254);

-- `due_at` is when it is processed next: the lease's end while a worker processes it. Its first
-- value, from which the escalation counts, is kept. Workers look for employees by time alone.
ALTER TABLE notification
  ADD COLUMN first_due_at timestamptz,           -- NULL: not processed yet
  ADD COLUMN managers_at timestamptz,            -- from when on it may go to the managers
  ADD COLUMN failures smallint NOT NULL DEFAULT 0,  -- how often processing failed
  ADD COLUMN held boolean NOT NULL DEFAULT false;   -- leased to a worker, until `due_at`
DROP INDEX notification_due;
CREATE INDEX notification_by_due ON notification (due_at);

-- A delivery attempt to one address: written before the request, and completed after it.
CREATE TABLE notification_attempt (
  begun_at    timestamptz NOT NULL,              -- the database's clock, like all times here
  ended_at    timestamptz,                       -- NULL: unknown outcome
  retry_at    timestamptz,                       -- the earliest next attempt
  employee_id int         NOT NULL,
  subject     int         NOT NULL,
  topic       smallint    NOT NULL,
  ordinal     smallint    NOT NULL,
  attempt_no  smallint    NOT NULL,              -- within the notification, from 1; 0: part of another
  rung        smallint    NOT NULL,              -- 0 open app, 1 push, 2 e-mail, 3 managers
  recipient   smallint    NOT NULL,              -- device, contact or webhook; 0 the employee
  kind        smallint,                          -- what impaired tracking, as written in it
  outcome     smallint,
  reason      text,                              -- why it failed; contains no address and no token
  reference   text,                              -- the provider's id for it
  CONSTRAINT notification_attempt_pk
    PRIMARY KEY (employee_id, topic, subject, ordinal, attempt_no, begun_at),
  CONSTRAINT notification_attempt_reason_length CHECK (length(reason) <= 500),
  CONSTRAINT notification_attempt_reference_length CHECK (length(reference) <= 200)
) PARTITION BY RANGE (begun_at);
SELECT distribute_by_employee('notification_attempt');
CREATE TABLE notification_attempt_other PARTITION OF notification_attempt DEFAULT;

-- Notifications that left the outbox, and why.
CREATE TABLE notification_history (
  finished_at timestamptz NOT NULL,
  queued_at   timestamptz NOT NULL,
  due_at      timestamptz NOT NULL,
  employee_id int         NOT NULL,
  subject     int         NOT NULL,
  topic       smallint    NOT NULL,
  ordinal     smallint    NOT NULL,
  kind        smallint,
  attempts    smallint    NOT NULL,
  ending      smallint    NOT NULL,
  urgent      boolean     NOT NULL,
  reason      text,                              -- of a dead letter
  CONSTRAINT notification_history_pk
    PRIMARY KEY (employee_id, topic, subject, ordinal, finished_at),
  CONSTRAINT notification_history_reason_length CHECK (length(reason) <= 500)
) PARTITION BY RANGE (finished_at);
SELECT distribute_by_employee('notification_history');
CREATE TABLE notification_history_other PARTITION OF notification_history DEFAULT;
-- Dead letters are few and searched across all employees: 7 unreachable, 8 failed.
CREATE INDEX notification_history_dead ON notification_history (finished_at) WHERE ending IN (7, 8);

-- Messages for the open app, and the devices with an open app.
CREATE TABLE inbox (
  created_at  timestamptz NOT NULL,
  written_at  timestamptz,                       -- NULL: no app has received it yet
  employee_id int         NOT NULL,
  message_no  int         NOT NULL,              -- within the employee, from 1
  subject     int         NOT NULL,
  topic       smallint    NOT NULL,
  ordinal     smallint    NOT NULL,
  kind        smallint,
  urgent      boolean     NOT NULL,
  CONSTRAINT inbox_pk PRIMARY KEY (employee_id, message_no),
  CONSTRAINT inbox_notice_once UNIQUE (employee_id, topic, subject, ordinal)
);
SELECT distribute_by_employee('inbox');
CREATE TABLE live_stream (
  open_until  timestamptz NOT NULL,              -- a lease: an instance that crashes closes nothing
  instance_id bigint      NOT NULL,
  employee_id int         NOT NULL,
  device_no   smallint    NOT NULL,
  CONSTRAINT live_stream_pk PRIMARY KEY (employee_id, device_no)
) WITH (fillfactor = 60);
SELECT distribute_by_employee('live_stream');

-- A device's push target.
CREATE TABLE push_target (
  registered_at timestamptz NOT NULL,
  employee_id   int         NOT NULL,
  device_no     smallint    NOT NULL,
  channel       smallint    NOT NULL,            -- 0 APNs, 1 FCM, 2 Web Push
  sandbox       boolean     NOT NULL,            -- APNs: a development build
  address       text        NOT NULL,            -- token, or the browser's endpoint
  public_key    bytea,                           -- Web Push: the browser's key, uncompressed P-256
  secret        bytea,                           -- Web Push: its authentication secret
  CONSTRAINT push_target_pk PRIMARY KEY (employee_id, device_no),
  CONSTRAINT push_target_device FOREIGN KEY (employee_id, device_no)
    REFERENCES device (employee_id, device_no),
  CONSTRAINT push_target_channel_known CHECK (channel BETWEEN 0 AND 2),
  CONSTRAINT push_target_keys_with_browser
    CHECK ((channel = 2) = (public_key IS NOT NULL) AND (channel = 2) = (secret IS NOT NULL)),
  CONSTRAINT push_target_address_length CHECK (length(address) BETWEEN 1 AND 2048),
  CONSTRAINT push_target_public_key_length CHECK (length(public_key) = 65),
  CONSTRAINT push_target_secret_length CHECK (length(secret) = 16)
);
SELECT distribute_by_employee('push_target');

-- The contacts of a team: managers by e-mail, programs by webhook.
CREATE TABLE team_contact (
  team_id    int      NOT NULL REFERENCES team (team_id),
  contact_no smallint NOT NULL,
  email      text     NOT NULL,
  CONSTRAINT team_contact_pk PRIMARY KEY (team_id, contact_no),
  CONSTRAINT team_contact_once UNIQUE (team_id, email),
  CONSTRAINT team_contact_number CHECK (contact_no BETWEEN 1 AND 999),
  CONSTRAINT team_contact_email_length CHECK (length(email) BETWEEN 3 AND 254)
);
SELECT replicate_everywhere('team_contact');
CREATE TABLE webhook (
  team_id       int      NOT NULL REFERENCES team (team_id),
  webhook_no    smallint NOT NULL,
  url           text     NOT NULL,
  secret        bytea    NOT NULL,
  former_secret bytea,                           -- also signs, until the receiver knows the new one
  CONSTRAINT webhook_pk PRIMARY KEY (team_id, webhook_no),
  CONSTRAINT webhook_once UNIQUE (team_id, url),
  CONSTRAINT webhook_number CHECK (webhook_no BETWEEN 1001 AND 1999),
  CONSTRAINT webhook_url_length CHECK (length(url) BETWEEN 1 AND 2048),
  CONSTRAINT webhook_secret_length
    CHECK (length(secret) BETWEEN 24 AND 64 AND length(former_secret) BETWEEN 24 AND 64)
);
SELECT replicate_everywhere('webhook');

-- When a team's managers were last notified: one notification per interval, for everything that
-- happens meanwhile.
CREATE TABLE team_telling (
  told_at timestamptz NOT NULL,
  team_id int         NOT NULL REFERENCES team (team_id),
  CONSTRAINT team_telling_pk PRIMARY KEY (team_id)
) WITH (fillfactor = 50);
SELECT replicate_everywhere('team_telling');

-- Creates the partitions of attempts and history of `weeks` weeks from the one that holds `first`;
-- a week whose rows are already in a default partition is left there. Returns how many were
-- created.
CREATE FUNCTION make_message_weeks(first timestamptz, weeks int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  monday date := date_trunc('week', first AT TIME ZONE 'UTC')::date;
  parent text;
  clock text;
  has_rows boolean;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_message_weeks'));
  FOR week IN 1 .. weeks LOOP
    FOR parent, clock IN VALUES
      ('notification_attempt', 'begun_at'), ('notification_history', 'finished_at')
    LOOP
      EXECUTE format(
        'SELECT EXISTS (SELECT FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L)',
        parent || '_other', clock,
        monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00') INTO has_rows;
      IF to_regclass(format('%s_%s', parent, to_char(monday, 'IYYY"w"IW'))) IS NULL
        AND NOT has_rows
      THEN
        EXECUTE format(
          'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
          parent || '_' || to_char(monday, 'IYYY"w"IW'), parent,
          monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00');
        made := made + 1;
      END IF;
    END LOOP;
    monday := monday + 7;
  END LOOP;
  RETURN made;
END $$;

-- Drops one week of attempts or history that is wholly before `cutoff`, and returns its name; NULL:
-- there is none. Waits for its readers and writers for at most a fifth of a second.
CREATE FUNCTION drop_message_week(cutoff timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  week text;
BEGIN
  PERFORM set_config('lock_timeout', '200ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('make_message_weeks'));
  SELECT relname INTO week FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent IN ('notification_attempt'::regclass, 'notification_history'::regclass)
    AND relname ~ '_[0-9]{4}w[0-9]{2}$'
    AND to_date(right(relname, 7), 'IYYY"w"IW') + 7 <= (cutoff AT TIME ZONE 'UTC')::date
  ORDER BY relname LIMIT 1;
  IF week IS NOT NULL THEN EXECUTE format('DROP TABLE %I', week); END IF;
  RETURN week;
END $$;

-- Why: notifications are true and reach somebody. Managers have a language; a notification to them
--   is sent at once and combines what follows within a minute, by sort; an app may send its
--   session; an incident remembers an earlier notification; flickers notify once per cooldown, so
--   the time is stored instead of a flag; the time to restore a location is measured from its loss
--   in any dimension.
-- Locks: ACCESS EXCLUSIVE on `team_contact`, `live_stream`, `guard_state` and `incident`,
--   milliseconds (constant defaults, nothing is rewritten; the checks read the few contacts and
--   streams). `team_telling` is dropped: it had one row per team. Size: 80 bytes per restoration.
ALTER TABLE team_contact ADD COLUMN language text NOT NULL DEFAULT 'en';
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_language_known CHECK (language IN ('en', 'fr', 'pl', 'de'));

ALTER TABLE live_stream ADD COLUMN app_session text;  -- NULL: the app sends none
ALTER TABLE live_stream
  ADD CONSTRAINT live_stream_app_session_length CHECK (length(app_session) BETWEEN 1 AND 64);

ALTER TABLE guard_state
  ADD COLUMN flicker_told_at timestamptz,         -- in the open shift
  ADD COLUMN unlocatable_since timestamptz,       -- NULL: it can be located, or there was a break since
  DROP COLUMN flicker_told;

ALTER TABLE incident ADD COLUMN told_before boolean NOT NULL DEFAULT false;

-- When a team's managers were last notified, for each sort of notification.
CREATE TABLE team_message (
  sent_at timestamptz NOT NULL,
  team_id int         NOT NULL REFERENCES team (team_id),
  about   int         NOT NULL,                   -- the first employee it was about
  subject smallint    NOT NULL,                   -- 0 interruptions, 1 attempts, 2 ends, 3 tests
  CONSTRAINT team_message_pk PRIMARY KEY (team_id, subject)
) WITH (fillfactor = 50);
SELECT replicate_everywhere('team_message');
DROP TABLE team_telling;

-- A tracking device that can be located again, by this report.
CREATE TABLE restoration (
  lost_at     timestamptz NOT NULL,               -- in the first dimension of this time
  restored_at timestamptz NOT NULL,               -- effective time of the report
  received_at timestamptz NOT NULL,
  report_id   bigint      NOT NULL,
  skew_ms     bigint,                             -- of the phone's clock; NULL: unknown
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  device_no   smallint    NOT NULL,
  CONSTRAINT restoration_pk PRIMARY KEY (employee_id, report_id)
);
SELECT distribute_by_employee('restoration');
CREATE INDEX restoration_by_time ON restoration (received_at);

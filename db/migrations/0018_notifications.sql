-- Why: notifications say what is true and reach somebody. Managers have a language; a message to them
--   goes at once and gathers what follows within a minute, by what it is about; an app may name its
--   session; an incident remembers that it was told of before its newest message; flickers are told
--   once in the cooldown, so when is kept instead of whether; how long it took to restore a location
--   is measured from the moment it was lost in any dimension.
-- Locks: ACCESS EXCLUSIVE on `team_contact`, `live_stream`, `guard_state` and `incident`,
--   milliseconds (constant defaults, nothing is rewritten; the checks read the few contacts and
--   streams). `team_telling` goes: it held one row a team. Size: 80 bytes a restoration.
ALTER TABLE team_contact ADD COLUMN language text NOT NULL DEFAULT 'en';
ALTER TABLE team_contact
  ADD CONSTRAINT team_contact_language_known CHECK (language IN ('en', 'fr', 'pl', 'de'));

ALTER TABLE live_stream ADD COLUMN app_session text;  -- NULL: the app names none
ALTER TABLE live_stream
  ADD CONSTRAINT live_stream_app_session_length CHECK (length(app_session) BETWEEN 1 AND 64);

ALTER TABLE guard_state
  ADD COLUMN flicker_told_at timestamptz,         -- in the open shift
  ADD COLUMN unlocatable_since timestamptz,       -- NULL: it can be located, or a break came between
  DROP COLUMN flicker_told;

ALTER TABLE incident ADD COLUMN told_before boolean NOT NULL DEFAULT false;

-- When a team's managers were written to last, for each sort of message.
CREATE TABLE team_message (
  sent_at timestamptz NOT NULL,
  team_id int         NOT NULL REFERENCES team (team_id),
  about   int         NOT NULL,                   -- the employee that it was about first
  subject smallint    NOT NULL,                   -- 0 interruptions, 1 attempts, 2 ends, 3 tests
  CONSTRAINT team_message_pk PRIMARY KEY (team_id, subject)
) WITH (fillfactor = 50);
SELECT replicate_everywhere('team_message');
DROP TABLE team_telling;

-- A tracking device that could not be located and can be again, by this report.
CREATE TABLE restoration (
  lost_at     timestamptz NOT NULL,               -- in the first dimension of this time
  restored_at timestamptz NOT NULL,               -- effective time of the report
  received_at timestamptz NOT NULL,
  report_id   bigint      NOT NULL,
  skew_ms     bigint,                             -- of the phone's clock; NULL: not known
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  device_no   smallint    NOT NULL,
  CONSTRAINT restoration_pk PRIMARY KEY (employee_id, report_id)
);
SELECT distribute_by_employee('restoration');
CREATE INDEX restoration_by_time ON restoration (received_at);

-- Why: the retention is a setting of the installation; a shift whose coverage is deleted keeps only
--   its times; employees read a privacy notice at enrolment, and their confirmation is stored with
--   the version that they read.
-- Locks: none that others wait for. Size: a row per kind of data, version and enrolment; 60 bytes
--   per shift that is over a year old.
CREATE TABLE retention (
  kind smallint NOT NULL,  -- 0 fixes, 1 coverage, 2 shifts, 3 log; a kind without a row: by default
  days int      NOT NULL,
  CONSTRAINT retention_pk PRIMARY KEY (kind),
  CONSTRAINT retention_kind_known CHECK (kind BETWEEN 0 AND 3),
  CONSTRAINT retention_days_range CHECK (days BETWEEN 8 AND 36500)
);
SELECT replicate_everywhere('retention');

-- What is left of a shift when its coverage is deleted: its record and its length.
CREATE TABLE past_shift (
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz NOT NULL,
  break_ms    bigint      NOT NULL,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  CONSTRAINT past_shift_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT past_shift_ends_after_start CHECK (ended_at > started_at)
);
SELECT distribute_by_employee('past_shift');

-- The privacy notice. Versions are added and never changed.
CREATE TABLE privacy_notice (
  created_at timestamptz NOT NULL,
  version    int         NOT NULL,
  text       text        NOT NULL,
  CONSTRAINT privacy_notice_pk PRIMARY KEY (version),
  CONSTRAINT privacy_notice_version_positive CHECK (version > 0),
  CONSTRAINT privacy_notice_text_length CHECK (length(text) BETWEEN 1 AND 20000)
);
SELECT replicate_everywhere('privacy_notice');

CREATE TABLE privacy_acknowledgement (
  acknowledged_at timestamptz NOT NULL,
  employee_id     int         NOT NULL,
  version         int         NOT NULL,
  device_no       smallint    NOT NULL,
  CONSTRAINT privacy_acknowledgement_pk PRIMARY KEY (employee_id, version)
);
SELECT distribute_by_employee('privacy_acknowledgement');

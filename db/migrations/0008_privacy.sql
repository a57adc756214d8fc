-- Why: the retention is a setting of the installation; employees read a privacy notice at
--   enrolment, and their confirmation is stored with the version that they read.
-- Locks: none, the tables are new. Size: a row per kind of data, version and enrolment.
CREATE TABLE retention (
  days int      NOT NULL,
  kind smallint NOT NULL,  -- 0 fixes, 1 coverage, 2 shifts, 3 audit log; no row: the default
  CONSTRAINT retention_pk PRIMARY KEY (kind),
  CONSTRAINT retention_kind_known CHECK (kind BETWEEN 0 AND 3),
  CONSTRAINT retention_days_range CHECK (days BETWEEN 8 AND 36500)
);
SELECT replicate_everywhere('retention');

-- The privacy notice. Versions are added and never changed.
CREATE TABLE privacy_notice (
  created_at timestamptz NOT NULL,
  version    int         NOT NULL,  -- from 1
  text       text        NOT NULL,
  CONSTRAINT privacy_notice_pk PRIMARY KEY (version),
  CONSTRAINT privacy_notice_version_positive CHECK (version > 0),
  CONSTRAINT privacy_notice_text_length CHECK (length(text) BETWEEN 1 AND 20000)
);
SELECT replicate_everywhere('privacy_notice');

CREATE TABLE privacy_acknowledgement (
  acknowledged_at timestamptz NOT NULL,
  employee_id     int         NOT NULL,
  version         int         NOT NULL,  -- of the privacy notice
  device_no       smallint    NOT NULL,  -- the device that was enrolled with it
  CONSTRAINT privacy_acknowledgement_pk PRIMARY KEY (employee_id, version)
);
SELECT distribute_by_employee('privacy_acknowledgement');

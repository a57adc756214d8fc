-- Why: how long data is kept, the privacy notice that employees read at enrolment with their
--   confirmation, and messages of apps that could not be read.
-- Locks: none, the tables are new. Size: a row per kind of data, version and enrolment; at most 100
--   messages of 16 kB for each device, and mostly none.

-- The retention of the installation.
CREATE TABLE retention (
  days int      NOT NULL,
  kind smallint NOT NULL,  -- 0 fixes, 1 coverage, 2 shifts, 3 audit log; no row: the default
  CONSTRAINT retention_pk PRIMARY KEY (kind),
  CONSTRAINT retention_kind_not_negative CHECK (kind >= 0),
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

-- What an app from a store sent in its own protocol and could not be read. It must not be refused,
-- as the app would send it for ever or throw it away; it is kept for administrators.
CREATE TABLE quarantined_message (
  received_at timestamptz NOT NULL,
  employee_id int         NOT NULL,
  byte_count  int         NOT NULL,  -- of the body
  device_no   smallint    NOT NULL,
  phone_app   smallint    NOT NULL,  -- as device.phone_app
  body_hash   bytea       NOT NULL,  -- SHA-256: a message that is sent again is the same
  reason      text        NOT NULL,
  body        text,                  -- without the token; NULL: too long, or received off shift
  CONSTRAINT quarantined_message_pk PRIMARY KEY (employee_id, device_no, body_hash),
  CONSTRAINT quarantined_message_device
    FOREIGN KEY (employee_id, device_no) REFERENCES device (employee_id, device_no)
    ON DELETE CASCADE,
  CONSTRAINT quarantined_message_hash_length CHECK (length(body_hash) = 32),
  CONSTRAINT quarantined_message_reason_length CHECK (length(reason) BETWEEN 1 AND 200),
  CONSTRAINT quarantined_message_body_length CHECK (length(body) <= 16384)
);
SELECT distribute_by_employee('quarantined_message');
-- For retention.
CREATE INDEX quarantined_message_by_time ON quarantined_message (received_at);

-- Why: employees may use an app from a store that sends in its own protocol. What such an app sends and
--   we cannot read must not be refused, as it would be sent for ever or thrown away; it is kept aside
--   for administrators.
-- Locks: device, for an instant. Size: at most 100 messages of 16 kB for each device, and mostly none.
ALTER TABLE device ADD COLUMN phone_app smallint;   -- 0 OwnTracks, 1 Overland, 2 Traccar Client,
                                                    -- 3 Transistorsoft; NULL: an app of ours
ALTER TABLE device ADD COLUMN app_interval_ms int;  -- as the app was set up; NULL: the team's

CREATE TABLE quarantined_message (
  received_at timestamptz NOT NULL,
  employee_id int         NOT NULL,
  byte_count  int         NOT NULL,  -- of the body
  device_no   smallint    NOT NULL,
  phone_app   smallint    NOT NULL,
  body_hash   bytea       NOT NULL,  -- SHA-256: a message that is sent again is the same
  reason      text        NOT NULL,
  body        text,                  -- without the token; NULL: too long, or received off shift
  CONSTRAINT quarantined_message_pk PRIMARY KEY (employee_id, device_no, body_hash),
  CONSTRAINT quarantined_message_device
    FOREIGN KEY (employee_id, device_no) REFERENCES device (employee_id, device_no)
    ON DELETE CASCADE,  -- the version before deletes devices and does not know this table
  CONSTRAINT quarantined_message_hash_length CHECK (length(body_hash) = 32),
  CONSTRAINT quarantined_message_reason_length CHECK (length(reason) BETWEEN 1 AND 200),
  CONSTRAINT quarantined_message_body_length CHECK (length(body) <= 16384)
);
SELECT distribute_by_employee('quarantined_message');
-- For retention.
CREATE INDEX quarantined_message_by_time ON quarantined_message (received_at);

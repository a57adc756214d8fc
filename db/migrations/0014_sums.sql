-- Why: a report over months is read from totals, a row per shift, instead of signs; and the page
--   about detection has every sample, whichever instance took it. The totals of an ended shift are
--   stored with its signs, and are valid while its version is the one they were computed from:
--   every change of coverage facts increases that version. `detection` gets its row in the
--   transaction that opens or worsens an incident; the instance that served the request adds the
--   duration, or it stays missing and counts as missed.
-- Locks: ACCESS EXCLUSIVE on `shift_signs`, milliseconds (nullable, nothing is rewritten); SHARE on
--   `incident` while its index is built, some hundred thousand rows a second. Size: some 90 bytes
--   per shift, 60 bytes per incident. The totals of earlier shifts are computed gradually.
ALTER TABLE shift_signs
  ADD COLUMN sums_version   int,    -- the version that the totals were computed from
  ADD COLUMN sums_outage_ms int,    -- how much of the shift was in our outages at that time
  ADD COLUMN sums           int[],  -- milliseconds, by the number of their reason
  ADD CONSTRAINT shift_signs_sums_whole CHECK (
    (sums IS NULL) = (sums_version IS NULL) AND (sums IS NULL) = (sums_outage_ms IS NULL));

CREATE TABLE detection (
  received_at timestamptz NOT NULL,  -- of the request with the evidence
  report_id   bigint      NOT NULL,
  employee_id int         NOT NULL,
  incident_no int         NOT NULL,
  elapsed_ms  int,                   -- last byte read to COMMIT returned; NULL: not measured
  kind        smallint    NOT NULL,
  worsened    boolean     NOT NULL,  -- the incident was already open
  CONSTRAINT detection_pk PRIMARY KEY (employee_id, report_id, incident_no),
  CONSTRAINT detection_elapsed_positive CHECK (elapsed_ms >= 0)
);
SELECT distribute_by_employee('detection');
CREATE INDEX detection_by_time ON detection (received_at);

-- Managers page through interruptions by time.
CREATE INDEX incident_by_opening ON incident (opened_at);

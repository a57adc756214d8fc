-- Why: a report over months is read from sums, a row a shift, not from signs; and the page about
--   detection knows every sample, whichever instance took it. The sums of a shift that has ended
--   stand beside its signs, and hold while its version is the one they were made of: whoever changes
--   what coverage is computed from moves that on. `detection` gets its row in the transaction that
--   opens or worsens an incident; the instance that served the request adds how long that took, or
--   nobody does, and it counts as missed.
-- Locks: ACCESS EXCLUSIVE on `shift_signs`, milliseconds (nullable, nothing is rewritten); SHARE on
--   `incident` while its index is built, some hundred thousand rows a second. Size: some
--   90 bytes a shift, 60 bytes an incident. Sums of shifts from before are made by and by.
ALTER TABLE shift_signs
  ADD COLUMN sums_version   int,    -- the version that the sums were made of
  ADD COLUMN sums_outage_ms int,    -- how much of the shift our outages took when they were made
  ADD COLUMN sums           int[],  -- milliseconds, by the number of their reason
  ADD CONSTRAINT shift_signs_sums_whole CHECK (
    (sums IS NULL) = (sums_version IS NULL) AND (sums IS NULL) = (sums_outage_ms IS NULL));

CREATE TABLE detection (
  received_at timestamptz NOT NULL,  -- of the request that carried the evidence
  report_id   bigint      NOT NULL,
  employee_id int         NOT NULL,
  incident_no int         NOT NULL,
  elapsed_ms  int,                   -- last byte read to COMMIT returned; NULL: nobody measured it
  kind        smallint    NOT NULL,
  worsened    boolean     NOT NULL,  -- the incident had been open
  CONSTRAINT detection_pk PRIMARY KEY (employee_id, report_id, incident_no),
  CONSTRAINT detection_elapsed_positive CHECK (elapsed_ms >= 0)
);
SELECT distribute_by_employee('detection');
CREATE INDEX detection_by_time ON detection (received_at);

-- Managers leaf through interruptions by time.
CREATE INDEX incident_by_opening ON incident (opened_at);

-- Why: location pings, by far the largest table: partitioned by week so that retention drops whole
--   partitions, with one key for finding duplicates and for reading a shift.
-- Locks: none on data. Size: about 120 bytes per ping, key included; widest columns first, and no
--   column is NULL in a fix, so that a row needs no bitmap. -32768 means absent.
CREATE TABLE ping (
  recorded_at     timestamptz NOT NULL,  -- the phone's clock as sent: key only
  effective_at    timestamptz NOT NULL,  -- its time, by the server's clock
  employee_id     int         NOT NULL,
  shift_no        int         NOT NULL,
  latitude_e7     int,                   -- NULL: a sign of life
  longitude_e7    int,
  arrived_ms      int         NOT NULL,  -- receipt minus effective_at, clamped at 24 days
  device_no       smallint    NOT NULL,
  accuracy_m      smallint    NOT NULL,  -- clamped: iOS's reduced accuracy is kilometres
  speed_cm_s      smallint    NOT NULL,
  heading_deg     smallint    NOT NULL,
  altitude_m      smallint    NOT NULL,
  flags           smallint    NOT NULL,  -- bits 0-6 battery percent (127: absent), 7 stationary
  CONSTRAINT ping_pk PRIMARY KEY (employee_id, device_no, recorded_at),
  CONSTRAINT ping_latitude_range CHECK (latitude_e7 BETWEEN -900000000 AND 900000000),
  CONSTRAINT ping_longitude_range CHECK (longitude_e7 BETWEEN -1800000000 AND 1800000000),
  CONSTRAINT ping_place_whole CHECK ((latitude_e7 IS NULL) = (longitude_e7 IS NULL))
) PARTITION BY RANGE (recorded_at);
SELECT distribute_by_employee('ping');

-- Pings outside all weeks: from a phone in 2001, or one that is ahead.
CREATE TABLE ping_other PARTITION OF ping DEFAULT;

-- Creates the partitions of `weeks` weeks from the one that holds `first`. A week whose pings are
-- already in the default partition is left there. Returns how many were created.
CREATE FUNCTION make_ping_weeks(first timestamptz, weeks int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  monday date := date_trunc('week', first AT TIME ZONE 'UTC')::date;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_ping_weeks'));
  FOR week IN 1 .. weeks LOOP
    IF to_regclass(format('ping_%s', to_char(monday, 'IYYY"w"IW'))) IS NULL
      AND NOT EXISTS (
        SELECT FROM ping_other
        WHERE recorded_at >= monday::timestamp AT TIME ZONE 'UTC'
          AND recorded_at < (monday + 7)::timestamp AT TIME ZONE 'UTC')
    THEN
      EXECUTE format(
        'CREATE TABLE ping_%s PARTITION OF ping FOR VALUES FROM (%L) TO (%L)
           WITH (autovacuum_vacuum_insert_scale_factor = 0.05)',
        to_char(monday, 'IYYY"w"IW'), monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00');
      made := made + 1;
    END IF;
    monday := monday + 7;
  END LOOP;
  RETURN made;
END $$;

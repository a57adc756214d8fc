-- Why: a shift's coverage without reading all its pings, and the deletion of old pings. shift_signs
--   has, per shift, its pings rolled up into runs for coverage, and where the key of `ping` must be
--   searched for pings of a phone with a wrong clock. The weeks that retention empties are dropped,
--   and the default partition is vacuumed like a week.
-- Locks: SHARE ROW EXCLUSIVE on `shift` (a foreign key) and SHARE UPDATE EXCLUSIVE on `ping_other`,
--   milliseconds. Reads all of `ping` once, without a lock that others wait for. Instances of the
--   previous version do not record phones with wrong clocks, so stop them first.
-- Size: some 200 bytes per shift.
CREATE TABLE shift_signs (
  recorded_from    timestamptz,  -- lowest and highest key of pings far from their effective time
  recorded_to      timestamptz,
  employee_id      int         NOT NULL,
  shift_no         int         NOT NULL,
  version          int         NOT NULL,
  sealed           boolean     NOT NULL DEFAULT false,  -- its pings may be deleted
  positions        timestamptz[],  -- first and last of each run; NULL: not rolled up
  receipts         timestamptz[],
  position_devices smallint[],     -- the device of each run
  receipt_devices  smallint[],
  CONSTRAINT shift_signs_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT shift_signs_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT shift_signs_recorded_whole CHECK ((recorded_from IS NULL) = (recorded_to IS NULL)),
  CONSTRAINT shift_signs_folded_whole CHECK (
    (positions IS NULL) = (receipts IS NULL) AND (positions IS NULL) = (position_devices IS NULL)
    AND (positions IS NULL) = (receipt_devices IS NULL))
) WITH (fillfactor = 70);
SELECT distribute_by_employee('shift_signs');
CREATE INDEX shift_signs_unfolded ON shift_signs (employee_id, shift_no)
  WHERE positions IS NULL AND NOT sealed;

INSERT INTO shift_signs (employee_id, shift_no, version, recorded_from, recorded_to)
SELECT employee_id, shift_no, 1, min(recorded_at), max(recorded_at)
FROM ping
WHERE recorded_at NOT BETWEEN effective_at - interval '10 min' AND effective_at + interval '10 min'
GROUP BY employee_id, shift_no
ORDER BY employee_id, shift_no;

ALTER TABLE ping_other SET (autovacuum_vacuum_insert_scale_factor = 0.05);

-- Drops one week whose pings are all from before `cutoff`, the oldest first, and returns its name;
-- NULL: there is none. A week that also holds newer pings, of a phone whose clock was behind, loses
-- only its old ones. Waits for readers and writers of pings for at most a fifth of a second,
-- because others would wait behind this lock.
CREATE FUNCTION drop_ping_week(cutoff timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  week text;
  has_young boolean;
BEGIN
  PERFORM set_config('lock_timeout', '200ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('make_ping_weeks'));
  FOR week IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'ping'::regclass AND relname ~ '^ping_[0-9]{4}w[0-9]{2}$'
      AND to_date(substr(relname, 6), 'IYYY"w"IW') + 7 <= (cutoff AT TIME ZONE 'UTC')::date
    ORDER BY relname
  LOOP
    EXECUTE format('LOCK TABLE %I IN SHARE MODE', week);  -- so that no newer ping is added
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE effective_at >= $1)', week)
      INTO has_young USING cutoff;
    IF NOT has_young THEN
      EXECUTE format('DROP TABLE %I', week);
      RETURN week;
    END IF;
    EXECUTE format('DELETE FROM %I WHERE effective_at < $1', week) USING cutoff;
  END LOOP;
  RETURN NULL;
END $$;

-- As before, but waits no longer than that for the default partition, which every reader locks.
CREATE OR REPLACE FUNCTION make_ping_weeks(first timestamptz, weeks int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  monday date := date_trunc('week', first AT TIME ZONE 'UTC')::date;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('make_ping_weeks'));
  PERFORM set_config('lock_timeout', '200ms', true);
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

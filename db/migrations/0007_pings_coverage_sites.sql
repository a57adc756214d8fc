-- Why: location pings, by far the largest table; their rollup for coverage; the deletion of pings
--   that no longer count; and the sites of teams with the visits found from pings.
-- Locks: none, the tables are new.
-- Size: about 120 bytes per ping, key included; some 300 per shift for its rollup; a few rows per
--   correction; up to a hundred sites for each team; some ten visits of a hundred bytes for each
--   shift of a team with sites, as long as fixes are kept.

-- Partitioned by week so that retention drops whole partitions, with one key for finding duplicates
-- and for reading a shift. Widest columns first, and no column is NULL in a fix, so that a row
-- needs no bitmap: -32768 means absent.
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
  speed_cm_s      smallint    NOT NULL,  -- at an announced rest: its length, whole seconds
  heading_deg     smallint    NOT NULL,  -- at an announced rest: its length, milliseconds
  altitude_m      smallint    NOT NULL,
  flags           smallint    NOT NULL,  -- bits 0-6 battery percent (127: absent), 7 stationary,
                                         -- 8 mocked, 9 page hidden, 10 inaccurate, 11 at an
                                         -- announced rest
  CONSTRAINT ping_pk PRIMARY KEY (employee_id, device_no, recorded_at),
  CONSTRAINT ping_latitude_range CHECK (latitude_e7 BETWEEN -900000000 AND 900000000),
  CONSTRAINT ping_longitude_range CHECK (longitude_e7 BETWEEN -1800000000 AND 1800000000),
  CONSTRAINT ping_place_whole CHECK ((latitude_e7 IS NULL) = (longitude_e7 IS NULL))
) PARTITION BY RANGE (recorded_at);
SELECT distribute_by_employee('ping');

-- Pings outside all weeks, from phones whose clocks are far off. Vacuumed like a week.
CREATE TABLE ping_other PARTITION OF ping DEFAULT
  WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

-- The functions that create and drop partitions run as their owner, with a fixed search path, and
-- nobody else may call them but the service (0001_distribution_and_roles.sql).

-- Creates the partitions of `weeks` weeks from the one that holds `first`, and returns how many
-- were created. The few pings of such a week that came earlier, from phones whose clocks are ahead,
-- move from the default partition into it; if there are too many, the week is left there. Waits for
-- at most a fifth of a second for the default partition, which every reader locks.
CREATE FUNCTION create_ping_weeks(first timestamptz, weeks int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  monday date := date_trunc('week', first AT TIME ZONE 'UTC')::date;
  week text;
  starts text;
  ends text;
  early int;
  created int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ping weeks'));
  PERFORM set_config('lock_timeout', '200ms', true);
  FOR number IN 1 .. weeks LOOP
    week := 'ping_' || to_char(monday, 'IYYY"w"IW');
    starts := monday::text || ' 00:00+00';
    ends := (monday + 7)::text || ' 00:00+00';
    monday := monday + 7;
    CONTINUE WHEN to_regclass(week) IS NOT NULL;
    SELECT count(*) INTO early FROM (
      SELECT 1 FROM ping_other
      WHERE recorded_at >= starts::timestamptz AND recorded_at < ends::timestamptz
      LIMIT 10001) AS found;
    CONTINUE WHEN early > 10000;
    IF early > 0 THEN
      LOCK TABLE ping_other IN ACCESS EXCLUSIVE MODE;
      EXECUTE format(
        'CREATE TEMPORARY TABLE early_ping ON COMMIT DROP AS
           SELECT * FROM ping_other WHERE recorded_at >= %L AND recorded_at < %L', starts, ends);
      EXECUTE format(
        'DELETE FROM ping_other WHERE recorded_at >= %L AND recorded_at < %L', starts, ends);
    END IF;
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF ping FOR VALUES FROM (%L) TO (%L)
         WITH (autovacuum_vacuum_insert_scale_factor = 0.05)', week, starts, ends);
    created := created + 1;
    IF early > 0 THEN
      EXECUTE 'INSERT INTO ping SELECT * FROM pg_temp.early_ping';
      EXECUTE 'DROP TABLE pg_temp.early_ping';
    END IF;
  END LOOP;
  RETURN created;
END $$;
REVOKE ALL ON FUNCTION create_ping_weeks(timestamptz, int) FROM PUBLIC;

-- Drops one week whose pings are all from before `cutoff`, the oldest first, and returns its name;
-- NULL: there is none. A week that also holds newer pings, of a phone whose clock was behind, loses
-- only its old ones. Waits for readers and writers of pings for at most a fifth of a second,
-- because others would wait behind this lock.
CREATE FUNCTION drop_ping_week(cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  week text;
  has_young boolean;
BEGIN
  PERFORM set_config('lock_timeout', '200ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('ping weeks'));
  FOR week IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'ping'::regclass AND relname ~ '^ping_[0-9]{4}w[0-9]{2}$'
      AND to_date(substr(relname, 6), 'IYYY"w"IW') + 7 <= (cutoff AT TIME ZONE 'UTC')::date
    ORDER BY relname
  LOOP
    EXECUTE format('LOCK TABLE %I IN SHARE MODE', week);  -- so that no newer ping is added
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE effective_at >= $1)', week)
      INTO has_young USING cutoff;
    IF NOT has_young THEN
      EXECUTE format('DROP TABLE %I', week);
      RETURN week;
    END IF;
    EXECUTE format('DELETE FROM %I WHERE effective_at < $1', week) USING cutoff;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION drop_ping_week(timestamptz) FROM PUBLIC;

-- A shift's pings, rolled up into runs, so that its coverage is computed without reading them; and
-- for an ended shift its time by reason. Every change of the facts increases the version; totals
-- are valid while they are of the current version.
CREATE TABLE coverage_rollup (
  recorded_from    timestamptz,  -- lowest and highest key of pings far from their effective time
  recorded_to      timestamptz,
  employee_id      int         NOT NULL,
  shift_no         int         NOT NULL,
  version          int         NOT NULL,
  totals_version   int,          -- the version that the totals were computed from
  totals_outage_ms int,          -- how much of the shift was in our outages at that time
  sealed           boolean     NOT NULL DEFAULT false,  -- its pings may be deleted
  positions        timestamptz[],  -- first and last of each run; NULL: not rolled up
  position_devices smallint[],     -- the device of each run
  position_kinds   smallint[],     -- 0 fix, 1 stationary, 2 mocked, 3 inaccurate, 4 rest, 5 hidden
  totals           int[],          -- milliseconds, by the number of their reason
  CONSTRAINT coverage_rollup_pk PRIMARY KEY (employee_id, shift_no),
  CONSTRAINT coverage_rollup_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no),
  CONSTRAINT coverage_rollup_recorded_whole
    CHECK ((recorded_from IS NULL) = (recorded_to IS NULL)),
  CONSTRAINT coverage_rollup_runs_whole CHECK (
    (positions IS NULL) = (position_devices IS NULL)
    AND (positions IS NULL) = (position_kinds IS NULL)),
  CONSTRAINT coverage_rollup_totals_whole CHECK (
    (totals IS NULL) = (totals_version IS NULL) AND (totals IS NULL) = (totals_outage_ms IS NULL))
) WITH (fillfactor = 70);
SELECT distribute_by_employee('coverage_rollup');
CREATE INDEX coverage_rollup_missing ON coverage_rollup (employee_id, shift_no)
  WHERE positions IS NULL AND NOT sealed;

-- A shift's fixes in [from_at, to_at) are deleted 7 days after `sealed_at`, unless they belong to
-- the shift again by then.
CREATE TABLE purge (
  sealed_at   timestamptz NOT NULL,
  from_at     timestamptz NOT NULL,
  to_at       timestamptz NOT NULL,
  employee_id int         NOT NULL,
  shift_no    int         NOT NULL,
  cause       smallint    NOT NULL,  -- 0 outside the shift, 1 on a device that did not track
  CONSTRAINT purge_pk PRIMARY KEY (employee_id, shift_no, sealed_at, cause, from_at),
  CONSTRAINT purge_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
);
SELECT distribute_by_employee('purge');
CREATE INDEX purge_by_time ON purge (sealed_at);

-- A place of work of a team: a circle with a name.
CREATE TABLE site (
  team_id      int      NOT NULL,
  latitude_e7  int      NOT NULL,  -- ten-millionths of a degree, of the center
  longitude_e7 int      NOT NULL,
  radius_m     int      NOT NULL,
  site_no      smallint NOT NULL,
  name         text     NOT NULL,
  CONSTRAINT site_pk PRIMARY KEY (team_id, site_no),
  CONSTRAINT site_team FOREIGN KEY (team_id) REFERENCES team (team_id),
  CONSTRAINT site_once UNIQUE (team_id, name),
  CONSTRAINT site_number CHECK (site_no > 0),
  CONSTRAINT site_on_earth CHECK (
    latitude_e7 BETWEEN -900000000 AND 900000000
    AND longitude_e7 BETWEEN -1800000000 AND 1800000000),
  CONSTRAINT site_radius CHECK (radius_m BETWEEN 50 AND 5000),
  CONSTRAINT site_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT replicate_everywhere('site');

-- A time that an employee's phone spent at a site, in a shift that has ended. The site may have
-- been changed or removed since. A visit is a position with a name: it is deleted with the fixes
-- that it was found from, and with its shift.
CREATE TABLE site_visit (
  arrived_at   timestamptz NOT NULL,  -- the first fix inside
  last_seen_at timestamptz NOT NULL,  -- the last sign that it was inside
  employee_id  int         NOT NULL,
  shift_no     int         NOT NULL,
  visit_no     smallint    NOT NULL,  -- within the shift, from 1, by arrival
  site_no      smallint    NOT NULL,
  has_left     boolean     NOT NULL,  -- whether a later fix was outside
  name         text        NOT NULL,  -- of the site, at that time
  CONSTRAINT site_visit_pk PRIMARY KEY (employee_id, shift_no, visit_no),
  CONSTRAINT site_visit_shift
    FOREIGN KEY (employee_id, shift_no) REFERENCES shift (employee_id, shift_no)
    ON DELETE CASCADE,
  CONSTRAINT site_visit_in_order CHECK (arrived_at <= last_seen_at),
  CONSTRAINT site_visit_name_length CHECK (length(name) BETWEEN 1 AND 100)
);
SELECT distribute_by_employee('site_visit');
-- For retention.
CREATE INDEX site_visit_last_seen ON site_visit (last_seen_at);

-- Why: guardd may run as a role that owns nothing, so that an intruder in it can neither change
--   the schema nor rewrite the audit log. `guardctl migrate --grant-to ROLE` gives it its rights.
--   The functions that make and drop partitions run as their owner, with a fixed search path, and
--   nobody else may call them. Where one role does everything, nothing changes.
--   A phone whose clock is months ahead no longer keeps the week of its pings from being created, and
--   partitions of notifications are created without making others wait.
-- Locks: none. Size: seven functions.

-- Creates the partitions of `weeks` weeks from the one that holds `first`, and returns how many were
-- created. The few pings of such a week that came earlier, from phones whose clocks are ahead, move
-- from the default partition into it; if there are too many, the week is left there. Waits for at
-- most a fifth of a second for the default partition, which every reader locks.
CREATE OR REPLACE FUNCTION create_ping_weeks(first timestamptz, weeks int) RETURNS int
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

-- As before, in words that Citus takes, too.
CREATE OR REPLACE FUNCTION drop_ping_week(cutoff timestamptz) RETURNS text
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

-- As before, but waits for the default partitions for at most a fifth of a second.
CREATE OR REPLACE FUNCTION create_notification_weeks(first timestamptz, weeks int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  monday date := date_trunc('week', first AT TIME ZONE 'UTC')::date;
  parent text;
  clock text;
  has_rows boolean;
  created int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('notification weeks'));
  PERFORM set_config('lock_timeout', '200ms', true);
  FOR week IN 1 .. weeks LOOP
    FOR parent, clock IN VALUES
      ('delivery_attempt', 'started_at'), ('notification_history', 'finished_at')
    LOOP
      CONTINUE WHEN to_regclass(parent || '_' || to_char(monday, 'IYYY"w"IW')) IS NOT NULL;
      EXECUTE format(
        'SELECT EXISTS (SELECT 1 FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L)',
        parent || '_other', clock,
        monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00') INTO has_rows;
      CONTINUE WHEN has_rows;
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        parent || '_' || to_char(monday, 'IYYY"w"IW'), parent,
        monday::text || ' 00:00+00', (monday + 7)::text || ' 00:00+00');
      created := created + 1;
    END LOOP;
    monday := monday + 7;
  END LOOP;
  RETURN created;
END $$;

ALTER FUNCTION drop_notification_week(timestamptz)
  SECURITY DEFINER SET search_path = public, pg_temp;

-- The audit log is deleted only by age, of the last eight days nothing, or together with its
-- employee: no entry can be taken out of it alone. Both return the numbers of what they deleted.
CREATE FUNCTION delete_audit_entries(cutoff timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY DELETE FROM audit_entry
    WHERE at < least(cutoff, now() - interval '8 days') RETURNING entry_id;
END $$;

-- Number 0 is no employee: entries about nobody in particular stay.
CREATE FUNCTION erase_audit_entries(erased int) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF erased > 0 AND NOT EXISTS (SELECT 1 FROM employee WHERE employee_id = erased) THEN
    RETURN QUERY DELETE FROM audit_entry WHERE employee_id = erased RETURNING entry_id;
  END IF;
END $$;

REVOKE ALL ON FUNCTION distribute_by_employee(regclass) FROM PUBLIC;
REVOKE ALL ON FUNCTION replicate_everywhere(regclass) FROM PUBLIC;
REVOKE ALL ON FUNCTION create_ping_weeks(timestamptz, int) FROM PUBLIC;
REVOKE ALL ON FUNCTION drop_ping_week(timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION create_notification_weeks(timestamptz, int) FROM PUBLIC;
REVOKE ALL ON FUNCTION drop_notification_week(timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION delete_audit_entries(timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION erase_audit_entries(int) FROM PUBLIC;

-- Gives `service` the rights that guardd needs on the present schema, and takes all others from it.
-- Partitions need none of their own, except the default ones, from which retention deletes. Only
-- SELECT and INSERT where rows are never changed. The owner of the tables may do everything anyway.
CREATE FUNCTION grant_to_service(service name) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  owner oid := (SELECT relowner FROM pg_class WHERE oid = 'ping'::regclass);
  stored regclass;
  rights text;
BEGIN
  IF service = pg_get_userbyid(owner) THEN RETURN; END IF;
  IF pg_has_role(service, owner, 'MEMBER') THEN
    RAISE EXCEPTION 'role % may do all that the owner of the tables may', service;
  END IF;
  -- Before version 15 everybody might create tables here.
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('REVOKE ALL ON SCHEMA public FROM %I', service);
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', service);
  IF has_schema_privilege(service, 'public', 'CREATE') THEN
    RAISE EXCEPTION 'role % may create tables in the schema public', service;
  END IF;
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, %I',
    current_database(), service);
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), service);
  FOR stored, rights IN
    SELECT oid::regclass, CASE
        WHEN relname = 'schema_version' THEN 'SELECT'
        WHEN relname IN ('audit_entry', 'policy_version', 'privacy_notice')
          THEN 'SELECT, INSERT'
        ELSE 'SELECT, INSERT, UPDATE, DELETE' END
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relowner = owner
      AND relkind IN ('r', 'p') AND (NOT relispartition OR relname LIKE '%\_other')
    ORDER BY relname
  LOOP
    EXECUTE format('REVOKE ALL ON %s FROM %I', stored, service);
    EXECUTE format('GRANT %s ON %s TO %I', rights, stored, service);
  END LOOP;
  EXECUTE format(
    'GRANT EXECUTE ON FUNCTION create_ping_weeks(timestamptz, int), drop_ping_week(timestamptz),
       create_notification_weeks(timestamptz, int), drop_notification_week(timestamptz),
       delete_audit_entries(timestamptz), erase_audit_entries(int) TO %I', service);
END $$;
REVOKE ALL ON FUNCTION grant_to_service(name) FROM PUBLIC;

-- Why: the same migrations run on plain PostgreSQL and on Citus, and guardd may run as a role that
--   owns nothing. These functions distribute a table over the nodes of Citus, and give a role the
--   rights of the service.
-- Locks: none, the database is new. Size: three functions.
--
-- Rules for this folder: 0001 to 0012 are the baseline, which makes a new database. The files are
--   append-only: a change of the schema is a new file with the next number. Its first comment says
--   why, what it locks, how large that is, and whether programs of the version before run on it.
--   They must still work: nothing that they use is dropped, renamed, retyped or required
--   (CONTRIBUTING.md, "Migrations"). Each file runs once, statement by statement, in one
--   transaction. On Citus:
--   every SELECT has a column, EXISTS (SELECT 1 FROM …) included;
--   a table is distributed before it has rows; its keys, unique indexes and foreign keys contain
--   `employee_id`; a foreign key refers to another table of employees or to a replicated table; an
--   ALTER TABLE of a distributed table adds one constraint and nothing else, and ADD COLUMN has no
--   CHECK;
--   a table that is neither distributed nor replicated is on the coordinator alone: it is written
--   all the time, and must not wait for other nodes.
-- Codes of smallint columns are the raw values of enums in Sources, and are append-only too. Where
--   more codes may come, a CHECK does not list them: the programs refuse unknown ones. Times are
--   the server's unless a comment says otherwise.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Distributes a table with rows of employees by their number.
CREATE FUNCTION distribute_by_employee(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    -- A table with a foreign key to a reference table can only be spread one shard at a time.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    EXECUTE format(
      'SELECT create_distributed_table(%L::regclass, ''employee_id'', colocate_with => %L)',
      target::text, CASE target::text WHEN 'employee' THEN 'default' ELSE 'employee' END);
  END IF;
END $$;
REVOKE ALL ON FUNCTION distribute_by_employee(regclass) FROM PUBLIC;

-- Copies a small table without rows of employees to every node.
CREATE FUNCTION replicate_everywhere(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE format('SELECT create_reference_table(%L::regclass)', target::text);
  END IF;
END $$;
REVOKE ALL ON FUNCTION replicate_everywhere(regclass) FROM PUBLIC;

-- Gives `service` the rights that guardd needs on the present schema, and takes all others from it,
-- so that an intruder in guardd can neither change the schema nor rewrite the audit log.
-- `guardctl migrate --grant-to ROLE` calls it, and later migrations renew the rights. Partitions
-- need none of their own, except the default ones, from which retention deletes. Only SELECT and
-- INSERT where rows are never changed. The owner of the tables may do everything anyway.
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

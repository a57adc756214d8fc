-- Why: an intruder in guardd must neither make the number of an erased employee look unused, nor
--   replace the key of Web Push, after which no browser's subscription is valid. Nobody changes
--   these rows, so the service needs no right to. And a role that does not own the database was
--   told that it had given rights, though PostgreSQL had only warned that it had not.
-- Locks: none. Size: none. `guardctl migrate --grant-to ROLE` renews the rights after this.
-- Version before: runs on it. It only adds these rows.

CREATE OR REPLACE FUNCTION grant_to_service(service name) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  owner oid := (SELECT relowner FROM pg_class WHERE oid = 'ping'::regclass);
  stored regclass;
  rights text;
BEGIN
  IF service = pg_get_userbyid(owner) THEN RETURN; END IF;
  IF pg_has_role(service, owner, 'MEMBER') THEN
    RAISE 'role % may do all that the owner of the tables may', service USING ERRCODE = '0A000';
  END IF;
  -- Before version 15 everybody might create tables here.
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  EXECUTE format('REVOKE ALL ON SCHEMA public FROM %I', service);
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', service);
  IF has_schema_privilege(service, 'public', 'CREATE') THEN
    RAISE 'role % may create tables in the schema public', service USING ERRCODE = '0A000';
  END IF;
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, %I',
    current_database(), service);
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), service);
  -- To others than the owner of the database, PostgreSQL says by a warning that nothing was done.
  IF has_database_privilege(service, current_database(), 'CREATE, TEMPORARY')
    OR NOT has_database_privilege(service, current_database(), 'CONNECT') THEN
    RAISE 'only the owner of the database can limit the rights of role %', service
      USING ERRCODE = '0A000';
  END IF;
  FOR stored, rights IN
    SELECT oid::regclass, CASE
        WHEN relname = 'schema_version' THEN 'SELECT'
        WHEN relname IN ('audit_entry', 'erased_number', 'policy_version', 'privacy_notice',
            'web_push_key')
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

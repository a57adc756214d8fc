
CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

COMMENT ON EXTENSION btree_gist IS 'support for indexing common datatypes in GiST';

CREATE FUNCTION public.create_notification_weeks(first timestamp with time zone, weeks integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
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
END $_$;

CREATE FUNCTION public.create_ping_weeks(first timestamp with time zone, weeks integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.delete_audit_entries(cutoff timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  RETURN QUERY DELETE FROM audit_entry
    WHERE at < least(cutoff, now() - interval '8 days') RETURNING entry_id;
END $$;

CREATE FUNCTION public.distribute_by_employee(target regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    -- A table with a foreign key to a reference table can only be spread one shard at a time.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    EXECUTE format(
      'SELECT create_distributed_table(%L::regclass, ''employee_id'', colocate_with => %L)',
      target::text, CASE target::text WHEN 'employee' THEN 'default' ELSE 'employee' END);
  END IF;
END $$;

CREATE FUNCTION public.drop_notification_week(cutoff timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
DECLARE
  week text;
BEGIN
  PERFORM set_config('lock_timeout', '200ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('notification weeks'));
  SELECT relname INTO week FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent IN ('delivery_attempt'::regclass, 'notification_history'::regclass)
    AND relname ~ '_[0-9]{4}w[0-9]{2}$'
    AND to_date(right(relname, 7), 'IYYY"w"IW') + 7 <= (cutoff AT TIME ZONE 'UTC')::date
  ORDER BY relname LIMIT 1;
  IF week IS NOT NULL THEN EXECUTE format('DROP TABLE %I', week); END IF;
  RETURN week;
END $_$;

CREATE FUNCTION public.drop_ping_week(cutoff timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
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
END $_$;

CREATE FUNCTION public.erase_audit_entries(erased integer) RETURNS SETOF bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF erased > 0 AND NOT EXISTS (SELECT 1 FROM employee WHERE employee_id = erased) THEN
    RETURN QUERY DELETE FROM audit_entry WHERE employee_id = erased RETURNING entry_id;
  END IF;
END $$;

CREATE FUNCTION public.grant_to_service(service name) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.replicate_everywhere(target regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE format('SELECT create_reference_table(%L::regclass)', target::text);
  END IF;
END $$;

CREATE TABLE public.absence (
    absence_id bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    created_by text NOT NULL,
    note text,
    CONSTRAINT absence_by_length CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
    CONSTRAINT absence_length CHECK ((((ends_at - starts_at) >= '00:01:00'::interval) AND ((ends_at - starts_at) <= '8784:00:00'::interval))),
    CONSTRAINT absence_note_length CHECK (((length(note) >= 1) AND (length(note) <= 200)))
);

CREATE TABLE public.account (
    account_id integer NOT NULL,
    employee_id integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    disabled_at timestamp with time zone,
    role smallint NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    password text NOT NULL,
    CONSTRAINT account_email_length CHECK (((length(email) >= 3) AND (length(email) <= 254))),
    CONSTRAINT account_id_positive CHECK ((account_id > 0)),
    CONSTRAINT account_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT account_role_known CHECK (((role >= 0) AND (role <= 1)))
);

CREATE TABLE public.account_browser (
    session_id bigint NOT NULL,
    added_at timestamp with time zone NOT NULL,
    account_id integer NOT NULL,
    browser_no smallint NOT NULL,
    address text NOT NULL,
    public_key bytea NOT NULL,
    secret bytea NOT NULL,
    user_agent text NOT NULL,
    CONSTRAINT account_browser_address_length CHECK (((length(address) >= 1) AND (length(address) <= 2048))),
    CONSTRAINT account_browser_number CHECK ((browser_no > 0)),
    CONSTRAINT account_browser_public_key_length CHECK ((length(public_key) = 65)),
    CONSTRAINT account_browser_secret_length CHECK ((length(secret) = 16)),
    CONSTRAINT account_browser_user_agent_length CHECK ((length(user_agent) <= 300))
);

CREATE TABLE public.account_team (
    account_id integer NOT NULL,
    team_id integer NOT NULL,
    rights smallint NOT NULL,
    CONSTRAINT account_team_rights_known CHECK (((rights >= 1) AND (rights <= 3)))
);

CREATE TABLE public.acknowledgement (
    acknowledged_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    findings integer NOT NULL,
    device_no smallint NOT NULL,
    app_session text NOT NULL,
    CONSTRAINT acknowledgement_session_length CHECK (((length(app_session) >= 1) AND (length(app_session) <= 64)))
);

CREATE TABLE public.api_token (
    token_id integer NOT NULL,
    role smallint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    secret_hash bytea NOT NULL,
    name text NOT NULL,
    CONSTRAINT api_token_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT api_token_role_known CHECK (((role >= 0) AND (role <= 1))),
    CONSTRAINT api_token_secret_hash_length CHECK ((length(secret_hash) = 32))
);

CREATE TABLE public.api_token_team (
    token_id integer NOT NULL,
    team_id integer NOT NULL,
    rights smallint NOT NULL,
    CONSTRAINT api_token_team_rights_known CHECK (((rights >= 1) AND (rights <= 3)))
);

CREATE TABLE public.app_event (
    recorded_at timestamp with time zone NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    after_ms integer,
    device_no smallint NOT NULL,
    kind smallint NOT NULL,
    permission smallint,
    app_session text NOT NULL,
    action_id text,
    CONSTRAINT app_event_action_length CHECK (((length(action_id) >= 1) AND (length(action_id) <= 64))),
    CONSTRAINT app_event_after_positive CHECK ((after_ms >= 0)),
    CONSTRAINT app_event_session_length CHECK (((length(app_session) >= 1) AND (length(app_session) <= 64)))
);

CREATE TABLE public.audit_entry (
    entry_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    from_at timestamp with time zone,
    to_at timestamp with time zone,
    employee_id integer NOT NULL,
    account_id integer,
    team_id integer,
    shift_no integer,
    target integer,
    action smallint NOT NULL,
    actor text NOT NULL,
    reason text,
    CONSTRAINT audit_entry_actor_length CHECK (((length(actor) >= 1) AND (length(actor) <= 100))),
    CONSTRAINT audit_entry_reason_length CHECK ((length(reason) <= 500)),
    CONSTRAINT audit_entry_span_forward CHECK ((from_at <= to_at))
);

CREATE TABLE public.away_span (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    away_no smallint NOT NULL,
    CONSTRAINT away_span_in_order CHECK ((started_at < ended_at))
);

CREATE TABLE public.backup (
    finished_at timestamp with time zone NOT NULL,
    method text NOT NULL,
    CONSTRAINT backup_method_length CHECK (((length(method) >= 1) AND (length(method) <= 50)))
);

CREATE TABLE public.clock_action (
    employee_id integer NOT NULL,
    shift_no integer,
    at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    reviewed_at timestamp with time zone,
    review_end timestamp with time zone,
    report_id bigint,
    policy_version integer NOT NULL,
    action_no integer,
    blocking integer NOT NULL,
    warning integer NOT NULL,
    informing integer NOT NULL,
    review_shift integer,
    device_no smallint NOT NULL,
    outcome smallint NOT NULL,
    kept_reason smallint,
    review_outcome smallint,
    needs_review boolean NOT NULL,
    body_hash bytea NOT NULL,
    action_id text NOT NULL,
    reviewed_by text,
    review_reason text,
    local_blocking integer,
    local_warning integer,
    local_informing integer,
    local_policy_version integer,
    has_sites boolean,
    site_no smallint,
    site_distance_m double precision,
    site_margin_m double precision,
    site_accuracy_m double precision,
    ended_off_site smallint,
    CONSTRAINT clock_action_body_hash_length CHECK ((length(body_hash) = 32)),
    CONSTRAINT clock_action_id_length CHECK (((length(action_id) >= 1) AND (length(action_id) <= 64))),
    CONSTRAINT clock_action_local_decision_whole CHECK ((num_nulls(local_blocking, local_warning, local_informing, local_policy_version) = ANY (ARRAY[0, 4]))),
    CONSTRAINT clock_action_review_outcome_whole CHECK (((reviewed_at IS NULL) = (review_outcome IS NULL))),
    CONSTRAINT clock_action_review_reason_length CHECK ((length(review_reason) <= 500)),
    CONSTRAINT clock_action_review_whole CHECK (((reviewed_at IS NOT NULL) OR ((review_shift IS NULL) AND (review_end IS NULL)))),
    CONSTRAINT clock_action_reviewed_by_length CHECK ((length(reviewed_by) <= 100)),
    CONSTRAINT clock_action_site_whole CHECK ((num_nulls(site_no, site_distance_m, site_margin_m) = ANY (ARRAY[0, 3])))
);

CREATE TABLE public.coverage_rollup (
    recorded_from timestamp with time zone,
    recorded_to timestamp with time zone,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    version integer NOT NULL,
    totals_version integer,
    totals_outage_ms integer,
    sealed boolean DEFAULT false NOT NULL,
    positions timestamp with time zone[],
    position_devices smallint[],
    position_kinds smallint[],
    totals integer[],
    CONSTRAINT coverage_rollup_recorded_whole CHECK (((recorded_from IS NULL) = (recorded_to IS NULL))),
    CONSTRAINT coverage_rollup_runs_whole CHECK ((((positions IS NULL) = (position_devices IS NULL)) AND ((positions IS NULL) = (position_kinds IS NULL)))),
    CONSTRAINT coverage_rollup_totals_whole CHECK ((((totals IS NULL) = (totals_version IS NULL)) AND ((totals IS NULL) = (totals_outage_ms IS NULL))))
)
WITH (fillfactor='70');

CREATE TABLE public.delivery_attempt (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    retry_at timestamp with time zone,
    employee_id integer NOT NULL,
    subject integer NOT NULL,
    topic smallint NOT NULL,
    ordinal smallint NOT NULL,
    attempt_no smallint NOT NULL,
    step smallint NOT NULL,
    recipient smallint NOT NULL,
    kind smallint,
    outcome smallint,
    reason text,
    reference text,
    channel smallint,
    held smallint,
    covered smallint,
    contacts smallint[],
    CONSTRAINT delivery_attempt_reason_length CHECK ((length(reason) <= 500)),
    CONSTRAINT delivery_attempt_reference_length CHECK ((length(reference) <= 200))
)
PARTITION BY RANGE (started_at);

CREATE TABLE public.delivery_attempt_other (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    retry_at timestamp with time zone,
    employee_id integer NOT NULL,
    subject integer NOT NULL,
    topic smallint NOT NULL,
    ordinal smallint NOT NULL,
    attempt_no smallint NOT NULL,
    step smallint NOT NULL,
    recipient smallint NOT NULL,
    kind smallint,
    outcome smallint,
    reason text,
    reference text,
    channel smallint,
    held smallint,
    covered smallint,
    contacts smallint[],
    CONSTRAINT delivery_attempt_reason_length CHECK ((length(reason) <= 500)),
    CONSTRAINT delivery_attempt_reference_length CHECK ((length(reference) <= 200))
);

CREATE TABLE public.detection (
    received_at timestamp with time zone NOT NULL,
    report_id bigint NOT NULL,
    employee_id integer NOT NULL,
    incident_no integer NOT NULL,
    elapsed_ms integer,
    kind smallint NOT NULL,
    worsened boolean NOT NULL,
    CONSTRAINT detection_elapsed_positive CHECK ((elapsed_ms >= 0))
);

CREATE TABLE public.device (
    employee_id integer NOT NULL,
    installation_no integer DEFAULT 0 NOT NULL,
    newest_report_id bigint,
    enrolled_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    device_no smallint NOT NULL,
    platform smallint NOT NULL,
    can_report boolean NOT NULL,
    token_hash bytea NOT NULL,
    os_version text,
    model text,
    language text,
    app text,
    installations text[] DEFAULT '{}'::text[] NOT NULL,
    app_name text,
    phone_app smallint,
    app_interval_ms integer,
    arrived_at timestamp with time zone,
    region_crossings bigint[],
    left_received_at timestamp with time zone,
    CONSTRAINT device_app_length CHECK ((length(app) <= 100)),
    CONSTRAINT device_app_name_length CHECK (((length(app_name) >= 1) AND (length(app_name) <= 30))),
    CONSTRAINT device_language_code CHECK ((language ~ '^[a-z]{2}$'::text)),
    CONSTRAINT device_model_length CHECK ((length(model) <= 100)),
    CONSTRAINT device_os_version_length CHECK ((length(os_version) <= 50)),
    CONSTRAINT device_platform_known CHECK (((platform >= 0) AND (platform <= 3))),
    CONSTRAINT device_token_hash_length CHECK ((length(token_hash) = 32))
);

CREATE TABLE public.device_contact (
    employee_id integer NOT NULL,
    last_received_at timestamp with time zone NOT NULL,
    last_fix_at timestamp with time zone,
    last_rest_at timestamp with time zone,
    position_at timestamp with time zone,
    position_received_at timestamp with time zone,
    sign_of_life_at timestamp with time zone,
    silent_since timestamp with time zone,
    contact_resumed_at timestamp with time zone,
    device_no smallint NOT NULL,
    hidden boolean DEFAULT false NOT NULL,
    hidden_until timestamp with time zone,
    excused_until timestamp with time zone,
    away_until timestamp with time zone,
    excused_gaps tstzrange[]
)
WITH (fillfactor='60');

CREATE TABLE public.employee (
    employee_id integer NOT NULL,
    team_id integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL,
    email text,
    phone_number text,
    deactivated_at timestamp with time zone,
    practice_until timestamp with time zone,
    CONSTRAINT employee_email_length CHECK (((length(email) >= 3) AND (length(email) <= 254))),
    CONSTRAINT employee_id_positive CHECK ((employee_id > 0)),
    CONSTRAINT employee_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT employee_phone_number_form CHECK (((length(phone_number) <= 31) AND (phone_number ~ '^[+]?([ ()./-]*[0-9]){3}[0-9 ()./-]*$'::text)))
);

CREATE TABLE public.enrolment_code (
    expires_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    device_no smallint,
    code_hash bytea NOT NULL,
    replaced_device_no smallint,
    CONSTRAINT enrolment_code_hash_length CHECK ((length(code_hash) = 32))
);

CREATE TABLE public.erased_number (
    number integer NOT NULL
);

CREATE TABLE public.guard_override (
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    employee_id integer NOT NULL,
    override_no integer NOT NULL,
    findings integer NOT NULL,
    used_shift integer,
    author smallint NOT NULL,
    given_by text NOT NULL,
    reason text NOT NULL,
    CONSTRAINT guard_override_by_length CHECK (((length(given_by) >= 1) AND (length(given_by) <= 100))),
    CONSTRAINT guard_override_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 500)))
);

CREATE TABLE public.guard_state (
    employee_id integer NOT NULL,
    last_shift integer DEFAULT 0 NOT NULL,
    last_incident integer DEFAULT 0 NOT NULL,
    last_override integer DEFAULT 0 NOT NULL,
    last_action integer DEFAULT 0 NOT NULL,
    open_shift integer,
    version bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint NOT NULL,
    report_id bigint,
    due_at timestamp with time zone,
    opened_at timestamp with time zone,
    taken_over_at timestamp with time zone,
    break_started_at timestamp with time zone,
    break_ended_at timestamp with time zone,
    flicker_earlier_at timestamp with time zone,
    flicker_newest_at timestamp with time zone,
    flicker_notified_at timestamp with time zone,
    unlocatable_since timestamp with time zone,
    locatable_since timestamp with time zone,
    unconfirmed_started_at timestamp with time zone,
    unconfirmed_ended_at timestamp with time zone,
    unconfirmed_shift integer,
    last_device smallint DEFAULT 0 NOT NULL,
    open_device smallint,
    break_no smallint,
    known_authorization smallint DEFAULT 0 NOT NULL,
    known_accuracy smallint DEFAULT 0 NOT NULL,
    known_services smallint DEFAULT 0 NOT NULL,
    known_mock_location smallint DEFAULT 0 NOT NULL,
    break_asked boolean DEFAULT false NOT NULL,
    reminded boolean DEFAULT false NOT NULL,
    break_accepted smallint DEFAULT 0 NOT NULL,
    marks_version bigint,
    marks_newest_at timestamp with time zone,
    marks_previous_at timestamp with time zone,
    marks_lost_at timestamp with time zone,
    marks_restored_at timestamp with time zone,
    marks_lost boolean,
    accepted smallint DEFAULT 0 NOT NULL,
    accepted_device smallint,
    accepted_shift integer,
    better_authorization timestamp with time zone,
    better_accuracy timestamp with time zone,
    better_services timestamp with time zone,
    better_mock_location timestamp with time zone,
    notified_shift integer,
    notified smallint DEFAULT 0 NOT NULL,
    compares_at timestamp with time zone,
    alarmed_authorization timestamp with time zone,
    alarmed_services timestamp with time zone,
    alarmed_accuracy timestamp with time zone,
    alarmed_contact timestamp with time zone,
    alarmed_fix timestamp with time zone,
    alarmed_mock_location timestamp with time zone,
    CONSTRAINT guard_state_break_whole CHECK (((break_no IS NULL) = (break_started_at IS NULL))),
    CONSTRAINT guard_state_shift_whole CHECK ((((open_shift IS NULL) = (opened_at IS NULL)) AND ((open_shift IS NOT NULL) OR ((open_device IS NULL) AND (report_id IS NULL))))),
    CONSTRAINT guard_state_unconfirmed_whole CHECK ((((unconfirmed_shift IS NULL) = (unconfirmed_started_at IS NULL)) AND ((unconfirmed_shift IS NULL) = (unconfirmed_ended_at IS NULL))))
)
WITH (fillfactor='60');

CREATE TABLE public.heartbeat (
    instance_id bigint NOT NULL,
    beat_at timestamp with time zone NOT NULL,
    stopped boolean DEFAULT false NOT NULL,
    version text
)
WITH (fillfactor='50');

CREATE TABLE public.inbox (
    created_at timestamp with time zone NOT NULL,
    written_at timestamp with time zone,
    employee_id integer NOT NULL,
    notification_no integer NOT NULL,
    subject integer NOT NULL,
    delivery_ms integer,
    topic smallint NOT NULL,
    ordinal smallint NOT NULL,
    kind smallint,
    urgent boolean NOT NULL
);

CREATE TABLE public.incident (
    employee_id integer NOT NULL,
    incident_no integer NOT NULL,
    shift_no integer NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    worsened_at timestamp with time zone,
    closed_at timestamp with time zone,
    debounced_until timestamp with time zone NOT NULL,
    notification_due_at timestamp with time zone,
    device_no smallint NOT NULL,
    dimension smallint NOT NULL,
    kind smallint NOT NULL,
    kind_before smallint,
    explained_by smallint,
    notified_kind smallint,
    notification_count smallint DEFAULT 0 NOT NULL,
    origin smallint NOT NULL,
    evidence smallint NOT NULL,
    close_reason smallint,
    notified_before boolean DEFAULT false NOT NULL,
    episode integer,
    accepted boolean DEFAULT false NOT NULL,
    recomputed boolean DEFAULT false NOT NULL,
    silent_since timestamp with time zone,
    CONSTRAINT incident_close_reason_with_end CHECK (((closed_at IS NULL) = (close_reason IS NULL))),
    CONSTRAINT incident_ends_after_start CHECK ((closed_at >= opened_at))
);

CREATE TABLE public.installation (
    checklist_dismissed_at timestamp with time zone,
    removed_team_max integer DEFAULT 0 NOT NULL,
    number smallint DEFAULT 1 NOT NULL,
    CONSTRAINT installation_one_row CHECK ((number = 1)),
    CONSTRAINT installation_removed_team_max_not_negative CHECK ((removed_team_max >= 0))
);

CREATE TABLE public.live_stream (
    open_until timestamp with time zone NOT NULL,
    instance_id bigint NOT NULL,
    employee_id integer NOT NULL,
    device_no smallint NOT NULL,
    app_session text,
    CONSTRAINT live_stream_app_session_length CHECK (((length(app_session) >= 1) AND (length(app_session) <= 64)))
)
WITH (fillfactor='60');

CREATE TABLE public.login_rate_limit (
    free_at timestamp with time zone NOT NULL,
    subject bytea NOT NULL,
    CONSTRAINT login_rate_limit_subject_length CHECK ((length(subject) = 32))
)
WITH (fillfactor='70');

CREATE TABLE public.notification (
    employee_id integer NOT NULL,
    subject integer NOT NULL,
    queued_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone NOT NULL,
    first_due_at timestamp with time zone,
    managers_at timestamp with time zone,
    lease integer DEFAULT 0 NOT NULL,
    topic smallint NOT NULL,
    ordinal smallint NOT NULL,
    kind smallint,
    attempts smallint DEFAULT 0 NOT NULL,
    failures smallint DEFAULT 0 NOT NULL,
    urgent boolean NOT NULL,
    leased boolean DEFAULT false NOT NULL,
    retried_at timestamp with time zone
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

CREATE TABLE public.notification_history (
    finished_at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    subject integer NOT NULL,
    topic smallint NOT NULL,
    ordinal smallint NOT NULL,
    kind smallint,
    attempts smallint NOT NULL,
    outcome smallint NOT NULL,
    urgent boolean NOT NULL,
    reason text,
    CONSTRAINT notification_history_reason_length CHECK ((length(reason) <= 500))
)
PARTITION BY RANGE (finished_at);

CREATE TABLE public.notification_history_other (
    finished_at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    subject integer NOT NULL,
    topic smallint NOT NULL,
    ordinal smallint NOT NULL,
    kind smallint,
    attempts smallint NOT NULL,
    outcome smallint NOT NULL,
    urgent boolean NOT NULL,
    reason text,
    CONSTRAINT notification_history_reason_length CHECK ((length(reason) <= 500))
);

CREATE TABLE public.outage (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT outage_ends_after_start CHECK ((ended_at > started_at))
);

CREATE TABLE public.past_shift (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    break_ms bigint NOT NULL,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    approved_at timestamp with time zone,
    times_confirmed_at timestamp with time zone,
    approved_by text,
    corrections smallint,
    approved_team integer,
    approved_zone text,
    approved_day date,
    unconfirmed boolean DEFAULT false NOT NULL,
    approved_rounding smallint DEFAULT 0 NOT NULL,
    approved_pays_breaks boolean DEFAULT false NOT NULL,
    needs_review boolean DEFAULT false NOT NULL,
    CONSTRAINT past_shift_ends_after_start CHECK ((ended_at > started_at))
);

CREATE TABLE public.past_site (
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    team_id integer NOT NULL,
    latitude_e7 integer NOT NULL,
    longitude_e7 integer NOT NULL,
    radius_m integer NOT NULL,
    site_no smallint NOT NULL,
    name text NOT NULL,
    CONSTRAINT past_site_in_order CHECK ((since < until))
);

CREATE TABLE public.payroll_settings (
    starts_on date NOT NULL,
    number smallint DEFAULT 1 NOT NULL,
    period smallint NOT NULL,
    hours_format smallint NOT NULL,
    columns smallint[] NOT NULL,
    CONSTRAINT payroll_settings_columns_count CHECK (((cardinality(columns) >= 1) AND (cardinality(columns) <= 30))),
    CONSTRAINT payroll_settings_hours_format_known CHECK (((hours_format >= 0) AND (hours_format <= 2))),
    CONSTRAINT payroll_settings_one_row CHECK ((number = 1)),
    CONSTRAINT payroll_settings_period_known CHECK (((period >= 0) AND (period <= 3)))
);

CREATE TABLE public.permission_report (
    employee_id integer NOT NULL,
    shift_no integer,
    report_id bigint NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    counts_from timestamp with time zone,
    exit_at timestamp with time zone,
    skew_ms bigint,
    sequence bigint,
    place bigint,
    installation_no integer DEFAULT 0 NOT NULL,
    device_no smallint NOT NULL,
    authorization_code smallint NOT NULL,
    grant_path smallint NOT NULL,
    accuracy smallint NOT NULL,
    services smallint NOT NULL,
    notifications smallint NOT NULL,
    battery_optimisation smallint NOT NULL,
    background_refresh smallint NOT NULL,
    power_save smallint NOT NULL,
    foreground_service smallint NOT NULL,
    background_fix smallint NOT NULL,
    mock_location smallint DEFAULT 0 NOT NULL,
    exit_cause smallint,
    trigger text,
    source text,
    raw text,
    CONSTRAINT permission_report_authorization_known CHECK (((authorization_code >= 0) AND (authorization_code <= 5))),
    CONSTRAINT permission_report_exit_whole CHECK (((exit_at IS NULL) = (exit_cause IS NULL))),
    CONSTRAINT permission_report_raw_length CHECK (((length(raw) >= 1) AND (length(raw) <= 1000))),
    CONSTRAINT permission_report_source_length CHECK ((length(source) <= 50)),
    CONSTRAINT permission_report_trigger_length CHECK ((length(trigger) <= 50))
);

CREATE TABLE public.ping (
    recorded_at timestamp with time zone NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    latitude_e7 integer,
    longitude_e7 integer,
    arrived_ms integer NOT NULL,
    device_no smallint NOT NULL,
    accuracy_m smallint NOT NULL,
    speed_cm_s smallint NOT NULL,
    heading_deg smallint NOT NULL,
    altitude_m smallint NOT NULL,
    flags smallint NOT NULL,
    CONSTRAINT ping_latitude_range CHECK (((latitude_e7 >= '-900000000'::integer) AND (latitude_e7 <= 900000000))),
    CONSTRAINT ping_longitude_range CHECK (((longitude_e7 >= '-1800000000'::integer) AND (longitude_e7 <= 1800000000))),
    CONSTRAINT ping_place_whole CHECK (((latitude_e7 IS NULL) = (longitude_e7 IS NULL)))
)
PARTITION BY RANGE (recorded_at);

CREATE TABLE public.ping_other (
    recorded_at timestamp with time zone NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    latitude_e7 integer,
    longitude_e7 integer,
    arrived_ms integer NOT NULL,
    device_no smallint NOT NULL,
    accuracy_m smallint NOT NULL,
    speed_cm_s smallint NOT NULL,
    heading_deg smallint NOT NULL,
    altitude_m smallint NOT NULL,
    flags smallint NOT NULL,
    CONSTRAINT ping_latitude_range CHECK (((latitude_e7 >= '-900000000'::integer) AND (latitude_e7 <= 900000000))),
    CONSTRAINT ping_longitude_range CHECK (((longitude_e7 >= '-1800000000'::integer) AND (longitude_e7 <= 1800000000))),
    CONSTRAINT ping_place_whole CHECK (((latitude_e7 IS NULL) = (longitude_e7 IS NULL)))
)
WITH (autovacuum_vacuum_insert_scale_factor='0.05');

CREATE TABLE public.planned_policy (
    team_id integer NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    blocking integer NOT NULL,
    warning integer NOT NULL,
    fresh_for_ms integer NOT NULL,
    debounce_ms integer NOT NULL,
    ping_interval_ms integer NOT NULL,
    break_max_ms integer NOT NULL,
    shift_max_ms integer NOT NULL,
    reminder_after_ms integer DEFAULT 36000000 NOT NULL,
    email_after_ms integer DEFAULT 300000 NOT NULL,
    managers_after_ms integer DEFAULT 600000 NOT NULL,
    cooldown_ms integer DEFAULT 600000 NOT NULL,
    max_rest_ms integer DEFAULT 1800000 NOT NULL,
    accuracy_max_m integer,
    preset smallint NOT NULL,
    self_override smallint DEFAULT 0 NOT NULL,
    opens_planned_shifts boolean DEFAULT false NOT NULL,
    saved_by text,
    late_after_ms integer DEFAULT 0 NOT NULL,
    no_show_after_ms integer DEFAULT 0 NOT NULL,
    valid_from timestamp with time zone,
    mass_silence_wait_ms integer DEFAULT 600000 NOT NULL,
    hidden_reminder_after_ms integer DEFAULT 900000 NOT NULL,
    ignored integer DEFAULT 7864320 NOT NULL,
    early_window_ms integer DEFAULT 900000 NOT NULL,
    away_after_ms integer DEFAULT 0 NOT NULL,
    CONSTRAINT planned_policy_named CHECK ((num_nulls(valid_from, saved_by) = 0)),
    CONSTRAINT policy_version_accuracy_max_range CHECK (((accuracy_max_m >= 1) AND (accuracy_max_m <= 100000))),
    CONSTRAINT policy_version_away_after_range CHECK (((away_after_ms = 0) OR ((away_after_ms >= 300000) AND (away_after_ms <= 7200000)))),
    CONSTRAINT policy_version_break_max_range CHECK (((break_max_ms >= 60000) AND (break_max_ms <= 86400000))),
    CONSTRAINT policy_version_cooldown_range CHECK (((cooldown_ms >= 0) AND (cooldown_ms <= 86400000))),
    CONSTRAINT policy_version_debounce_range CHECK (((debounce_ms >= 0) AND (debounce_ms <= 3000))),
    CONSTRAINT policy_version_early_window_range CHECK (((early_window_ms >= 0) AND (early_window_ms <= 14400000))),
    CONSTRAINT policy_version_email_after_range CHECK (((email_after_ms >= 0) AND (email_after_ms <= 86400000))),
    CONSTRAINT policy_version_fresh_for_range CHECK (((fresh_for_ms >= 1000) AND (fresh_for_ms <= 86400000))),
    CONSTRAINT policy_version_hidden_reminder_after_range CHECK (((hidden_reminder_after_ms >= 0) AND (hidden_reminder_after_ms <= 14400000))),
    CONSTRAINT policy_version_late_after_range CHECK (((late_after_ms >= 0) AND (late_after_ms <= 43200000))),
    CONSTRAINT policy_version_managers_after_range CHECK (((managers_after_ms >= 0) AND (managers_after_ms <= 86400000))),
    CONSTRAINT policy_version_mass_silence_wait_range CHECK (((mass_silence_wait_ms >= 0) AND (mass_silence_wait_ms <= 600000))),
    CONSTRAINT policy_version_max_rest_range CHECK (((max_rest_ms >= 0) AND (max_rest_ms <= 3600000))),
    CONSTRAINT policy_version_no_show_after_range CHECK (((no_show_after_ms >= 0) AND (no_show_after_ms <= 43200000))),
    CONSTRAINT policy_version_one_severity CHECK (((blocking & warning) = 0)),
    CONSTRAINT policy_version_ping_interval_range CHECK (((ping_interval_ms >= 1000) AND (ping_interval_ms <= 3600000))),
    CONSTRAINT policy_version_preset_not_negative CHECK ((preset >= 0)),
    CONSTRAINT policy_version_reminder_after_range CHECK (((reminder_after_ms >= 3600000) AND (reminder_after_ms <= 86400000))),
    CONSTRAINT policy_version_saved_by_length CHECK (((length(saved_by) >= 1) AND (length(saved_by) <= 100))),
    CONSTRAINT policy_version_self_override_known CHECK (((self_override >= 0) AND (self_override <= 1))),
    CONSTRAINT policy_version_shift_max_range CHECK (((shift_max_ms >= 14400000) AND (shift_max_ms <= 86400000)))
);

CREATE TABLE public.planned_shift (
    planned_shift_id bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    created_by text NOT NULL,
    late_at timestamp with time zone,
    no_show_at timestamp with time zone,
    sites smallint[] DEFAULT '{}'::smallint[] NOT NULL,
    CONSTRAINT planned_shift_by_length CHECK (((length(created_by) >= 1) AND (length(created_by) <= 100))),
    CONSTRAINT planned_shift_ends_after_start CHECK ((ends_at > starts_at)),
    CONSTRAINT planned_shift_sites_few CHECK ((cardinality(sites) <= 20))
);

CREATE TABLE public.policy_version (
    team_id integer NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    blocking integer NOT NULL,
    warning integer NOT NULL,
    fresh_for_ms integer NOT NULL,
    debounce_ms integer NOT NULL,
    ping_interval_ms integer NOT NULL,
    break_max_ms integer NOT NULL,
    shift_max_ms integer NOT NULL,
    reminder_after_ms integer DEFAULT 36000000 NOT NULL,
    email_after_ms integer DEFAULT 300000 NOT NULL,
    managers_after_ms integer DEFAULT 600000 NOT NULL,
    cooldown_ms integer DEFAULT 600000 NOT NULL,
    max_rest_ms integer DEFAULT 1800000 NOT NULL,
    accuracy_max_m integer,
    preset smallint NOT NULL,
    self_override smallint DEFAULT 0 NOT NULL,
    opens_planned_shifts boolean DEFAULT false NOT NULL,
    saved_by text,
    late_after_ms integer DEFAULT 0 NOT NULL,
    no_show_after_ms integer DEFAULT 0 NOT NULL,
    valid_from timestamp with time zone,
    mass_silence_wait_ms integer DEFAULT 600000 NOT NULL,
    hidden_reminder_after_ms integer DEFAULT 900000 NOT NULL,
    ignored integer DEFAULT 7864320 NOT NULL,
    early_window_ms integer DEFAULT 900000 NOT NULL,
    away_after_ms integer DEFAULT 0 NOT NULL,
    CONSTRAINT policy_version_accuracy_max_range CHECK (((accuracy_max_m >= 1) AND (accuracy_max_m <= 100000))),
    CONSTRAINT policy_version_away_after_range CHECK (((away_after_ms = 0) OR ((away_after_ms >= 300000) AND (away_after_ms <= 7200000)))),
    CONSTRAINT policy_version_break_max_range CHECK (((break_max_ms >= 60000) AND (break_max_ms <= 86400000))),
    CONSTRAINT policy_version_cooldown_range CHECK (((cooldown_ms >= 0) AND (cooldown_ms <= 86400000))),
    CONSTRAINT policy_version_debounce_range CHECK (((debounce_ms >= 0) AND (debounce_ms <= 3000))),
    CONSTRAINT policy_version_early_window_range CHECK (((early_window_ms >= 0) AND (early_window_ms <= 14400000))),
    CONSTRAINT policy_version_email_after_range CHECK (((email_after_ms >= 0) AND (email_after_ms <= 86400000))),
    CONSTRAINT policy_version_fresh_for_range CHECK (((fresh_for_ms >= 1000) AND (fresh_for_ms <= 86400000))),
    CONSTRAINT policy_version_hidden_reminder_after_range CHECK (((hidden_reminder_after_ms >= 0) AND (hidden_reminder_after_ms <= 14400000))),
    CONSTRAINT policy_version_late_after_range CHECK (((late_after_ms >= 0) AND (late_after_ms <= 43200000))),
    CONSTRAINT policy_version_managers_after_range CHECK (((managers_after_ms >= 0) AND (managers_after_ms <= 86400000))),
    CONSTRAINT policy_version_mass_silence_wait_range CHECK (((mass_silence_wait_ms >= 0) AND (mass_silence_wait_ms <= 600000))),
    CONSTRAINT policy_version_max_rest_range CHECK (((max_rest_ms >= 0) AND (max_rest_ms <= 3600000))),
    CONSTRAINT policy_version_no_show_after_range CHECK (((no_show_after_ms >= 0) AND (no_show_after_ms <= 43200000))),
    CONSTRAINT policy_version_one_severity CHECK (((blocking & warning) = 0)),
    CONSTRAINT policy_version_ping_interval_range CHECK (((ping_interval_ms >= 1000) AND (ping_interval_ms <= 3600000))),
    CONSTRAINT policy_version_preset_not_negative CHECK ((preset >= 0)),
    CONSTRAINT policy_version_reminder_after_range CHECK (((reminder_after_ms >= 3600000) AND (reminder_after_ms <= 86400000))),
    CONSTRAINT policy_version_saved_by_length CHECK (((length(saved_by) >= 1) AND (length(saved_by) <= 100))),
    CONSTRAINT policy_version_self_override_known CHECK (((self_override >= 0) AND (self_override <= 1))),
    CONSTRAINT policy_version_shift_max_range CHECK (((shift_max_ms >= 14400000) AND (shift_max_ms <= 86400000)))
);

CREATE TABLE public.privacy_acknowledgement (
    acknowledged_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    version integer NOT NULL,
    device_no smallint NOT NULL
);

CREATE TABLE public.privacy_notice (
    created_at timestamp with time zone NOT NULL,
    version integer NOT NULL,
    text text NOT NULL,
    CONSTRAINT privacy_notice_text_length CHECK (((length(text) >= 1) AND (length(text) <= 20000))),
    CONSTRAINT privacy_notice_version_positive CHECK ((version > 0))
);

CREATE TABLE public.purge (
    sealed_at timestamp with time zone NOT NULL,
    from_at timestamp with time zone NOT NULL,
    to_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    cause smallint NOT NULL
);

CREATE TABLE public.push_target (
    registered_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    device_no smallint NOT NULL,
    channel smallint NOT NULL,
    sandbox boolean NOT NULL,
    address text NOT NULL,
    public_key bytea,
    secret bytea,
    CONSTRAINT push_target_address_length CHECK (((length(address) >= 1) AND (length(address) <= 2048))),
    CONSTRAINT push_target_channel_not_negative CHECK ((channel >= 0)),
    CONSTRAINT push_target_keys_with_browser CHECK ((((channel = 2) = (public_key IS NOT NULL)) AND ((channel = 2) = (secret IS NOT NULL)))),
    CONSTRAINT push_target_public_key_length CHECK ((length(public_key) = 65)),
    CONSTRAINT push_target_secret_length CHECK ((length(secret) = 16))
);

CREATE TABLE public.quarantined_message (
    received_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    byte_count integer NOT NULL,
    device_no smallint NOT NULL,
    phone_app smallint NOT NULL,
    body_hash bytea NOT NULL,
    reason text NOT NULL,
    body text,
    CONSTRAINT quarantined_message_body_length CHECK ((length(body) <= 16384)),
    CONSTRAINT quarantined_message_hash_length CHECK ((length(body_hash) = 32)),
    CONSTRAINT quarantined_message_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 200)))
);

CREATE TABLE public.restoration (
    lost_at timestamp with time zone NOT NULL,
    restored_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    report_id bigint NOT NULL,
    skew_ms bigint,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    device_no smallint NOT NULL
);

CREATE TABLE public.retention (
    days integer NOT NULL,
    kind smallint NOT NULL,
    CONSTRAINT retention_days_range CHECK (((days >= 8) AND (days <= 36500))),
    CONSTRAINT retention_kind_not_negative CHECK ((kind >= 0))
);

CREATE TABLE public.schema_version (
    version integer NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL
);

CREATE TABLE public.session (
    session_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    renew_at timestamp with time zone NOT NULL,
    previous_until timestamp with time zone,
    ended_at timestamp with time zone,
    account_id integer NOT NULL,
    secret_hash bytea NOT NULL,
    previous_hash bytea,
    address text NOT NULL,
    user_agent text NOT NULL,
    CONSTRAINT session_address_length CHECK ((length(address) <= 100)),
    CONSTRAINT session_previous_hash_length CHECK ((length(previous_hash) = 32)),
    CONSTRAINT session_secret_hash_length CHECK ((length(secret_hash) = 32)),
    CONSTRAINT session_user_agent_length CHECK ((length(user_agent) <= 300))
);

CREATE TABLE public.shift (
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    original_started_at timestamp with time zone,
    original_ended_at timestamp with time zone,
    start_fix_at timestamp with time zone,
    end_fix_at timestamp with time zone,
    asked_from timestamp with time zone,
    offline_received_at timestamp with time zone,
    evidence_report_id bigint,
    policy_version integer NOT NULL,
    fix_age_max_ms integer NOT NULL,
    shift_max_ms integer DEFAULT 57600000 NOT NULL,
    break_max_ms integer DEFAULT 7200000 NOT NULL,
    ping_interval_ms integer DEFAULT 60000 NOT NULL,
    max_rest_ms integer DEFAULT 1800000 NOT NULL,
    accuracy_max_m integer,
    blocking integer NOT NULL,
    warning integer NOT NULL,
    informing integer NOT NULL,
    overridden integer DEFAULT 0 NOT NULL,
    override_no integer,
    start_latitude_e7 integer,
    start_longitude_e7 integer,
    end_latitude_e7 integer,
    end_longitude_e7 integer,
    device_no smallint,
    verdict smallint NOT NULL,
    ended_by smallint,
    start_fix_proof smallint,
    end_fix_proof smallint,
    needs_review boolean DEFAULT false NOT NULL,
    opened_by smallint DEFAULT 0 NOT NULL,
    confirm_by timestamp with time zone,
    opened_by_name text,
    opening_reason text,
    approved_at timestamp with time zone,
    approved_start timestamp with time zone,
    approved_end timestamp with time zone,
    times_confirmed_at timestamp with time zone,
    approved_by text,
    objected_at timestamp with time zone,
    objection text,
    hidden_reminder_at timestamp with time zone,
    approved_team integer,
    approved_zone text,
    approved_day date,
    earlier_reports bigint[],
    ignores_mock boolean DEFAULT false NOT NULL,
    start_accuracy_m double precision,
    end_accuracy_m double precision,
    added_time tstzmultirange,
    approved_rounding smallint DEFAULT 0 NOT NULL,
    approved_pays_breaks boolean DEFAULT false NOT NULL,
    CONSTRAINT shift_approval_locks CHECK (((approved_at IS NULL) OR ((started_at = approved_start) AND (ended_at = approved_end) AND (ended_at IS NOT NULL) AND (NOT needs_review)))),
    CONSTRAINT shift_approval_whole CHECK ((num_nulls(approved_at, approved_by, approved_start, approved_end) = ANY (ARRAY[0, 4]))),
    CONSTRAINT shift_approved_by_length CHECK ((length(approved_by) <= 100)),
    CONSTRAINT shift_device_unless_opened CHECK (((device_no IS NOT NULL) OR (opened_by <> 0))),
    CONSTRAINT shift_end_fix_whole CHECK ((((end_fix_at IS NULL) = (end_latitude_e7 IS NULL)) AND ((end_fix_at IS NULL) = (end_longitude_e7 IS NULL)))),
    CONSTRAINT shift_ends_after_start CHECK ((ended_at > started_at)),
    CONSTRAINT shift_objection_length CHECK (((length(objection) >= 1) AND (length(objection) <= 500))),
    CONSTRAINT shift_objection_whole CHECK ((num_nulls(objected_at, objection) = ANY (ARRAY[0, 2]))),
    CONSTRAINT shift_opened_by_name_length CHECK (((length(opened_by_name) >= 1) AND (length(opened_by_name) <= 100))),
    CONSTRAINT shift_opening_reason_length CHECK (((length(opening_reason) >= 1) AND (length(opening_reason) <= 500))),
    CONSTRAINT shift_start_fix_whole CHECK ((((start_fix_at IS NULL) = (start_latitude_e7 IS NULL)) AND ((start_fix_at IS NULL) = (start_longitude_e7 IS NULL)))),
    CONSTRAINT shift_verdict_known CHECK (((verdict >= 0) AND (verdict <= 2)))
);

CREATE TABLE public.shift_break (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    received_at timestamp with time zone,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    break_no smallint NOT NULL,
    CONSTRAINT shift_break_ends_after_start CHECK ((ended_at > started_at))
);

CREATE TABLE public.shift_correction (
    corrected_at timestamp with time zone DEFAULT now() NOT NULL,
    old_started_at timestamp with time zone NOT NULL,
    old_ended_at timestamp with time zone,
    new_started_at timestamp with time zone NOT NULL,
    new_ended_at timestamp with time zone,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    correction_no smallint NOT NULL,
    undoes smallint,
    old_ended_by smallint,
    old_needs_review boolean DEFAULT false NOT NULL,
    corrected_by text NOT NULL,
    reason text NOT NULL,
    old_objected_at timestamp with time zone,
    old_objection text,
    old_breaks timestamp with time zone[],
    new_breaks timestamp with time zone[],
    CONSTRAINT shift_correction_by_length CHECK (((length(corrected_by) >= 1) AND (length(corrected_by) <= 100))),
    CONSTRAINT shift_correction_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 500)))
);

CREATE TABLE public.shift_correction_break (
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    received_at timestamp with time zone,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    correction_no smallint NOT NULL,
    break_no smallint NOT NULL
);

CREATE TABLE public.shift_note (
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    from_at timestamp with time zone NOT NULL,
    to_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    note_no smallint NOT NULL,
    note text NOT NULL,
    CONSTRAINT shift_note_ends_after_start CHECK ((to_at > from_at)),
    CONSTRAINT shift_note_length CHECK (((length(note) >= 1) AND (length(note) <= 500)))
);

CREATE TABLE public.site (
    team_id integer NOT NULL,
    latitude_e7 integer NOT NULL,
    longitude_e7 integer NOT NULL,
    radius_m integer NOT NULL,
    site_no smallint NOT NULL,
    name text NOT NULL,
    since timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT site_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT site_number CHECK ((site_no > 0)),
    CONSTRAINT site_on_earth CHECK ((((latitude_e7 >= '-900000000'::integer) AND (latitude_e7 <= 900000000)) AND ((longitude_e7 >= '-1800000000'::integer) AND (longitude_e7 <= 1800000000)))),
    CONSTRAINT site_radius CHECK (((radius_m >= 50) AND (radius_m <= 5000)))
);

CREATE TABLE public.site_visit (
    arrived_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    visit_no smallint NOT NULL,
    site_no smallint NOT NULL,
    has_left boolean NOT NULL,
    name text NOT NULL,
    CONSTRAINT site_visit_in_order CHECK ((arrived_at <= last_seen_at)),
    CONSTRAINT site_visit_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

CREATE TABLE public.sites_in_force (
    looked_at timestamp with time zone NOT NULL,
    looked_version bigint,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    away_after_ms integer NOT NULL,
    last_away smallint DEFAULT 0 NOT NULL,
    site_nos smallint[] NOT NULL,
    latitudes_e7 integer[] NOT NULL,
    longitudes_e7 integer[] NOT NULL,
    radii_m integer[] NOT NULL,
    CONSTRAINT sites_in_force_whole CHECK (((cardinality(site_nos) > 0) AND (cardinality(latitudes_e7) = cardinality(site_nos)) AND (cardinality(longitudes_e7) = cardinality(site_nos)) AND (cardinality(radii_m) = cardinality(site_nos))))
);

CREATE TABLE public.take_over (
    at timestamp with time zone NOT NULL,
    report_id bigint,
    employee_id integer NOT NULL,
    shift_no integer NOT NULL,
    fix_age_max_ms integer,
    fresh_for_ms integer,
    device_no smallint NOT NULL
);

CREATE TABLE public.team (
    team_id integer NOT NULL,
    policy_version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL,
    time_zone text NOT NULL,
    last_contact smallint DEFAULT 0 NOT NULL,
    last_site smallint DEFAULT 0 NOT NULL,
    is_practice boolean DEFAULT false NOT NULL,
    pay_rounding smallint DEFAULT 0 NOT NULL,
    pays_breaks boolean DEFAULT false NOT NULL,
    CONSTRAINT team_id_positive CHECK ((team_id > 0)),
    CONSTRAINT team_name_length CHECK (((length(name) >= 1) AND (length(name) <= 100))),
    CONSTRAINT team_pay_rounding_known CHECK (((pay_rounding >= 0) AND (pay_rounding <= 6)))
);

CREATE TABLE public.team_contact (
    team_id integer NOT NULL,
    contact_no smallint NOT NULL,
    address text NOT NULL,
    language text DEFAULT 'en'::text NOT NULL,
    channel smallint NOT NULL,
    secret bytea,
    previous_secret bytea,
    weekly_digest boolean DEFAULT false NOT NULL,
    topics smallint DEFAULT 7 NOT NULL,
    quiet_from_min smallint,
    quiet_until_min smallint,
    urgent_in_quiet boolean DEFAULT false NOT NULL,
    ways smallint DEFAULT 3 NOT NULL,
    CONSTRAINT team_contact_address_length CHECK (((length(address) >= 1) AND (length(address) <= 2048))),
    CONSTRAINT team_contact_channel_not_negative CHECK ((channel >= 0)),
    CONSTRAINT team_contact_language_length CHECK (((length(language) >= 2) AND (length(language) <= 35))),
    CONSTRAINT team_contact_number CHECK ((contact_no > 0)),
    CONSTRAINT team_contact_quiet_range CHECK ((((quiet_from_min >= 0) AND (quiet_from_min <= 1439)) AND ((quiet_until_min >= 0) AND (quiet_until_min <= 1439)) AND (quiet_from_min <> quiet_until_min))),
    CONSTRAINT team_contact_quiet_whole CHECK ((num_nulls(quiet_from_min, quiet_until_min) = ANY (ARRAY[0, 2]))),
    CONSTRAINT team_contact_secret_length CHECK ((((length(secret) >= 24) AND (length(secret) <= 64)) AND ((length(previous_secret) >= 24) AND (length(previous_secret) <= 64)))),
    CONSTRAINT team_contact_ways_known CHECK (((ways >= 1) AND (ways <= 3)))
);

CREATE TABLE public.team_digest (
    team_id integer NOT NULL,
    week integer NOT NULL,
    shifts integer NOT NULL,
    open_reviews integer NOT NULL,
    totals bigint[] NOT NULL,
    queued boolean DEFAULT true NOT NULL,
    CONSTRAINT team_digest_counts CHECK (((shifts >= 0) AND (open_reviews >= 0)))
);

CREATE TABLE public.team_notification (
    sent_at timestamp with time zone NOT NULL,
    team_id integer NOT NULL,
    about integer NOT NULL,
    subject smallint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.web_push_key (
    number smallint DEFAULT 1 NOT NULL,
    private_key bytea NOT NULL,
    CONSTRAINT web_push_key_length CHECK ((octet_length(private_key) = 32)),
    CONSTRAINT web_push_key_one_row CHECK ((number = 1))
);

ALTER TABLE ONLY public.delivery_attempt ATTACH PARTITION public.delivery_attempt_other DEFAULT;

ALTER TABLE ONLY public.notification_history ATTACH PARTITION public.notification_history_other DEFAULT;

ALTER TABLE ONLY public.ping ATTACH PARTITION public.ping_other DEFAULT;

ALTER TABLE ONLY public.absence
    ADD CONSTRAINT absence_disjoint EXCLUDE USING gist (employee_id WITH =, tstzrange(starts_at, ends_at) WITH &&);

ALTER TABLE ONLY public.absence
    ADD CONSTRAINT absence_pk PRIMARY KEY (employee_id, absence_id);

ALTER TABLE ONLY public.account_browser
    ADD CONSTRAINT account_browser_once UNIQUE (address);

ALTER TABLE ONLY public.account_browser
    ADD CONSTRAINT account_browser_pk PRIMARY KEY (browser_no);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_email_once UNIQUE (email);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pk PRIMARY KEY (account_id);

ALTER TABLE ONLY public.account_team
    ADD CONSTRAINT account_team_pk PRIMARY KEY (account_id, team_id);

ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT acknowledgement_pk PRIMARY KEY (employee_id, device_no);

ALTER TABLE ONLY public.api_token
    ADD CONSTRAINT api_token_pk PRIMARY KEY (token_id);

ALTER TABLE ONLY public.api_token_team
    ADD CONSTRAINT api_token_team_pk PRIMARY KEY (token_id, team_id);

ALTER TABLE ONLY public.app_event
    ADD CONSTRAINT app_event_pk PRIMARY KEY (employee_id, device_no, app_session, kind, recorded_at);

ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_pk PRIMARY KEY (employee_id, entry_id);

ALTER TABLE ONLY public.away_span
    ADD CONSTRAINT away_span_pk PRIMARY KEY (employee_id, shift_no, away_no);

ALTER TABLE ONLY public.backup
    ADD CONSTRAINT backup_pk PRIMARY KEY (finished_at);

ALTER TABLE ONLY public.clock_action
    ADD CONSTRAINT clock_action_pk PRIMARY KEY (employee_id, device_no, action_id);

ALTER TABLE ONLY public.coverage_rollup
    ADD CONSTRAINT coverage_rollup_pk PRIMARY KEY (employee_id, shift_no);

ALTER TABLE ONLY public.delivery_attempt
    ADD CONSTRAINT delivery_attempt_pk PRIMARY KEY (employee_id, topic, subject, ordinal, attempt_no, started_at);

ALTER TABLE ONLY public.delivery_attempt_other
    ADD CONSTRAINT delivery_attempt_other_pkey PRIMARY KEY (employee_id, topic, subject, ordinal, attempt_no, started_at);

ALTER TABLE ONLY public.detection
    ADD CONSTRAINT detection_pk PRIMARY KEY (employee_id, report_id, incident_no);

ALTER TABLE ONLY public.device_contact
    ADD CONSTRAINT device_contact_pk PRIMARY KEY (employee_id, device_no);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pk PRIMARY KEY (employee_id, device_no);

ALTER TABLE ONLY public.employee
    ADD CONSTRAINT employee_pk PRIMARY KEY (employee_id);

ALTER TABLE ONLY public.enrolment_code
    ADD CONSTRAINT enrolment_code_pk PRIMARY KEY (employee_id, code_hash);

ALTER TABLE ONLY public.erased_number
    ADD CONSTRAINT erased_number_pk PRIMARY KEY (number);

ALTER TABLE ONLY public.guard_override
    ADD CONSTRAINT guard_override_pk PRIMARY KEY (employee_id, override_no);

ALTER TABLE ONLY public.guard_state
    ADD CONSTRAINT guard_state_pk PRIMARY KEY (employee_id);

ALTER TABLE ONLY public.heartbeat
    ADD CONSTRAINT heartbeat_pk PRIMARY KEY (instance_id);

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_notification_once UNIQUE (employee_id, topic, subject, ordinal);

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_pk PRIMARY KEY (employee_id, notification_no);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_pk PRIMARY KEY (employee_id, incident_no);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pk PRIMARY KEY (number);

ALTER TABLE ONLY public.live_stream
    ADD CONSTRAINT live_stream_pk PRIMARY KEY (employee_id, device_no);

ALTER TABLE ONLY public.login_rate_limit
    ADD CONSTRAINT login_rate_limit_pk PRIMARY KEY (subject);

ALTER TABLE ONLY public.notification_history
    ADD CONSTRAINT notification_history_pk PRIMARY KEY (employee_id, topic, subject, ordinal, finished_at);

ALTER TABLE ONLY public.notification_history_other
    ADD CONSTRAINT notification_history_other_pkey PRIMARY KEY (employee_id, topic, subject, ordinal, finished_at);

ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_pk PRIMARY KEY (employee_id, topic, subject, ordinal);

ALTER TABLE ONLY public.outage
    ADD CONSTRAINT outage_pk PRIMARY KEY (started_at);

ALTER TABLE ONLY public.outage
    ADD CONSTRAINT outage_spans_disjoint EXCLUDE USING gist (tstzrange(started_at, ended_at) WITH &&);

ALTER TABLE ONLY public.past_shift
    ADD CONSTRAINT past_shift_pk PRIMARY KEY (employee_id, shift_no);

ALTER TABLE ONLY public.past_site
    ADD CONSTRAINT past_site_pk PRIMARY KEY (team_id, site_no, until);

ALTER TABLE ONLY public.payroll_settings
    ADD CONSTRAINT payroll_settings_pk PRIMARY KEY (number);

ALTER TABLE ONLY public.permission_report
    ADD CONSTRAINT permission_report_pk PRIMARY KEY (employee_id, report_id);

ALTER TABLE ONLY public.ping
    ADD CONSTRAINT ping_pk PRIMARY KEY (employee_id, device_no, recorded_at);

ALTER TABLE ONLY public.ping_other
    ADD CONSTRAINT ping_other_pkey PRIMARY KEY (employee_id, device_no, recorded_at);

ALTER TABLE ONLY public.planned_policy
    ADD CONSTRAINT planned_policy_pk PRIMARY KEY (team_id);

ALTER TABLE ONLY public.planned_shift
    ADD CONSTRAINT planned_shift_disjoint EXCLUDE USING gist (employee_id WITH =, tstzrange(starts_at, ends_at) WITH &&);

ALTER TABLE ONLY public.planned_shift
    ADD CONSTRAINT planned_shift_pk PRIMARY KEY (employee_id, planned_shift_id);

ALTER TABLE ONLY public.policy_version
    ADD CONSTRAINT policy_version_pk PRIMARY KEY (team_id, version);

ALTER TABLE ONLY public.privacy_acknowledgement
    ADD CONSTRAINT privacy_acknowledgement_pk PRIMARY KEY (employee_id, version);

ALTER TABLE ONLY public.privacy_notice
    ADD CONSTRAINT privacy_notice_pk PRIMARY KEY (version);

ALTER TABLE ONLY public.purge
    ADD CONSTRAINT purge_pk PRIMARY KEY (employee_id, shift_no, sealed_at, cause, from_at);

ALTER TABLE ONLY public.push_target
    ADD CONSTRAINT push_target_pk PRIMARY KEY (employee_id, device_no);

ALTER TABLE ONLY public.quarantined_message
    ADD CONSTRAINT quarantined_message_pk PRIMARY KEY (employee_id, device_no, body_hash);

ALTER TABLE ONLY public.restoration
    ADD CONSTRAINT restoration_pk PRIMARY KEY (employee_id, report_id);

ALTER TABLE ONLY public.retention
    ADD CONSTRAINT retention_pk PRIMARY KEY (kind);

ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pk PRIMARY KEY (version);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pk PRIMARY KEY (session_id);

ALTER TABLE ONLY public.shift_break
    ADD CONSTRAINT shift_break_disjoint EXCLUDE USING gist (employee_id WITH =, tstzrange(started_at, ended_at) WITH &&);

ALTER TABLE ONLY public.shift_break
    ADD CONSTRAINT shift_break_pk PRIMARY KEY (employee_id, shift_no, break_no);

ALTER TABLE ONLY public.shift_correction_break
    ADD CONSTRAINT shift_correction_break_pk PRIMARY KEY (employee_id, shift_no, correction_no, break_no);

ALTER TABLE ONLY public.shift_correction
    ADD CONSTRAINT shift_correction_pk PRIMARY KEY (employee_id, shift_no, correction_no);

ALTER TABLE ONLY public.shift_note
    ADD CONSTRAINT shift_note_pk PRIMARY KEY (employee_id, shift_no, note_no);

ALTER TABLE ONLY public.shift
    ADD CONSTRAINT shift_pk PRIMARY KEY (employee_id, shift_no);

ALTER TABLE ONLY public.shift
    ADD CONSTRAINT shift_spans_disjoint EXCLUDE USING gist (employee_id WITH =, tstzrange(started_at, ended_at) WITH &&);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_once UNIQUE (team_id, name);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_pk PRIMARY KEY (team_id, site_no);

ALTER TABLE ONLY public.site_visit
    ADD CONSTRAINT site_visit_pk PRIMARY KEY (employee_id, shift_no, visit_no);

ALTER TABLE ONLY public.sites_in_force
    ADD CONSTRAINT sites_in_force_pk PRIMARY KEY (employee_id, shift_no);

ALTER TABLE ONLY public.take_over
    ADD CONSTRAINT take_over_pk PRIMARY KEY (employee_id, shift_no, at);

ALTER TABLE ONLY public.team_contact
    ADD CONSTRAINT team_contact_once UNIQUE (team_id, channel, address);

ALTER TABLE ONLY public.team_contact
    ADD CONSTRAINT team_contact_pk PRIMARY KEY (team_id, contact_no);

ALTER TABLE ONLY public.team_digest
    ADD CONSTRAINT team_digest_pk PRIMARY KEY (team_id, week);

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_name_once UNIQUE (name);

ALTER TABLE ONLY public.team_notification
    ADD CONSTRAINT team_notification_pk PRIMARY KEY (team_id, subject);

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_pk PRIMARY KEY (team_id);

ALTER TABLE ONLY public.web_push_key
    ADD CONSTRAINT web_push_key_pk PRIMARY KEY (number);

CREATE INDEX account_browser_by_account ON public.account_browser USING btree (account_id);

CREATE INDEX app_event_by_receipt ON public.app_event USING btree (employee_id, device_no, received_at);

CREATE INDEX app_event_by_time ON public.app_event USING btree (effective_at);

CREATE INDEX audit_entry_by_time ON public.audit_entry USING btree (entry_id);

CREATE UNIQUE INDEX away_span_one_lasts ON public.away_span USING btree (employee_id, shift_no) WHERE (ended_at IS NULL);

CREATE INDEX away_span_started ON public.away_span USING btree (started_at);

CREATE INDEX clock_action_blocked ON public.clock_action USING btree (received_at) WHERE ((outcome = 3) AND (reviewed_at IS NULL));

CREATE INDEX clock_action_by_number ON public.clock_action USING btree (employee_id, action_no) WHERE (action_no IS NOT NULL);

CREATE INDEX clock_action_by_time ON public.clock_action USING btree (employee_id, received_at);

CREATE INDEX clock_action_to_review ON public.clock_action USING btree (received_at) WHERE (needs_review AND (reviewed_at IS NULL));

CREATE INDEX clock_action_waiting_report ON public.clock_action USING btree (employee_id, report_id) WHERE ((reviewed_at IS NULL) AND (action_no IS NOT NULL));

CREATE INDEX clock_action_with_place ON public.clock_action USING btree (received_at) WHERE (has_sites IS NOT NULL);

CREATE INDEX coverage_rollup_missing ON public.coverage_rollup USING btree (employee_id, shift_no) WHERE ((positions IS NULL) AND (NOT sealed));

CREATE INDEX delivery_attempt_by_channel ON ONLY public.delivery_attempt USING btree (channel, started_at);

CREATE INDEX delivery_attempt_other_channel_started_at_idx ON public.delivery_attempt_other USING btree (channel, started_at);

CREATE INDEX detection_by_time ON public.detection USING btree (received_at);

CREATE INDEX device_by_arrival ON public.device USING btree (arrived_at) WHERE (arrived_at IS NOT NULL);

CREATE INDEX device_by_departure ON public.device USING btree (left_received_at) WHERE (left_received_at IS NOT NULL);

CREATE INDEX employee_by_team ON public.employee USING btree (team_id);

CREATE INDEX employee_practice_until ON public.employee USING btree (practice_until) WHERE (practice_until IS NOT NULL);

CREATE INDEX guard_override_unused ON public.guard_override USING btree (expires_at) WHERE ((used_shift IS NULL) AND (withdrawn_at IS NULL));

CREATE INDEX guard_state_due ON public.guard_state USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX incident_by_opening ON public.incident USING btree (opened_at);

CREATE INDEX incident_by_shift ON public.incident USING btree (employee_id, shift_no);

CREATE UNIQUE INDEX incident_one_open ON public.incident USING btree (employee_id, device_no, dimension) WHERE (closed_at IS NULL);

CREATE INDEX notification_by_due ON public.notification USING btree (due_at);

CREATE INDEX notification_history_dead ON ONLY public.notification_history USING btree (finished_at) WHERE (outcome = ANY (ARRAY[7, 8]));

CREATE INDEX notification_history_other_finished_at_idx ON public.notification_history_other USING btree (finished_at) WHERE (outcome = ANY (ARRAY[7, 8]));

CREATE INDEX past_shift_by_start ON public.past_shift USING btree (started_at);

CREATE INDEX permission_report_by_shift ON public.permission_report USING btree (employee_id, shift_no, effective_at);

CREATE UNIQUE INDEX permission_report_sequence_once ON public.permission_report USING btree (employee_id, device_no, installation_no, sequence) WHERE (sequence IS NOT NULL);

CREATE INDEX planned_shift_by_start ON public.planned_shift USING btree (starts_at);

CREATE INDEX purge_by_time ON public.purge USING btree (sealed_at);

CREATE INDEX quarantined_message_by_time ON public.quarantined_message USING btree (received_at);

CREATE INDEX restoration_by_time ON public.restoration USING btree (received_at);

CREATE INDEX session_by_account ON public.session USING btree (account_id, session_id);

CREATE INDEX shift_by_start ON public.shift USING btree (started_at);

CREATE UNIQUE INDEX shift_one_open ON public.shift USING btree (employee_id) WHERE (ended_at IS NULL);

CREATE INDEX shift_to_review ON public.shift USING btree (started_at) WHERE needs_review;

CREATE INDEX site_visit_last_seen ON public.site_visit USING btree (last_seen_at);

CREATE INDEX sites_in_force_looked ON public.sites_in_force USING btree (looked_at);

CREATE UNIQUE INDEX team_practice_once ON public.team USING btree (is_practice) WHERE is_practice;

ALTER INDEX public.delivery_attempt_by_channel ATTACH PARTITION public.delivery_attempt_other_channel_started_at_idx;

ALTER INDEX public.delivery_attempt_pk ATTACH PARTITION public.delivery_attempt_other_pkey;

ALTER INDEX public.notification_history_dead ATTACH PARTITION public.notification_history_other_finished_at_idx;

ALTER INDEX public.notification_history_pk ATTACH PARTITION public.notification_history_other_pkey;

ALTER INDEX public.ping_pk ATTACH PARTITION public.ping_other_pkey;

ALTER TABLE ONLY public.absence
    ADD CONSTRAINT absence_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.account_browser
    ADD CONSTRAINT account_browser_account FOREIGN KEY (account_id) REFERENCES public.account(account_id);

ALTER TABLE ONLY public.account_team
    ADD CONSTRAINT account_team_account FOREIGN KEY (account_id) REFERENCES public.account(account_id);

ALTER TABLE ONLY public.account_team
    ADD CONSTRAINT account_team_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.acknowledgement
    ADD CONSTRAINT acknowledgement_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.api_token_team
    ADD CONSTRAINT api_token_team_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.api_token_team
    ADD CONSTRAINT api_token_team_token FOREIGN KEY (token_id) REFERENCES public.api_token(token_id);

ALTER TABLE ONLY public.away_span
    ADD CONSTRAINT away_span_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no) ON DELETE CASCADE;

ALTER TABLE ONLY public.clock_action
    ADD CONSTRAINT clock_action_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.coverage_rollup
    ADD CONSTRAINT coverage_rollup_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.device_contact
    ADD CONSTRAINT device_contact_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.employee
    ADD CONSTRAINT employee_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.enrolment_code
    ADD CONSTRAINT enrolment_code_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.guard_override
    ADD CONSTRAINT guard_override_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.guard_state
    ADD CONSTRAINT guard_state_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.incident
    ADD CONSTRAINT incident_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.notification
    ADD CONSTRAINT notification_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.past_site
    ADD CONSTRAINT past_site_team FOREIGN KEY (team_id) REFERENCES public.team(team_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.permission_report
    ADD CONSTRAINT permission_report_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.planned_policy
    ADD CONSTRAINT planned_policy_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.planned_shift
    ADD CONSTRAINT planned_shift_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.policy_version
    ADD CONSTRAINT policy_version_team FOREIGN KEY (team_id) REFERENCES public.team(team_id) ON DELETE CASCADE;

ALTER TABLE ONLY public.purge
    ADD CONSTRAINT purge_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.push_target
    ADD CONSTRAINT push_target_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.quarantined_message
    ADD CONSTRAINT quarantined_message_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no) ON DELETE CASCADE;

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_account FOREIGN KEY (account_id) REFERENCES public.account(account_id);

ALTER TABLE ONLY public.shift_break
    ADD CONSTRAINT shift_break_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.shift_correction_break
    ADD CONSTRAINT shift_correction_break_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.shift_correction
    ADD CONSTRAINT shift_correction_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.shift
    ADD CONSTRAINT shift_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.shift
    ADD CONSTRAINT shift_employee FOREIGN KEY (employee_id) REFERENCES public.employee(employee_id);

ALTER TABLE ONLY public.shift_note
    ADD CONSTRAINT shift_note_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.site_visit
    ADD CONSTRAINT site_visit_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no) ON DELETE CASCADE;

ALTER TABLE ONLY public.sites_in_force
    ADD CONSTRAINT sites_in_force_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no) ON DELETE CASCADE;

ALTER TABLE ONLY public.take_over
    ADD CONSTRAINT take_over_device FOREIGN KEY (employee_id, device_no) REFERENCES public.device(employee_id, device_no);

ALTER TABLE ONLY public.take_over
    ADD CONSTRAINT take_over_shift FOREIGN KEY (employee_id, shift_no) REFERENCES public.shift(employee_id, shift_no);

ALTER TABLE ONLY public.team_contact
    ADD CONSTRAINT team_contact_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.team_digest
    ADD CONSTRAINT team_digest_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);

ALTER TABLE ONLY public.team_notification
    ADD CONSTRAINT team_notification_team FOREIGN KEY (team_id) REFERENCES public.team(team_id);


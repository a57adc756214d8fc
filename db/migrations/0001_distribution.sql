-- Why: the same migrations run on plain PostgreSQL and on Citus. These helpers distribute a table
--   over the nodes if the extension exists, and otherwise do nothing.
-- Locks: none on data. Size: two functions.
CREATE EXTENSION IF NOT EXISTS btree_gist;

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

CREATE FUNCTION replicate_everywhere(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE format('SELECT create_reference_table(%L::regclass)', target::text);
  END IF;
END $$;

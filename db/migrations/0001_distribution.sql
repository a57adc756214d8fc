-- Why: the same migrations run on plain PostgreSQL and on Citus. These helpers distribute a table
--   over the nodes if the extension exists, and otherwise do nothing.
-- Locks: none, nothing exists yet. Size: two functions.
--
-- Rules for this folder: the files are append-only; a change of the schema is a new file with the
--   next number, after which programs of the previous version must still work: nothing that they use
--   is dropped, renamed, retyped or required (CONTRIBUTING.md, "Migrations"). Each file runs once,
--   statement by statement, in one transaction. On Citus:
--   every SELECT has a column, EXISTS (SELECT 1 FROM …) included;
--   a table is distributed before it has rows; its keys, unique indexes and foreign keys contain
--   `employee_id`; a foreign key refers to another table of employees or to a replicated table; an
--   ALTER TABLE of a distributed table adds one constraint and nothing else, and ADD COLUMN has no
--   CHECK.
-- Codes of smallint columns are the raw values of enums in Sources, and are append-only too. Times
--   are the server's unless a comment says otherwise.
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

-- Copies a small table without rows of employees to every node.
CREATE FUNCTION replicate_everywhere(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    EXECUTE format('SELECT create_reference_table(%L::regclass)', target::text);
  END IF;
END $$;

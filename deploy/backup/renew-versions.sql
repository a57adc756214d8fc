-- Gives every employee a version that no earlier state of the database has given. Run it after every
-- restoration, before guardd connects; `restore` does so.
--
-- guardd and apps cache by the number of an employee and guard_state.version. An older database would
-- count on from an older version, and so give versions again that caches know with other facts: another
-- instance would accept a revoked token, and an app would learn that nothing has changed. Versions begin
-- at the clock of the database in microseconds and are increased by one, so the present is above all.
\set ON_ERROR_STOP on
SET statement_timeout = 0;
SET lock_timeout = 0;
START TRANSACTION READ WRITE;
-- As a constant, because Citus refuses a clock in an UPDATE.
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS present \gset
UPDATE public.guard_state SET version = greatest(version + 1, :present);
COMMIT;

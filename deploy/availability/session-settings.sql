-- What guardd sets in each of its sessions, for a role that connects through a pooler in transaction
-- mode: there a session belongs to no client. guardd warns at its start if one of these is missing.
-- Run it as a superuser, directly on PostgreSQL.
ALTER ROLE shiftguard SET timezone = 'UTC';
-- Well over any deadline of guardd: a statement that is ended while COMMIT waits for a standby would
-- be answered as if it had been copied.
ALTER ROLE shiftguard SET statement_timeout = '30s';
ALTER ROLE shiftguard SET idle_in_transaction_session_timeout = '30s';
-- The statement of a client that has gone ends within half a second.
ALTER ROLE shiftguard SET client_connection_check_interval = '500ms';
-- For speed, without a warning.
ALTER ROLE shiftguard SET jit = off;
ALTER ROLE shiftguard SET random_page_cost = 1.1;

-- 500 employees with a shift of eight hours on each of the last :days days, with a break, rolled up
-- and sealed, with totals as the service stores them; and an open shift of four hours, in which a phone
-- reports. The token of a phone is derived from its number.
INSERT INTO team (team_id, name, time_zone)
SELECT n, 'Team ' || n, 'Europe/Warsaw' FROM generate_series(1, 10) AS n;
INSERT INTO policy_version (
  team_id, version, preset, blocking, warning, fresh_for_ms, debounce_ms, ping_interval_ms,
  break_max_ms, shift_max_ms)
SELECT team_id, 1, 0, 0, 0, 300000, 2000, 40000, 7200000, 57600000 FROM team;
INSERT INTO employee (employee_id, team_id, name)
SELECT n, 1 + n % 10, 'Employee ' || n FROM generate_series(1, 500) AS n;
INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
SELECT n, 1, 1, true, sha256(sha256(n::text::bytea)) FROM generate_series(1, 500) AS n;
INSERT INTO guard_state (
  employee_id, last_shift, open_shift, opened_at, last_device, open_device, due_at)
SELECT n, :days + 1, :days + 1, now() - interval '4 hours', 1, 1, now() + interval '9 hours'
FROM generate_series(1, 500) AS n;
INSERT INTO shift (
  employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms, blocking,
  warning, informing, verdict)
SELECT employee, day, 1, began, began + interval '8 hours', 1, 252000, 0, 0, 0, 0
FROM generate_series(1, 500) AS employee, generate_series(1, :days) AS day, LATERAL (
  SELECT date_trunc('day', now()) + (day - :days - 1) * interval '1 day' + interval '8 hours'
    + (employee % 60) * interval '1 minute' AS began) AS shift;
INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
SELECT employee_id, shift_no, 1, started_at + interval '4 hours',
  started_at + interval '4 hours 30 minutes'
FROM shift;
INSERT INTO coverage_rollup (
  employee_id, shift_no, version, totals_version, totals_outage_ms, sealed, totals)
SELECT employee_id, shift_no, 1, 1, 0, true, ARRAY[
  25200000 - 1000 * (employee_id % 600), 1800000, 0, 0, 1000 * (employee_id % 600), 0, 0, 0, 0, 0,
  0, 0, 0, 1800000, 0, 0, 0, 0]
FROM shift;
INSERT INTO shift (
  employee_id, shift_no, device_no, started_at, policy_version, fix_age_max_ms, blocking, warning,
  informing, verdict)
SELECT n, :days + 1, 1, now() - interval '4 hours', 1, 252000, 0, 0, 0, 0
FROM generate_series(1, 500) AS n;
-- With the last contact in an hour, so that no phone falls silent.
INSERT INTO device_contact (
  employee_id, device_no, last_received_at, last_fix_at, position_at, position_received_at)
SELECT n, 1, soon, soon, soon, soon
FROM generate_series(1, 500) AS n, (VALUES (now() + interval '1 hour')) AS sign (soon);
VACUUM ANALYZE;

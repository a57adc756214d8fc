-- The past month: 5.1 million pings of 500 employees, with a shift of 8 hours per day and a ping
-- every 84 s, with reports, some denials, and some gaps of half an hour. Everybody also has an open
-- shift of four hours.
SELECT create_ping_weeks(date_trunc('day', now()) - interval '35 days', 8);
INSERT INTO employee (employee_id, team_id, name)
SELECT number, 1, 'Employee ' || number FROM generate_series(1, 500) AS number;
INSERT INTO guard_state (
  employee_id, last_shift, last_device, last_incident, open_shift, open_device, opened_at)
SELECT number, 31, 1, number % 10 / 9, 31, 1, now() - interval '4 hours'
FROM generate_series(1, 500) AS number;
INSERT INTO device (employee_id, device_no, platform, can_report, token_hash)
SELECT number, 1, 1, true, sha256(number::text::bytea) FROM generate_series(1, 500) AS number;

-- Shifts 1 to 30, one per day up to yesterday: from 08:00 UTC, offset by some minutes.
INSERT INTO shift (
  employee_id, shift_no, device_no, started_at, ended_at, policy_version, fix_age_max_ms, blocking,
  warning, informing, verdict)
SELECT employee, day, 1, began, began + interval '8 hours', 1, 252000, 0, 0, 0, 0
FROM generate_series(1, 500) AS employee, generate_series(1, 30) AS day,
  LATERAL (
    SELECT date_trunc('day', now()) + (day - 31) * interval '1 day' + interval '8 hours'
      + (employee % 60) * interval '1 minute' AS began) AS shift;

-- The open shift. Every tenth phone lost its permission an hour ago, and was notified.
INSERT INTO shift (
  employee_id, shift_no, device_no, started_at, policy_version, fix_age_max_ms, blocking, warning,
  informing, verdict)
SELECT number, 31, 1, now() - interval '4 hours', 1, 252000, 0, 0, 0, 0
FROM generate_series(1, 500) AS number;
-- With the last contact in an hour, so that no phone falls silent during the measurement.
INSERT INTO device_contact (
  employee_id, device_no, last_received_at, last_fix_at, position_at, position_received_at)
SELECT number, 1, soon, soon, soon, soon
FROM generate_series(1, 500) AS number, (VALUES (now() + interval '1 hour')) AS sign (soon);
INSERT INTO incident (
  employee_id, incident_no, shift_no, opened_at, debounced_until, notification_due_at,
  notification_count, device_no, dimension, kind, origin, evidence)
SELECT number, 1, 31, now() - interval '1 hour', now() - interval '1 hour',
  now() - interval '1 hour', 1, 1, 0, 1, 1, 0
FROM generate_series(9, 500, 10) AS number;
INSERT INTO inbox (
  created_at, written_at, employee_id, notification_no, subject, topic, ordinal, kind, urgent)
SELECT now() - interval '1 hour', now() - interval '1 hour', number, 1, 1, 0, 1, 1, true
FROM generate_series(9, 500, 10) AS number;

INSERT INTO permission_report (
  employee_id, shift_no, report_id, effective_at, received_at, device_no, authorization_code,
  grant_path, accuracy, services, notifications, battery_optimisation, background_refresh,
  power_save, foreground_service, background_fix)
SELECT employee_id, shift_no, shift_no * 10 + turn,
  started_at + (turn * 2 - 1) * interval '1 hour',
  started_at + (turn * 2 - 1) * interval '1 hour' + interval '1 second', 1,
  CASE WHEN turn = 2 AND (employee_id + shift_no) % 10 = 0 THEN 3 ELSE 5 END,
  0, 1, 2, 0, 0, 0, 0, 0, 0
FROM shift, generate_series(1, 4) AS turn
WHERE shift_no < 31 OR turn < 3;

-- In the order of receipt.
INSERT INTO ping (
  recorded_at, effective_at, employee_id, shift_no, latitude_e7, longitude_e7, arrived_ms,
  device_no, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
SELECT at, at, employee_id, shift_no, 453000000 + turn, 137000000 + turn, 800, 1, 10, 120, 90, 40, 80
FROM shift, generate_series(0, 342) AS turn,
  LATERAL (SELECT started_at + turn * interval '84 seconds' AS at) AS ping
WHERE at < now() AND NOT ((employee_id + shift_no) % 10 = 3 AND turn BETWEEN 100 AND 121)
ORDER BY at;

-- Everybody was planned for every day of last week.
INSERT INTO planned_shift (
  employee_id, planned_shift_id, starts_at, ends_at, created_at, created_by)
SELECT employee, day, starts, starts + interval '8 hours', starts - interval '7 days', 'bench'
FROM generate_series(1, 500) AS employee, generate_series(1, 7) AS day,
  LATERAL (
    SELECT date_trunc('week', now()) + (day - 8) * interval '1 day' + interval '8 hours' AS starts
  ) AS planned;

import Postgres

// Checks whether the database accepts writes, after it has refused one.

/// Writes a ping and a notification, and rolls both back.
package func probeWriting(on session: inout Session) throws(PostgresError) {
  try session.pipeline(writeProbe)
  session.rollbackOnly()
}

/// On a full disk a single row may still fit into an existing page, where an upload would not. So
/// the probe also makes the server write 280 kB to a temporary file, which the server then deletes.
let writeProbe: [SQL] = [
  "SET LOCAL work_mem TO '64kB'",
  "SELECT count(*) FROM generate_series(1, 20000)",
  """
  INSERT INTO ping (
    employee_id, device_no, recorded_at, effective_at, shift_no, arrived_ms, accuracy_m, speed_cm_s,
    heading_deg, altitude_m, flags)
  VALUES (0, 0, now(), now(), 0, 0, 0, 0, 0, 0, 0)
  ON CONFLICT DO NOTHING
  """,
  """
  INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
  SELECT employee_id, 0, 0, 0, false, now() FROM employee LIMIT 1
  ON CONFLICT DO NOTHING
  """,
]

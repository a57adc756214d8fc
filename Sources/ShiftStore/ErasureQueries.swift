import Postgres
import ReadModels
import ShiftDomain

// Every table with rows of an employee, for erasure and export. A test checks the schema for
// missing tables.

/// In the order in which their rows can be deleted: rollups before visits, as rollups lock them.
/// The audit log has a function for it.
let tablesOfEmployees: [StaticString] = [
  "ping", "notification", "delivery_attempt", "notification_history", "inbox", "live_stream",
  "detection", "restoration", "app_event", "purge", "incident", "take_over", "shift_break",
  "shift_correction_break", "shift_correction", "shift_note", "coverage_rollup", "site_visit",
  "sites_in_force", "away_span", "shift",
  "past_shift", "planned_shift", "absence", "clock_action", "guard_override",
  "permission_report",
  "quarantined_message", "acknowledgement", "privacy_acknowledgement", "push_target",
  "device_contact",
  "enrolment_code", "device", "guard_state", "employee",
]

/// Deletes everything stored about `employee`, except that the number was used. An account of
/// theirs stays without an employee.
/// INVARIANT: the version is increased first, so that other writers of the employee wait.
package func erase(_ employee: EmployeeID) -> [SQL] {
  let number = employee.rawValue
  return [
    lockOutUploads(of: employee),
    "UPDATE account SET employee_id = NULL WHERE employee_id = \(number)",
  ]
    + tablesOfEmployees.map { "DELETE FROM \(fragment: $0) WHERE employee_id = \(number)" }
    // Only possible once the employee is deleted.
    + [
      "SELECT FROM erase_audit_entries(\(number))",
      "INSERT INTO erased_number (number) VALUES (\(number)) ON CONFLICT (number) DO NOTHING",
    ]
}

package struct TableCopy: Hashable, Sendable {
  package var table: String
  /// One JSON object per row.
  package var rows: [String]
}

/// Everything stored about `employee`, table by table, without secrets that would allow acting as
/// them: hashes of tokens, codes and bodies, passwords, and push addresses.
package func copies(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> [TableCopy]
{
  var copies: [TableCopy] = []
  for table in tablesOfEmployees + ["audit_entry", "account"] {
    let rows: [String] = try session.run(
      """
      SELECT (to_jsonb(kept)
        - '{token_hash,code_hash,body_hash,password,address,public_key,secret}'::text[])::text
      FROM \(fragment: table) AS kept WHERE employee_id = \(employee.rawValue)
      """
    ).values()
    copies.append(TableCopy(table: table.description, rows: rows))
  }
  return copies
}

/// The positions of `employee` in all stored shifts, in order.
package func fixes(of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> [FixRow]
{
  try session.run(
    """
    SELECT shift_no, effective_at, latitude_e7, longitude_e7 FROM ping
    WHERE employee_id = \(employee.rawValue) AND latitude_e7 IS NOT NULL
    ORDER BY effective_at
    """
  ).map { (row) throws(PostgresError) in
    let (shift, at): (Int32, Instant) = (try row.next(), try row.next())
    return try Coordinate(from: &row).map { FixRow(shift: shift, at: at, place: $0) }
  }.compactMap(\.self)
}

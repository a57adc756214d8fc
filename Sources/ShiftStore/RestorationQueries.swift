import Postgres
import ReadModels
import ShiftDomain

// Table restoration: each time that a tracking device could be located again, with the report that
// showed it.

package struct RestorationRow: Hashable, Sendable {
  package var device: DeviceID
  package var shift: Int32
  /// The report after which nothing prevents locating it.
  package var report: ReportID
  package var lostAt: Instant
  package var restoredAt: Instant
  package var receivedAt: Instant
  /// By how much the phone's clock was behind; `nil` if unknown.
  package var skew: TimeSpan?

  package init(
    of device: DeviceID, shift: Int32, by report: ReportID, lostAt: Instant, restoredAt: Instant,
    receivedAt: Instant, skew: TimeSpan?
  ) {
    self.device = device
    self.shift = shift
    self.report = report
    self.lostAt = lostAt
    self.restoredAt = restoredAt
    self.receivedAt = receivedAt
    self.skew = skew
  }
}

/// Stores a restoration.
/// INVARIANT: in the transaction in which its report takes effect.
package func insert(_ row: RestorationRow) -> SQL {
  """
  INSERT INTO restoration (
    employee_id, report_id, shift_no, device_no, lost_at, restored_at, received_at, skew_ms)
  VALUES (
    \(row.device.employee.rawValue), \(row.report.rawValue), \(row.shift), \(row.device.number),
    \(row.lostAt), \(row.restoredAt), \(row.receivedAt), \(row.skew?.milliseconds))
  """
}

package func deleteRestorations(before cutoff: Instant) -> SQL {
  "DELETE FROM restoration WHERE received_at < \(cutoff)"
}

package struct Restored: Hashable, Sendable {
  /// From the moment the device could not be located to the report after which it could.
  package var lasted: TimeSpan
  /// From that report's receipt to that of the next fix; zero if that came first, `nil`: none.
  package var fixAfter: TimeSpan?
  /// Whether a break, a take-over or the shift's end came before the fix, so that none was due.
  package var isLeftOut: Bool
  package var receivedAt: Instant
}

package func restorations(
  in scope: TeamScope, since start: Instant, limit: Int32, on session: inout Session
) throws(PostgresError) -> [Restored] {
  try session.run(selectRestorations(in: scope, since: start, limit: limit)).map {
    (row) throws(PostgresError) in
    let (lasted, fixAfter): (TimeSpan, TimeSpan?) = (try row.next(), try row.next())
    return Restored(
      lasted: max(.zero, lasted), fixAfter: fixAfter.map { max(.zero, $0) },
      isLeftOut: try row.next(), receivedAt: try row.next())
  }
}

/// Pings are found by the phone's clock, which may be years off: by its time in that report.
func selectRestorations(in scope: TeamScope, since start: Instant, limit: Int32) -> SQL {
  """
  SELECT (extract(epoch FROM restored_at - lost_at) * 1000)::bigint,
    (extract(epoch FROM fix.received_at - restoration.received_at) * 1000)::bigint,
    EXISTS (
      SELECT FROM shift_break AS pause
      WHERE pause.employee_id = restoration.employee_id AND pause.shift_no = restoration.shift_no
        AND pause.started_at >= restored_at
        AND (fix.effective_at IS NULL OR pause.started_at <= fix.effective_at)
      UNION ALL
      SELECT FROM take_over
      WHERE take_over.employee_id = restoration.employee_id
        AND take_over.shift_no = restoration.shift_no AND take_over.at > restored_at
        AND (fix.effective_at IS NULL OR take_over.at <= fix.effective_at)
      UNION ALL
      SELECT FROM shift
      WHERE shift.employee_id = restoration.employee_id AND shift.shift_no = restoration.shift_no
        AND shift.ended_at IS NOT NULL AND fix.effective_at IS NULL),
    restoration.received_at
  FROM restoration
  JOIN employee ON employee.employee_id = restoration.employee_id
  LEFT JOIN LATERAL (
    SELECT effective_at, effective_at + arrived_ms * interval '1 millisecond' AS received_at
    FROM ping
    WHERE ping.employee_id = restoration.employee_id AND ping.device_no = restoration.device_no
      AND ping.shift_no = restoration.shift_no AND latitude_e7 IS NOT NULL
      AND recorded_at >= restored_at
        - coalesce(skew_ms, 0) * interval '1 millisecond' - interval '1 hour'
      AND recorded_at <= restored_at
        - coalesce(skew_ms, 0) * interval '1 millisecond' + interval '1 day'
      AND effective_at >= restored_at
    ORDER BY 2 LIMIT 1) AS fix ON true
  WHERE restoration.received_at >= \(start)
    AND \(employeeIn: scope)
  ORDER BY restoration.received_at, restoration.employee_id
  LIMIT \(limit)
  """
}

import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table ping, for showing or exporting a shift's track: its fixes in order, page by page.

/// The fixes of `shift` after `last`, in order of time; `nil`: from its beginning.
package func trackFixes(
  of shift: ShiftID, after last: TrackFix?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [TrackFix] {
  try session.run(selectTrack(of: shift, after: last, limit: limit))
    .map(TrackFix.init(from:)).compactMap(\.self)
}

/// Like `selectCoveragePings`, a part of the key's index: from the last fix on, because a key is
/// within `clockErrorMax` of its effective time or its range is stored.
func selectTrack(of shift: ShiftID, after last: TrackFix?, limit: Int32) -> SQL {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  return """
    SELECT effective_at, recorded_at, ping.device_no, latitude_e7, longitude_e7, accuracy_m,
      CASE WHEN flags & \(PingFlag.rests) = 0 THEN speed_cm_s ELSE '-32768' END,
      CASE WHEN flags & \(PingFlag.rests) = 0 THEN heading_deg ELSE '-32768' END, altitude_m,
      flags & \(PingFlag.mock) <> 0
    FROM device
    JOIN ping ON ping.employee_id = device.employee_id AND ping.device_no = device.device_no
    JOIN shift ON shift.employee_id = ping.employee_id AND shift.shift_no = ping.shift_no
    WHERE device.employee_id = \(employee) AND ping.shift_no = \(number)
      AND latitude_e7 IS NOT NULL AND \(fragment: isCountedInOne, naming: shift.employee)
      AND recorded_at >= (
        SELECT least(
          greatest(started_at, \(last?.at)) - \(clockErrorMax.column) * interval '1 ms',
          recorded_from)
        FROM shift LEFT JOIN coverage_rollup USING (employee_id, shift_no)
        WHERE employee_id = \(employee) AND shift_no = \(number))
      AND recorded_at <= (
        SELECT CASE WHEN ended_at IS NULL THEN 'infinity'
          ELSE greatest(ended_at + \(clockErrorMax.column) * interval '1 ms', recorded_to) END
        FROM shift LEFT JOIN coverage_rollup USING (employee_id, shift_no)
        WHERE employee_id = \(employee) AND shift_no = \(number))
      AND (\(last?.at) IS NULL
        OR (effective_at, ping.device_no, recorded_at)
          > (\(last?.at), \(last?.device), \(last?.recordedAt)))
    ORDER BY effective_at, ping.device_no, recorded_at
    LIMIT \(limit)
    """
}

extension TrackFix {
  /// `nil` for a sign of life.
  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    let (at, recordedAt): (Instant, Instant) = (try row.next(), try row.next())
    let device: Int16 = try row.next()
    guard let coordinate = try Coordinate(from: &row) else {
      row.skip(5)
      return nil
    }
    self.init(
      at: at, recordedAt: recordedAt, device: device,
      fix: Fix(
        coordinate: coordinate, accuracyMeters: try row.quality(),
        speedMetersPerSecond: try row.quality().map { $0 / 100 },
        headingDegrees: try row.quality(), altitudeMeters: try row.quality()),
      isMock: try row.next())
  }
}

extension RowReader {
  /// A number that may be absent: -32768 means absent.
  fileprivate mutating func quality() throws(PostgresError) -> Double? {
    let stored: Int16 = try next()
    return stored == .min ? nil : Double(stored)
  }
}

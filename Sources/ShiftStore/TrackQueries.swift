import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table ping, for a shift's track and visits: its fixes in order, page by page.

/// The fixes of `shift` after `last`, in order of time; `nil`: from its beginning.
package func trackFixes(
  of shift: ShiftID, after last: TrackFix?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [TrackFix] {
  try session.run(selectTrack(of: shift, after: last, limit: limit))
    .map(TrackFix.init(from:)).compactMap(\.self)
}

func selectTrack(of shift: ShiftID, after last: TrackFix?, limit: Int32) -> SQL {
  SQL(
    counted: """
      effective_at, recorded_at, ping.device_no, latitude_e7, longitude_e7, accuracy_m,
        CASE WHEN flags & 2048 = 0 THEN speed_cm_s ELSE '-32768' END,
        CASE WHEN flags & 2048 = 0 THEN heading_deg ELSE '-32768' END, altitude_m,
        flags & 256 <> 0
      """, where: "latitude_e7 IS NOT NULL", of: shift,
    after: last.map { ($0.at, $0.device, $0.recordedAt, false) }, limit: limit)
}

/// A ping with its position.
package struct PlacedPing: Hashable, Sendable {
  package var ping: ReceivedPing
  /// The phone's clock at that time: with the ping's time and device, its position in the order.
  package var recordedAt: Instant
  /// Without its quality, except for the accuracy; `nil` for a sign of life.
  package var fix: Fix?
}

/// The pings of `shift` after `last`, in order of time; `nil`: from its beginning.
package func placedPings(
  of shift: ShiftID, after last: PlacedPing?, limit: Int32, on session: inout Session
) throws(PostgresError) -> [PlacedPing] {
  try session.run(selectPlacedPings(of: shift, after: last, limit: limit))
    .map(PlacedPing.init(from:))
}

func selectPlacedPings(of shift: ShiftID, after last: PlacedPing?, limit: Int32) -> SQL {
  SQL(
    counted: """
      ping.device_no, effective_at, latitude_e7 IS NOT NULL, flags,
        CASE WHEN flags & 2048 <> 0 THEN speed_cm_s * 1000 + heading_deg END,
        recorded_at, coalesce(latitude_e7, 0), coalesce(longitude_e7, 0), accuracy_m
      """, where: "true", of: shift,
    after: last.map { ($0.ping.effectiveAt, $0.ping.device, $0.recordedAt, $0.fix == nil) },
    limit: limit)
}

extension SQL {
  /// Like `selectCoveragePings`, a part of the key's index: from the last fix on, because a key is
  /// within `clockErrorMax` of its effective time or its range is stored.
  fileprivate init(
    counted columns: StaticString, where condition: StaticString, of shift: ShiftID,
    after last: (at: Instant, device: Int16, recordedAt: Instant, isSign: Bool)?, limit: Int32
  ) {
    let (employee, number) = (shift.employee.rawValue, shift.number)
    self = """
      SELECT \(fragment: columns)
      FROM device
      JOIN ping ON ping.employee_id = device.employee_id AND ping.device_no = device.device_no
      JOIN shift ON shift.employee_id = ping.employee_id AND shift.shift_no = ping.shift_no
      WHERE device.employee_id = \(employee) AND ping.shift_no = \(number)
        AND \(fragment: condition) AND \(fragment: isCounted, naming: shift.employee)
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
            > (\(last?.at), \(last?.device), \(last?.recordedAt)
              + \(last?.isSign)::int * interval '1 microsecond'))
      ORDER BY effective_at, ping.device_no, recorded_at
      LIMIT \(limit)
      """
  }
}

extension PlacedPing {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    ping = try ReceivedPing(from: &row)
    recordedAt = try row.next()
    let (place, accuracy) = (try Coordinate(from: &row), try row.quality())
    fix = ping.fix == nil ? nil : place.map { Fix(coordinate: $0, accuracyMeters: accuracy) }
  }
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

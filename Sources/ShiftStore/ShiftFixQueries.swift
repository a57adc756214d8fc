import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// The positions at the start and end of a shift, in table shift.

package func noteStart(
  of shift: ShiftID, at place: Coordinate, takenAt instant: Instant,
  isMock: Bool, accuracyMeters: Double?
) -> SQL {
  """
  UPDATE shift
  SET start_fix_at = \(instant), start_latitude_e7 = \(place.latitudeE7),
    start_longitude_e7 = \(place.longitudeE7), start_accuracy_m = \(accuracyMeters),
    start_fix_proof = CASE
      WHEN \(isMock) THEN \(ContactKind.mock.column)
      WHEN \(accuracyMeters) > accuracy_max_m THEN \(ContactKind.coarse.column) END
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  """
}

/// Stores the position at clock-out, if that fix was taken in the shift and outside its breaks.
/// INVARIANT: before the statements that end the shift, because they clip its breaks.
package func noteEnd(
  of shift: ShiftID, at place: Coordinate, takenAt instant: Instant,
  isMock: Bool, accuracyMeters: Double?
) -> SQL {
  """
  UPDATE shift
  SET end_fix_at = \(instant), end_latitude_e7 = \(place.latitudeE7),
    end_longitude_e7 = \(place.longitudeE7), end_accuracy_m = \(accuracyMeters),
    end_fix_proof = CASE
      WHEN \(isMock) THEN \(ContactKind.mock.column)
      WHEN \(accuracyMeters) > accuracy_max_m THEN \(ContactKind.coarse.column) END
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND started_at <= \(instant)
    AND NOT EXISTS (
      SELECT FROM shift_break AS pause
      WHERE pause.employee_id = shift.employee_id AND pause.shift_no = shift.shift_no
        AND tstzrange(pause.started_at, pause.ended_at) @> \(instant)::timestamptz)
  """
}

/// The positions at clock-in and clock-out, as far as they are stored.
package func actionPlaces(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> (start: Fix?, end: Fix?)
{
  let places = try session.run(selectActionPlaces(of: shift)).map {
    (row) throws(PostgresError) in
    (start: try Fix(ofActionFrom: &row), end: try Fix(ofActionFrom: &row))
  }
  return places.first ?? (nil, nil)
}

func selectActionPlaces(of shift: ShiftID) -> SQL {
  """
  SELECT start_fix_at IS NOT NULL, coalesce(start_latitude_e7, 0), coalesce(start_longitude_e7, 0),
    start_accuracy_m, end_fix_at IS NOT NULL, coalesce(end_latitude_e7, 0),
    coalesce(end_longitude_e7, 0), end_accuracy_m
  FROM shift
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  """
}

extension Fix {
  /// `nil`: none was sent.
  fileprivate init?(ofActionFrom row: inout RowReader) throws(PostgresError) {
    let isThere: Bool = try row.next()
    let place = try Coordinate(from: &row)
    let accuracy: Double? = try row.next()
    guard isThere, let place else { return nil }
    self.init(coordinate: place, accuracyMeters: accuracy)
  }
}

extension Coordinate {
  /// From two columns, `latitudeE7` and `longitudeE7`; `nil` outside the range of either.
  init?(from row: inout RowReader) throws(PostgresError) {
    let (north, east): (Int32, Int32) = (try row.next(), try row.next())
    self.init(latitude: Double(north) / 1e7, longitude: Double(east) / 1e7)
  }

  /// Ten-millionths of a degree north: a centimeter.
  var latitudeE7: Int32 { Int32((latitude * 1e7).rounded()) }
  var longitudeE7: Int32 { Int32((longitude * 1e7).rounded()) }
}

extension ActionFix {
  init?(from row: inout RowReader) throws(PostgresError) {
    guard let at: Instant = try row.next() else {
      row.skip(1)
      return nil
    }
    self.init(at: at, proof: FixProof(try row.next()))
  }
}

extension FixProof {
  /// The stored kind of a fix sent with a clock action: the kind of sign, `nil` for a position.
  init(_ kind: ContactKind?) {
    self = kind == .mock ? .mock : kind == .coarse ? .coarse : .position
  }
}

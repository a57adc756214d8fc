public import GuardRules
public import Postgres
public import ShiftDomain

// Table shift_correction, and what a correction does to the shift's own rows.

/// A correction as stored and listed.
public struct CorrectionRow: Hashable, Sendable {
  /// The shift corrected.
  public var shift: ShiftID
  /// Its number within the shift, from 1.
  public var number: Int16
  /// What the shift's span was.
  public var old: ShiftSpan
  /// What it was set to.
  public var new: ShiftSpan
  /// Who corrected it; 1…100 characters.
  public var correctedBy: String
  /// When.
  public var correctedAt: Instant
  /// Why; 1…500 characters.
  public var reason: String

  /// A correction.
  public init(
    shift: ShiftID, number: Int16, old: ShiftSpan, new: ShiftSpan, correctedBy: String,
    correctedAt: Instant, reason: String
  ) {
    self.shift = shift
    self.number = number
    self.old = old
    self.new = new
    self.correctedBy = correctedBy
    self.correctedAt = correctedAt
    self.reason = reason
  }
}

/// Gives a shift its corrected span, keeps what it was before, and forgets what lies outside:
/// location is kept only within a shift. Violates `shift_spans_disjoint` when it would overlap
/// another.
///
/// INVARIANT: uploads are kept out first.
/// - Parameters:
///   - wasEndedByManager: Whether the old end is a correction itself, and no original.
///   - tellsEnd: Whether somebody said when it ended, which is all that a review asks for.
///   - startFixAgeMax: How long before the beginning the clock-in's position may have been taken.
public func apply(
  _ correction: CorrectionRow, wasEndedByManager: Bool, tellsEnd: Bool, startFixAgeMax: TimeSpan
) -> [SQL] {
  let (shift, old, new) = (correction.shift, correction.old, correction.new)
  let update: SQL = """
    UPDATE shift
    SET original_started_at = coalesce(original_started_at, \(old.start)),
      original_ended_at = coalesce(original_ended_at, \(wasEndedByManager ? nil : old.end)),
      started_at = \(new.start), ended_at = \(new.end),
      review = review AND NOT \(tellsEnd),
      ended_by =
        CASE WHEN \(new.end != old.end) THEN \(ShiftEnding.manager.column) ELSE ended_by END
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """
  let outside =
    deletePings(of: shift, from: nil, to: new.start)
    + (new.end.map { deletePings(of: shift, from: $0, to: nil) } ?? [])
  return [keepOutUploads(of: shift.employee), update] + outside + clipBreaks(of: shift, to: new)
    + forgetFixes(of: shift, outside: new, startFixAgeMax: startFixAgeMax) + [insert(correction)]
}

func clipBreaks(of shift: ShiftID, to span: ShiftSpan) -> [SQL] {
  [
    """
    DELETE FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (started_at >= \(span.end) OR ended_at <= \(span.start))
    """,
    """
    UPDATE shift_break
    SET started_at = greatest(started_at, \(span.start)), ended_at = least(ended_at, \(span.end))
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (started_at < \(span.start) OR ended_at > \(span.end))
    """,
  ]
}

/// Forgets the position sent with a clock-in or clock-out that was not taken within `span`.
/// - Parameter startFixAgeMax: How long before the beginning the clock-in's may have been taken.
func forgetFixes(of shift: ShiftID, outside span: ShiftSpan, startFixAgeMax: TimeSpan) -> [SQL] {
  [
    """
    UPDATE shift
    SET start_fix_at = NULL, start_latitude_e7 = NULL, start_longitude_e7 = NULL
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (start_fix_at < \(span.start - startFixAgeMax) OR start_fix_at >= \(span.end))
    """,
    """
    UPDATE shift SET end_fix_at = NULL, end_latitude_e7 = NULL, end_longitude_e7 = NULL
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (end_fix_at < \(span.start) OR end_fix_at > \(span.end))
    """,
  ]
}

/// Adds a correction. Violates `shift_correction_pk` when somebody else made this one first.
func insert(_ correction: CorrectionRow) -> SQL {
  """
  INSERT INTO shift_correction (
    employee_id, shift_no, correction_no, old_started_at, old_ended_at, new_started_at,
    new_ended_at, corrected_by, corrected_at, reason)
  VALUES (
    \(correction.shift.employee.rawValue), \(correction.shift.number), \(correction.number),
    \(correction.old.start), \(correction.old.end), \(correction.new.start),
    \(correction.new.end), \(correction.correctedBy), \(correction.correctedAt),
    \(correction.reason))
  """
}

/// A shift's corrections, in order.
public func corrections(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> [CorrectionRow]
{
  let rows = try session.run(
    """
    SELECT correction_no, old_started_at, old_ended_at, new_started_at, new_ended_at, corrected_by,
      corrected_at, reason
    FROM shift_correction
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    ORDER BY correction_no
    """)
  var records: [CorrectionRow] = []
  for row in 0..<rows.count {
    records.append(
      CorrectionRow(
        shift: shift, number: try rows.value(row, 0),
        old: ShiftSpan(from: try rows.value(row, 1), to: try rows.value(row, 2)),
        new: ShiftSpan(from: try rows.value(row, 3), to: try rows.value(row, 4)),
        correctedBy: try rows.value(row, 5), correctedAt: try rows.value(row, 6),
        reason: try rows.value(row, 7)))
  }
  return records
}

/// What a shift's span was before its first correction; `nil` when it was never corrected, an end
/// of `nil` when its end was not.
public func originalSpan(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> ShiftSpan?
{
  let rows = try session.run(
    """
    SELECT original_started_at, original_ended_at
    FROM shift
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND original_started_at IS NOT NULL
    """)
  return rows.count == 0
    ? nil : ShiftSpan(from: try rows.value(0, 0), to: try rows.value(0, 1))
}

/// The first other shift of `employee` that shares time with `span`; `nil` when none does. An open
/// one goes on for ever.
/// - Parameter shift: The number of the shift that is to have the span; `nil` for a new one.
public func shiftInTheWay(
  of span: ShiftSpan, besides shift: Int32?, of employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> (shift: ShiftID, span: ShiftSpan)? {
  let rows = try session.run(
    """
    SELECT shift_no, started_at, ended_at
    FROM shift
    WHERE employee_id = \(employee.rawValue) AND shift_no <> \(shift ?? 0)
      AND tstzrange(started_at, ended_at) && tstzrange(\(span.start), \(span.end))
    ORDER BY started_at
    LIMIT 1
    """)
  guard rows.count > 0 else { return nil }
  return (
    ShiftID(employee: employee, number: try rows.value(0, 0)),
    ShiftSpan(from: try rows.value(0, 1), to: try rows.value(0, 2))
  )
}

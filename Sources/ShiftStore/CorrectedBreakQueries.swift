import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Breaks as corrections change them: tables shift_break and shift_correction_break, and what of
// shift_correction and shift is about breaks.

/// The starts and the ends of what corrections took out of breaks.
let addedTime: ShiftFragment = """
  ARRAY(SELECT lower(part) FROM unnest(shift.added_time) AS part),
  ARRAY(SELECT upper(part) FROM unnest(shift.added_time) AS part)
  """

extension IntervalSet {
  /// Of `addedTime`.
  init(addedFrom row: inout RowReader) throws(PostgresError) {
    let (starts, ends): ([Instant], [Instant]) = (try row.next(), try row.next())
    self.init(zip(starts, ends).map { Interval(from: $0, to: $1) })
  }
}

/// Saves the shift's breaks as far as `correction` changes them, so that it can be undone.
/// INVARIANT: before any statement that changes them.
package func keepBreaks(of correction: CorrectionRow) -> SQL {
  let (shift, span) = (correction.shift, correction.new)
  return """
    INSERT INTO shift_correction_break (
      employee_id, shift_no, correction_no, break_no, started_at, ended_at, received_at)
    SELECT employee_id, shift_no, \(correction.number), break_no, started_at, ended_at, received_at
    FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (\(correction.breaks != nil) OR started_at < \(span.start)
        OR coalesce(ended_at, 'infinity') > \(span.end))
    """
}

/// Adds the breaks of a new shift, in order.
package func insert(_ breaks: [ShiftSpan], of shift: ShiftID) -> [SQL] {
  guard !breaks.isEmpty else { return [] }
  return [
    """
    INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at)
    SELECT \(shift.employee.rawValue), \(shift.number), pause.place, pause.started_at,
      pause.ended_at
    FROM unnest(\(breaks.map(\.start)), \(breaks.map(\.end)))
      WITH ORDINALITY AS pause (started_at, ended_at, place)
    """
  ]
}

/// Replaces a shift's breaks, which are kept with the correction. Positions in the new ones are
/// sealed.
func replaceBreaks(by breaks: [ShiftBreak], in correction: CorrectionRow) -> [SQL] {
  let (employee, number) = (correction.shift.employee.rawValue, correction.shift.number)
  return [
    """
    DELETE FROM shift_break WHERE employee_id = \(employee) AND shift_no = \(number)
    """,
    """
    INSERT INTO shift_break (
      employee_id, shift_no, break_no, started_at, ended_at, received_at)
    SELECT \(employee), \(number), pause.break_no, pause.started_at, pause.ended_at,
      kept.received_at
    FROM unnest(
      \(breaks.map(\.number)), \(breaks.map(\.startedAt)), \(breaks.map(\.endedAt))
    ) AS pause (break_no, started_at, ended_at)
    LEFT JOIN shift_correction_break AS kept
      ON kept.employee_id = \(employee) AND kept.shift_no = \(number)
      AND kept.correction_no = \(correction.number) AND kept.started_at = pause.started_at
    """, markDirty(correction.shift),
  ]
    + (correction.breaks?.inserted.intervals ?? []).flatMap {
      purgeLater(
        correction.shift, from: $0.start, to: $0.end, .inBreak, at: correction.correctedAt)
    }
}

/// Removes the breaks that an undo replaces by those of before.
func removeBreaks(changedBy undone: CorrectionRow) -> [SQL] {
  let (employee, number) = (undone.shift.employee.rawValue, undone.shift.number)
  guard let breaks = undone.breaks else {
    return [
      """
      DELETE FROM shift_break AS pause USING shift_correction_break AS kept
      WHERE kept.employee_id = \(employee) AND kept.shift_no = \(number)
        AND kept.correction_no = \(undone.number) AND pause.employee_id = kept.employee_id
        AND pause.shift_no = kept.shift_no AND pause.break_no = kept.break_no
      """
    ]
  }
  // Those that the employee has taken since stay.
  return [
    """
    DELETE FROM shift_break
    WHERE employee_id = \(employee) AND shift_no = \(number)
      AND started_at = ANY (\(breaks.new.map(\.start)))
    """,
    """
    DELETE FROM purge
    WHERE employee_id = \(employee) AND shift_no = \(number)
      AND cause = \(SealCause.inBreak.column) AND sealed_at = \(undone.correctedAt)
    """, markDirty(undone.shift),
  ]
}

/// - Parameter end: Of the shift, which may have ended in a break that lasted then.
func restoreBreaks(of undone: CorrectionRow, to end: Instant?) -> SQL {
  """
  INSERT INTO shift_break (employee_id, shift_no, break_no, started_at, ended_at, received_at)
  SELECT employee_id, shift_no, break_no, started_at, coalesce(ended_at, \(end)), received_at
  FROM shift_correction_break
  WHERE employee_id = \(undone.shift.employee.rawValue) AND shift_no = \(undone.shift.number)
    AND correction_no = \(undone.number) AND coalesce(started_at < \(end), true)
  """
}

/// A shift's current breaks, an open one without an end.
package func breaks(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> [ShiftBreak]
{
  try session.run(
    """
    SELECT \(fragment: ShiftBreak.columns) FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    ORDER BY started_at
    """
  ).map(ShiftBreak.init(from:))
}

/// The breaks of a shift that a correction changed, as they were before, in order.
package func keptBreaks(of correction: CorrectionRow, on session: inout Session)
  throws(PostgresError) -> [ShiftBreak]
{
  try session.run(
    """
    SELECT \(fragment: ShiftBreak.columns) FROM shift_correction_break
    WHERE employee_id = \(correction.shift.employee.rawValue)
      AND shift_no = \(correction.shift.number) AND correction_no = \(correction.number)
    ORDER BY started_at
    """
  ).map(ShiftBreak.init(from:))
}

extension ShiftBreak {
  fileprivate static let columns: StaticString = "break_no, started_at, ended_at"

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(number: try row.next(), startedAt: try row.next(), endedAt: try row.next())
  }
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

extension CorrectedBreaks {
  init?(from row: inout RowReader) throws(PostgresError) {
    let (old, new): ([Instant?]?, [Instant?]?) = (try row.next(), try row.next())
    guard let old, let new else { return nil }
    self.init(from: [ShiftSpan](column: old), to: [ShiftSpan](column: new))
  }
}

extension [ShiftSpan] {
  /// Start and end of each in turn.
  var column: [Instant?] { flatMap { [$0.start, $0.end] } }

  fileprivate init(column: [Instant?]) {
    self = stride(from: 0, to: column.count - 1, by: 2).compactMap { place in
      column[place].map { ShiftSpan(from: $0, to: column[place + 1]) }
    }
  }
}

extension SQL.Interpolation {
  /// A multirange; NULL if it is empty.
  mutating func appendInterpolation(ranges times: IntervalSet) {
    appendLiteral("(SELECT range_agg(tstzrange(part.from_at, part.to_at)) FROM unnest(")
    appendInterpolation(times.intervals.map(\.start))
    appendLiteral(", ")
    appendInterpolation(times.intervals.map(\.end))
    appendLiteral(") AS part (from_at, to_at))")
  }

  /// When a correction last ended or removed the break that lasted in the open shift of `state`.
  mutating func appendInterpolation(lastCorrectedBreak employee: EmployeeID) {
    appendLiteral("(SELECT max(corrected_at) FROM shift_correction WHERE employee_id = ")
    appendInterpolation(employee.rawValue)
    appendLiteral(" AND shift_no = state.open_shift AND cardinality(old_breaks) > 0 ")
    appendLiteral("AND old_breaks[cardinality(old_breaks)] IS NULL ")
    appendLiteral("AND (cardinality(new_breaks) = 0 ")
    appendLiteral("OR new_breaks[cardinality(new_breaks)] IS NOT NULL))")
  }
}

public import GuardRules
public import Postgres
public import ShiftDomain

// Table shift_correction, and the effects of a correction on the shift's own rows.

/// A correction as stored and listed.
public struct CorrectionRow: Hashable, Sendable {
  /// The shift corrected.
  public var shift: ShiftID
  /// Its number within the shift, from 1.
  public var number: Int16
  /// The shift's previous span.
  public var old: ShiftSpan
  /// The new span.
  public var new: ShiftSpan
  /// The author's name; 1…100 characters.
  public var correctedBy: String
  /// The time of the correction.
  public var correctedAt: Instant
  /// The reason; 1…500 characters.
  public var reason: String
  /// The number of the correction that this one undoes, if any.
  public var undoes: Int16?
  /// When it was undone; `nil` if it was not.
  public var undoneAt: Instant?
  /// How the shift had ended before it; `nil` if it was open.
  public var oldEnding: ShiftEnding?
  /// Whether the shift needed review before it.
  public var oldReview: Bool

  /// A correction.
  public init(
    shift: ShiftID, number: Int16, old: ShiftSpan, new: ShiftSpan, correctedBy: String,
    correctedAt: Instant, reason: String, undoes: Int16? = nil, undoneAt: Instant? = nil,
    oldEnding: ShiftEnding? = nil, oldReview: Bool = false
  ) {
    self.shift = shift
    self.number = number
    self.old = old
    self.new = new
    self.correctedBy = correctedBy
    self.correctedAt = correctedAt
    self.reason = reason
    self.undoes = undoes
    self.undoneAt = undoneAt
    self.oldEnding = oldEnding
    self.oldReview = oldReview
  }
}

/// Saves the shift's breaks as far as `correction` clips them, so that it can be undone.
///
/// INVARIANT: before any statement that clips them.
public func keepBreaks(of correction: CorrectionRow) -> SQL {
  let (shift, span) = (correction.shift, correction.new)
  return """
    INSERT INTO shift_correction_break (
      employee_id, shift_no, correction_no, break_no, started_at, ended_at, received_at)
    SELECT employee_id, shift_no, \(correction.number), break_no, started_at, ended_at, received_at
    FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
      AND (started_at < \(span.start) OR coalesce(ended_at, 'infinity') > \(span.end))
    """
}

/// Gives a shift its corrected span and stores the previous one. Positions outside are sealed,
/// because they may be read only within a shift. Violates `shift_spans_disjoint` if it would
/// overlap another.
///
/// INVARIANT: uploads are locked out first.
/// - Parameters:
///   - wasEndedByManager: Whether the old end is itself a correction, and not an original.
///   - notifiesEnd: Whether an end was given, which is all that a review asks for.
public func apply(_ correction: CorrectionRow, wasEndedByManager: Bool, notifiesEnd: Bool) -> [SQL]
{
  let (shift, old, new) = (correction.shift, correction.old, correction.new)
  let update: SQL = """
    UPDATE shift
    SET original_started_at = coalesce(original_started_at, \(old.start)),
      original_ended_at = coalesce(original_ended_at, \(wasEndedByManager ? nil : old.end)),
      started_at = \(new.start), ended_at = \(new.end),
      needs_review = needs_review AND NOT \(notifiesEnd),
      ended_by =
        CASE WHEN \(new.end != old.end) THEN \(ShiftEnding.manager.column) ELSE ended_by END
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """
  return [lockOutUploads(of: shift.employee), update] + seal(outside: correction)
    + clipBreaks(of: shift, to: new) + [insert(correction)]
}

/// Restores the span and the breaks that a shift had before the correction that this one undoes,
/// and with them the positions recorded there.
///
/// INVARIANT: uploads are locked out first.
public func undo(_ undone: CorrectionRow, by correction: CorrectionRow) -> [SQL] {
  let (shift, span) = (correction.shift, correction.new)
  let update: SQL = """
    UPDATE shift
    SET started_at = \(span.start), ended_at = \(span.end),
      ended_by = \(undone.oldEnding?.column), needs_review = \(undone.oldReview)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """
  return [lockOutUploads(of: shift.employee), update] + seal(outside: correction)
    + clipBreaks(of: shift, to: span) + restoreBreaks(of: undone) + [insert(correction)]
}

/// Restores the breaks as they were before `undone` clipped them.
func restoreBreaks(of undone: CorrectionRow) -> [SQL] {
  let (employee, number) = (undone.shift.employee.rawValue, undone.shift.number)
  return [
    """
    DELETE FROM shift_break AS pause USING shift_correction_break AS kept
    WHERE kept.employee_id = \(employee) AND kept.shift_no = \(number)
      AND kept.correction_no = \(undone.number) AND pause.employee_id = kept.employee_id
      AND pause.shift_no = kept.shift_no AND pause.break_no = kept.break_no
    """,
    """
    INSERT INTO shift_break (
      employee_id, shift_no, break_no, started_at, ended_at, received_at)
    SELECT employee_id, shift_no, break_no, started_at, ended_at, received_at
    FROM shift_correction_break
    WHERE employee_id = \(employee) AND shift_no = \(number) AND correction_no = \(undone.number)
    """,
  ]
}

private func seal(outside correction: CorrectionRow) -> [SQL] {
  let (shift, span, now) = (correction.shift, correction.new, correction.correctedAt)
  return keepCounted(of: shift, in: span)
    + purgeLater(shift, from: nil, to: span.start, .outsideShift, at: now)
    + (span.end.map { purgeLater(shift, from: $0, to: nil, .outsideShift, at: now) } ?? [])
}

/// A shift's current breaks, an open one without an end.
public func breaks(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> [ShiftBreak]
{
  let rows = try session.run(
    """
    SELECT break_no, started_at, ended_at FROM shift_break
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    ORDER BY break_no
    """)
  var breaks: [ShiftBreak] = []
  for row in 0..<rows.count {
    breaks.append(
      ShiftBreak(
        number: try rows.value(row, 0), startedAt: try rows.value(row, 1),
        endedAt: try rows.value(row, 2)))
  }
  return breaks
}

/// The newest break of a shift before a correction clipped it; `nil` if it clipped none.
public func keptBreak(of correction: CorrectionRow, on session: inout Session)
  throws(PostgresError) -> ShiftBreak?
{
  let rows = try session.run(
    """
    SELECT break_no, started_at, ended_at FROM shift_correction_break
    WHERE employee_id = \(correction.shift.employee.rawValue)
      AND shift_no = \(correction.shift.number) AND correction_no = \(correction.number)
    ORDER BY break_no DESC LIMIT 1
    """)
  guard rows.count > 0 else { return nil }
  return ShiftBreak(
    number: try rows.value(0, 0), startedAt: try rows.value(0, 1), endedAt: try rows.value(0, 2))
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

/// Adds a correction. Violates `shift_correction_pk` if another transaction made this one first.
func insert(_ correction: CorrectionRow) -> SQL {
  """
  INSERT INTO shift_correction (
    employee_id, shift_no, correction_no, old_started_at, old_ended_at, new_started_at,
    new_ended_at, corrected_by, corrected_at, reason, undoes, old_ended_by, old_needs_review)
  VALUES (
    \(correction.shift.employee.rawValue), \(correction.shift.number), \(correction.number),
    \(correction.old.start), \(correction.old.end), \(correction.new.start),
    \(correction.new.end), \(correction.correctedBy), \(correction.correctedAt),
    \(correction.reason), \(correction.undoes), \(correction.oldEnding?.column),
    \(correction.oldReview))
  """
}

/// A shift's corrections, in order.
public func corrections(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> [CorrectionRow]
{
  let rows = try session.run(
    """
    SELECT correction_no, old_started_at, old_ended_at, new_started_at, new_ended_at, corrected_by,
      corrected_at, reason, undoes, old_ended_by, old_needs_review,
      (SELECT later.corrected_at FROM shift_correction AS later
        WHERE later.employee_id = shift_correction.employee_id
          AND later.shift_no = shift_correction.shift_no
          AND later.undoes = shift_correction.correction_no)
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
        reason: try rows.value(row, 7), undoes: try rows.value(row, 8),
        undoneAt: try rows.value(row, 11), oldEnding: try rows.codedIfPresent(row, 9),
        oldReview: try rows.value(row, 10)))
  }
  return records
}

/// A shift's span before its first correction; `nil` without corrections, with an end of `nil` if
/// its end was not corrected.
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

/// The first other shift of `employee` that overlaps `span`; `nil` if there is none. An open one
/// has no end.
/// - Parameter shift: The number of the shift that gets the span; `nil` for a new one.
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

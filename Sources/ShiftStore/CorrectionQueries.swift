import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table shift_correction, and the effects of a correction on the shift's own rows.

/// The corrections of a shift that are in force.
let standingCorrections: ShiftFragment = """
  FROM shift_correction AS correction
  WHERE correction.employee_id = shift.employee_id AND correction.shift_no = shift.shift_no
    AND undoes IS NULL AND NOT EXISTS (
      SELECT FROM shift_correction AS undoing
      WHERE undoing.employee_id = shift.employee_id AND undoing.shift_no = shift.shift_no
        AND undoing.undoes = correction.correction_no)
  """

/// From when on a shift was to be tracked by the corrections of its start. Time that one correction
/// removed and another adds again counts as added, unless an undo restores it: so by the latest
/// start before any.
let trackedFrom = ShiftFragment(
  "CASE WHEN shift.original_started_at IS NULL THEN shift.started_at ELSE greatest(",
  "shift.started_at, shift.original_started_at, (SELECT max(old_started_at) ",
  standingCorrections, ")) END")

/// The same until when: by the earliest end before any correction, also if the first of them ended
/// the open shift; NULL while it is open.
let trackedTo = ShiftFragment(
  "CASE WHEN shift.original_started_at IS NULL THEN shift.ended_at ELSE least(",
  "shift.ended_at, shift.original_ended_at, (SELECT min(old_ended_at) ",
  standingCorrections, ")) END")

/// Gives a shift its corrected span and stores the previous one. Positions outside are sealed,
/// because they may be read only within a shift. Violates `shift_spans_disjoint` if it would
/// overlap another. `wasEndedByManager`: the old end is itself a correction. `setsEnd`: an end
/// was given, which is all that a review asks for; any correction answers an objection.
/// - Parameters:
///   - breaks: The new breaks, if it changes them.
///   - added: What all corrections, with this one, took out of breaks.
/// INVARIANT: uploads are locked out first, and the old breaks are kept.
package func apply(
  _ correction: CorrectionRow, wasEndedByManager: Bool, setsEnd: Bool, breaks: [ShiftBreak] = [],
  added: IntervalSet = IntervalSet()
) -> [SQL] {
  let (shift, old, new) = (correction.shift, correction.old, correction.new)
  let update: SQL = """
    UPDATE shift
    SET original_started_at = coalesce(original_started_at, \(old.start)),
      original_ended_at = coalesce(original_ended_at, \(wasEndedByManager ? nil : old.end)),
      started_at = \(new.start), ended_at = \(new.end), times_confirmed_at = NULL,
      added_time = \(ranges: added),
      needs_review = needs_review AND NOT \(setsEnd) AND objected_at IS NULL,
      objected_at = NULL, objection = NULL,
      ended_by =
        CASE WHEN \(new.end != old.end) THEN \(ShiftEnding.manager.column) ELSE ended_by END
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """
  return [lockOutUploads(of: shift.employee), update] + seal(outside: correction)
    + (correction.breaks == nil
      ? clipBreaks(of: shift, to: new) : replaceBreaks(by: breaks, in: correction))
    + [insert(correction)]
}

/// Undoes a correction: restores the shift's span, its breaks, the positions recorded there and the
/// objection that it answered.
/// - Parameters:
///   - counted: The part of the span in which positions count again: without what other
///     corrections added.
///   - added: What those that stay in force took out of breaks.
/// INVARIANT: uploads are locked out first.
package func undo(
  _ undone: CorrectionRow, by correction: CorrectionRow, counting counted: ShiftSpan,
  added: IntervalSet = IntervalSet()
) -> [SQL] {
  let (shift, span) = (correction.shift, correction.new)
  let update: SQL = """
    UPDATE shift
    SET started_at = \(span.start), ended_at = \(span.end), times_confirmed_at = NULL,
      added_time = \(ranges: added),
      objected_at = \(undone.oldObjection?.at), objection = \(undone.oldObjection?.reason),
      ended_by = \(undone.oldEnding?.column), needs_review = \(undone.oldReview)
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    """
  return [lockOutUploads(of: shift.employee), update] + keepCounted(of: shift, in: counted)
    + seal(outside: correction) + removeBreaks(changedBy: undone)
    + clipBreaks(of: shift, to: span)
    + [restoreBreaks(of: undone, to: span.end), insert(correction)]
}

private func seal(outside correction: CorrectionRow) -> [SQL] {
  let (shift, span, now) = (correction.shift, correction.new, correction.correctedAt)
  return purgeLater(shift, from: nil, to: span.start, .outsideShift, at: now)
    + (span.end.map { purgeLater(shift, from: $0, to: nil, .outsideShift, at: now) } ?? [])
}

/// Adds a correction. Violates `shift_correction_pk` if another transaction made this one first.
func insert(_ correction: CorrectionRow) -> SQL {
  """
  INSERT INTO shift_correction (
    employee_id, shift_no, correction_no, old_started_at, old_ended_at, new_started_at,
    new_ended_at, old_breaks, new_breaks, corrected_by, corrected_at, reason, undoes, old_ended_by,
    old_needs_review, old_objected_at, old_objection)
  VALUES (
    \(correction.shift.employee.rawValue), \(correction.shift.number), \(correction.number),
    \(correction.old.start), \(correction.old.end), \(correction.new.start),
    \(correction.new.end), \(correction.breaks?.old.column), \(correction.breaks?.new.column),
    \(correction.correctedBy), \(correction.correctedAt), \(correction.reason),
    \(correction.undoes), \(correction.oldEnding?.column), \(correction.oldReview),
    \(correction.oldObjection?.at), \(correction.oldObjection?.reason))
  """
}

package func corrections(of shift: ShiftID, on session: inout Session)
  throws(PostgresError) -> [CorrectionRow]
{
  try session.run(selectCorrections(of: shift)).corrections(of: shift)
}

func selectCorrections(of shift: ShiftID) -> SQL {
  """
  SELECT correction_no, old_started_at, old_ended_at, new_started_at, new_ended_at, old_breaks,
    new_breaks, corrected_by, corrected_at, reason, undoes,
    (SELECT later.corrected_at FROM shift_correction AS later
      WHERE later.employee_id = \(shift.employee.rawValue)
        AND later.shift_no = shift_correction.shift_no
        AND later.undoes = shift_correction.correction_no),
    old_ended_by, old_needs_review, old_objected_at, old_objection
  FROM shift_correction
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY correction_no
  """
}

extension Rows {
  consuming func corrections(of shift: ShiftID) throws(PostgresError) -> [CorrectionRow] {
    try map { (row) throws(PostgresError) in
      CorrectionRow(
        shift: shift, number: try row.next(), old: try ShiftSpan(from: &row),
        new: try ShiftSpan(from: &row), breaks: try CorrectedBreaks(from: &row),
        correctedBy: try row.next(), correctedAt: try row.next(),
        reason: try row.next(), undoes: try row.next(), undoneAt: try row.next(),
        oldEnding: try row.next(), oldReview: try row.next(),
        oldObjection: try Objection(from: &row))
    }
  }
}

/// A shift's span before its first correction; `nil` without corrections. An open end is `nil`.
func selectOriginalSpan(of shift: ShiftID) -> SQL {
  """
  SELECT original_started_at, original_ended_at
  FROM shift
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND original_started_at IS NOT NULL
  """
}

/// The first shift of `employee` besides `shift` (`nil`: a new one) that overlaps `span`; the end
/// of an open one is `nil`.
package func shiftInTheWay(
  of span: ShiftSpan, besides shift: Int32?, of employee: EmployeeID, on session: inout Session
) throws(PostgresError) -> (shift: ShiftID, span: ShiftSpan)? {
  try session.run(
    """
    SELECT shift_no, started_at, ended_at
    FROM (
      SELECT shift_no, started_at, ended_at FROM shift
      WHERE employee_id = \(employee.rawValue) AND shift_no <> \(shift ?? 0)
        AND tstzrange(started_at, ended_at) && tstzrange(\(span.start), \(span.end))
      UNION ALL
      SELECT shift_no, started_at, ended_at FROM past_shift
      WHERE employee_id = \(employee.rawValue)
        AND tstzrange(started_at, ended_at) && tstzrange(\(span.start), \(span.end))) AS other
    ORDER BY started_at
    LIMIT 1
    """
  ).first { (row) throws(PostgresError) in
    (ShiftID(employee: employee, number: try row.next()), try ShiftSpan(from: &row))
  }
}

extension SQL.Interpolation {
  /// When a correction that had ended the open shift of `state` was undone last.
  mutating func appendInterpolation(lastUndoOfEnd employee: EmployeeID) {
    appendLiteral("(SELECT max(undoing.corrected_at) FROM shift_correction AS undoing ")
    appendLiteral("JOIN shift_correction AS undone ON undone.employee_id = undoing.employee_id ")
    appendLiteral("AND undone.shift_no = undoing.shift_no ")
    appendLiteral("AND undone.correction_no = undoing.undoes WHERE undoing.employee_id = ")
    appendInterpolation(employee.rawValue)
    appendLiteral(" AND undoing.shift_no = state.open_shift ")
    appendLiteral("AND undone.old_ended_at IS NULL AND undone.new_ended_at IS NOT NULL)")
  }
}

import Postgres
import ShiftDomain

// Table shift_note: employees' notes on a span of their own shift.

package struct ShiftNote: Hashable, Sendable {
  /// Its number within the shift, from 1.
  package var number: Int16
  package var from: Instant
  package var to: Instant
  /// The text; 1…500 characters.
  package var text: String
  package var createdAt: Instant

  package init(number: Int16, from: Instant, to: Instant, text: String, createdAt: Instant) {
    self.number = number
    self.from = from
    self.to = to
    self.text = text
    self.createdAt = createdAt
  }
}

package func notes(on shift: ShiftID, on session: inout Session) throws(PostgresError)
  -> [ShiftNote]
{
  try session.run(
    """
    SELECT note_no, from_at, to_at, note, created_at
    FROM shift_note
    WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    ORDER BY note_no
    """
  ).map { (row) throws(PostgresError) in
    ShiftNote(
      number: try row.next(), from: try row.next(), to: try row.next(), text: try row.next(),
      createdAt: try row.next())
  }
}

/// Adds a note. Violates `shift_note_pk` if another transaction took its number.
package func insert(_ note: ShiftNote, on shift: ShiftID) -> SQL {
  """
  INSERT INTO shift_note (employee_id, shift_no, note_no, from_at, to_at, note, created_at)
  VALUES (
    \(shift.employee.rawValue), \(shift.number), \(note.number), \(note.from), \(note.to),
    \(note.text), \(note.createdAt))
  """
}

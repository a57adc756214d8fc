import Postgres
import ReadModels
import ShiftDomain

// Table shift_note: employees' notes on a span of their own shift.

/// A shift's notes, in the order written.
package func notes(on shift: ShiftID, on session: inout Session) throws(PostgresError)
  -> [ShiftNote]
{
  try session.run(selectNotes(on: shift)).map(ShiftNote.init(from:))
}

func selectNotes(on shift: ShiftID) -> SQL {
  """
  SELECT note_no, from_at, to_at, note, created_at
  FROM shift_note
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
  ORDER BY note_no
  """
}

extension ShiftNote {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      number: try row.next(), from: try row.next(), to: try row.next(), text: try row.next(),
      createdAt: try row.next())
  }
}

/// Adds a note.
/// INVARIANT: the employee is held until the transaction ends, since the other notes were read.
package func insert(_ note: ShiftNote, on shift: ShiftID) -> SQL {
  """
  INSERT INTO shift_note (employee_id, shift_no, note_no, from_at, to_at, note, created_at)
  VALUES (
    \(shift.employee.rawValue), \(shift.number), \(note.number), \(note.from), \(note.to),
    \(note.text), \(note.createdAt))
  """
}

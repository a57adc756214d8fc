import Postgres
import ReadModels
import ShiftDomain

// Table retention, and the deletion of old data.

/// The retention settings.
package func retention(on session: inout Session) throws(PostgresError) -> Retention {
  let rows = try session.run("SELECT kind, days FROM retention ORDER BY kind")
  var retention = Retention.standard
  try rows.forEach { (row) throws(PostgresError) in retention[try row.next()] = try row.next() }
  return retention
}

/// Locks the settings until the transaction ends, because the allowed values depend on each other.
package let holdRetention: SQL = "LOCK TABLE retention IN SHARE ROW EXCLUSIVE MODE"

package func keep(_ kind: KeptKind, days: Int32) -> SQL {
  """
  INSERT INTO retention (kind, days) VALUES (\(kind.column), \(days))
  ON CONFLICT (kind) DO UPDATE SET days = excluded.days
  """
}

/// How many shifts, or audit entries, are from `start` until `end`: a shorter retention of `kind`
/// deletes something of these.
package func countOutlived(
  _ kind: KeptKind, from start: Instant, to end: Instant, on session: inout Session
) throws(PostgresError) -> Int64 {
  try session.run(selectOutlived(kind, from: start, to: end)).value(0, 0)
}

func selectOutlived(_ kind: KeptKind, from start: Instant, to end: Instant) -> SQL {
  switch kind {
  case .fixes, .coverage:
    "SELECT count(*) FROM shift WHERE ended_at >= \(start) AND ended_at < \(end)"
  case .shifts:
    "SELECT count(*) FROM past_shift WHERE ended_at >= \(start) AND ended_at < \(end)"
  case .auditLog: "SELECT count(*) FROM audit_entry WHERE at >= \(start) AND at < \(end)"
  }
}

/// Shifts that ended before `cutoff` and have no open question.
package func shiftsToDelete(before cutoff: Instant, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftID]
{
  try session.run(
    """
    SELECT shift.employee_id, shift.shift_no
    FROM shift JOIN guard_state AS state ON state.employee_id = shift.employee_id
    WHERE shift.ended_at < \(cutoff) AND state.unconfirmed_shift IS DISTINCT FROM shift.shift_no
    ORDER BY shift.employee_id, shift.shift_no LIMIT \(limit)
    """
  ).map(ShiftID.init(from:))
}

/// Deletes all data of these shifts except their times. One that still needs review needs it for
/// good.
package func deleteCoverage(of shifts: [ShiftID]) -> [SQL] {
  [
    // Locks the rows: an approval or a correction is either read below, or finds the past shift.
    """
    UPDATE shift SET needs_review = shift.needs_review
    FROM unnest(\(shifts.employees), \(shifts.numbers)) AS old (employee_id, shift_no)
    WHERE shift.employee_id = old.employee_id AND shift.shift_no = old.shift_no
    """,
    """
    INSERT INTO past_shift (
      employee_id, shift_no, started_at, ended_at, approved_at, approved_by, times_confirmed_at,
      approved_team, approved_zone, approved_day, approved_rounding, approved_pays_breaks,
      needs_review, unconfirmed, corrections, break_ms)
    SELECT employee_id, shift_no, started_at, ended_at, approved_at, approved_by,
      times_confirmed_at, approved_team, approved_zone, approved_day, approved_rounding,
      approved_pays_breaks, needs_review,
      coalesce(device_no IS NULL AND ended_by = \(ShiftEnding.manager.column)
        AND objected_at IS NULL AND times_confirmed_at IS NULL, false), (
        SELECT count(*) FROM shift_correction AS correction
        WHERE correction.employee_id = shift.employee_id
          AND correction.shift_no = shift.shift_no AND undoes IS NULL)::smallint,
      coalesce((
        SELECT sum(1000 * extract(epoch FROM pause.ended_at - pause.started_at))
        FROM shift_break AS pause
        WHERE pause.employee_id = shift.employee_id AND pause.shift_no = shift.shift_no
          AND pause.ended_at IS NOT NULL), 0)::bigint
    FROM shift
    JOIN unnest(\(shifts.employees), \(shifts.numbers)) AS old (employee_id, shift_no)
      USING (employee_id, shift_no)
    WHERE ended_at IS NOT NULL
    ORDER BY employee_id, shift_no
    ON CONFLICT DO NOTHING
    """,
  ] + partsOfShifts.map { deleteRows(of: shifts, from: $0) }
}

/// In the order in which their rows can be deleted: rollups before visits, as rollups lock them.
private let partsOfShifts: [StaticString] = [
  "purge", "incident", "take_over", "shift_break", "shift_correction_break", "shift_correction",
  "shift_note", "coverage_rollup", "site_visit", "sites_in_force", "away_span",
  "shift",
]

func deleteRows(of shifts: [ShiftID], from table: StaticString) -> SQL {
  """
  DELETE FROM \(fragment: table) AS part
  USING unnest(\(shifts.employees), \(shifts.numbers)) AS old (employee_id, shift_no)
  WHERE part.employee_id = old.employee_id AND part.shift_no = old.shift_no
  """
}

/// The statements that delete old data of `kind` row by row. Weeks of pings and of notifications,
/// and shifts with their coverage, are deleted in steps of their own.
package func deletionStatements(of kind: KeptKind, before cutoff: Instant) -> [SQL] {
  switch kind {
  case .fixes: [deleteQuarantine(before: cutoff)]
  case .coverage:
    deleteDataOutsideShifts(before: cutoff) + [
      deleteDetections(before: cutoff), deleteRestorations(before: cutoff),
    ]
  case .shifts:
    [
      deletePastShifts(before: cutoff), deletePlannedShifts(before: cutoff),
      deleteAbsences(before: cutoff),
    ]
  case .auditLog: [deleteAuditEntries(before: cutoff)]
  }
}

/// Deletes data of the same age that belongs to no shift: reports except each phone's newest, clock
/// actions, arrivals, overrides, enrolment codes.
func deleteDataOutsideShifts(before cutoff: Instant) -> [SQL] {
  [
    """
    DELETE FROM permission_report AS report
    WHERE received_at < \(cutoff)
      AND NOT EXISTS (
        SELECT FROM device
        WHERE device.employee_id = report.employee_id
          AND device.newest_report_id = report.report_id)
      AND NOT EXISTS (
        SELECT FROM guard_state AS state
        WHERE state.employee_id = report.employee_id AND state.report_id = report.report_id)
      AND NOT EXISTS (
        SELECT FROM shift
        WHERE shift.employee_id = report.employee_id
          AND shift.evidence_report_id = report.report_id)
    """,
    "DELETE FROM clock_action WHERE received_at < \(cutoff)",
    // Of a phone that never sent anything again.
    "UPDATE device SET arrived_at = NULL WHERE arrived_at < \(cutoff)",
    "DELETE FROM guard_override WHERE expires_at < \(cutoff)",
    "DELETE FROM enrolment_code WHERE expires_at < \(cutoff)",
  ]
}

func deletePastShifts(before cutoff: Instant) -> SQL {
  "DELETE FROM past_shift WHERE ended_at < \(cutoff)"
}

/// Affects as many rows as it deletes. The service's role may not delete audit entries otherwise.
func deleteAuditEntries(before cutoff: Instant) -> SQL {
  "SELECT FROM delete_audit_entries(\(cutoff))"
}

import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table ping, where a silence of positions is open: a late one may have moved its opening.

/// `cases`, with the positions around the opening of each `no_fix` that is open.
func placing(
  _ cases: [(record: EmployeeRecord, evidence: SilenceEvidence)], on session: inout Session
) throws(PostgresError) -> [(record: EmployeeRecord, evidence: SilenceEvidence)] {
  var cases = cases
  var (places, statements) = ([Int](), [SQL]())
  for (place, (record, evidence)) in cases.enumerated() {
    guard let incident = record.state[.fix], let shift = record.state.shift,
      let device = shift.device
    else { continue }
    places.append(place)
    statements.append(
      selectPositions(
        around: incident.openedAt, of: DeviceID(employee: record.employee, number: device),
        in: shift.number, fixAgeMax: evidence.fixAgeMax))
  }
  guard !places.isEmpty else { return cases }
  try session.pipeline(statements) { (position, rows) throws(PostgresError) in
    try rows.forEach { (row) throws(PostgresError) in
      cases[places[position]].evidence.positionBefore = try row.next()
      cases[places[position]].evidence.positionAfter = try row.next()
    }
  }
  return cases
}

func selectPositions(
  around opening: Instant, of device: DeviceID, in shift: Int32, fixAgeMax: TimeSpan
) -> SQL {
  """
  SELECT max(effective_at) FILTER (WHERE effective_at < \(opening)),
    min(effective_at) FILTER (WHERE effective_at >= \(opening))
  FROM ping
  WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
    AND shift_no = \(shift) AND recorded_at >= least(
      \(opening - fixAgeMax - clockErrorMax), (
        SELECT recorded_from FROM coverage_rollup
        WHERE employee_id = \(device.employee.rawValue) AND shift_no = \(shift)))
    AND (latitude_e7 IS NOT NULL OR flags & \(PingFlag.stationary) <> 0)
  """
}

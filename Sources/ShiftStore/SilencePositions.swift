import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table ping, around silences: what came late may have changed it.

/// `cases`, with the positions around the opening of each `no_fix` that is open, the end of the
/// last rest or hidden time where one may open, or a silence of contact after signs that may be
/// sealed, and all of these around each silence of contact that is over.
func placing(
  _ cases: [(record: EmployeeRecord, evidence: SilenceEvidence)], on session: inout Session
) throws(PostgresError) -> [(record: EmployeeRecord, evidence: SilenceEvidence)] {
  enum Asked { case positions, lastAnnounced, announced }
  var cases = cases
  var (asked, statements) = ([(place: Int, what: Asked)](), [SQL]())
  for (place, (record, evidence)) in cases.enumerated() {
    guard let shift = record.state.shift, let number = shift.device else { continue }
    let device = DeviceID(employee: record.employee, number: number)
    if let incident = record.state[.fix] {
      asked.append((place, .positions))
      statements.append(
        selectPositions(
          around: incident.openedAt, of: device, in: shift.number, since: shift.startedAt))
    } else if evidence.fixDue(in: shift) != nil
      || record.state[.contact] == nil && shift.mayHaveSealedSigns,
      let heard = evidence.lastReceipt
    {
      let since = max(shift.trackedSince, evidence.lastPosition ?? shift.trackedSince)
      let time = Interval(
        from: min(since, heard), to: heard + PolicySpan.maxRest.range.upperBound)
      asked.append((place, .lastAnnounced))
      statements.append(selectAnnounced(around: time, by: device, in: shift.number))
    }
    if let silence = evidence.endedSilence(in: record.state) {
      asked.append((place, .announced))
      statements.append(selectAnnounced(around: silence, by: device, in: shift.number))
    }
  }
  guard !asked.isEmpty else { return cases }
  try session.pipeline(statements) { (position, rows) throws(PostgresError) in
    let (place, what) = asked[position]
    if what == .positions {
      return try rows.forEach { (row) throws(PostgresError) in
        cases[place].evidence.positionBefore = try row.next()
        cases[place].evidence.positionAfter = try row.next()
        cases[place].evidence.announcedAfter = try row.next()
      }
    }
    let announced = try rows.map { (row) throws(PostgresError) in
      Interval(from: try row.next(), to: try row.next())
    }
    if what == .announced { return cases[place].evidence.announced = IntervalSet(announced) }
    let ends = [cases[place].evidence.restsUntil].compactMap(\.self) + announced.map(\.end)
    cases[place].evidence.restsUntil = ends.max()
  }
  return cases
}

extension OpenShift {
  /// Whether the newest sign may be one that a break or a take-over sealed: it ends no rest.
  fileprivate var mayHaveSealedSigns: Bool { latestBreak != nil || takenOverAt != nil }
}

extension SilenceEvidence {
  /// The silence of contact that is over, but not recorded so.
  fileprivate func endedSilence(in state: GuardState) -> Interval? {
    guard let incident = state[.contact] else {
      return gap.flatMap { $0.end > contactEndedAt ?? $0.start ? $0 : nil }
    }
    return lastReceipt.flatMap { heard in
      heard > incident.openedAt ? Interval(from: incident.openedAt, to: heard) : nil
    }
  }
}

/// Rests and hidden times of `device` that count, each up to its next ping or report. A mock or
/// inaccurate position announces none.
func selectAnnounced(around silence: Interval, by device: DeviceID, in shift: Int32) -> SQL {
  let earliest = silence.start - PolicySpan.maxRest.range.upperBound - clockErrorMax
  return """
    SELECT effective_at, least(
      CASE WHEN flags & \(PingFlag.rests) <> 0
        THEN effective_at + (speed_cm_s * 1000 + heading_deg) * interval '1 ms' END,
      next_at, (
        SELECT min(coalesce(report.counts_from, report.effective_at))
        FROM permission_report AS report
        WHERE report.employee_id = \(device.employee.rawValue)
          AND report.device_no = \(device.number)
          AND coalesce(report.counts_from, report.effective_at) > sign.effective_at),
      \(silence.end))
    FROM (
      SELECT effective_at, flags, speed_cm_s, heading_deg, min(effective_at) OVER (
        ORDER BY effective_at RANGE BETWEEN interval '1 ms' FOLLOWING AND UNBOUNDED FOLLOWING
      ) AS next_at
      FROM ping JOIN shift USING (employee_id, shift_no)
      WHERE employee_id = \(device.employee.rawValue) AND ping.device_no = \(device.number)
        AND shift_no = \(shift) AND \(fragment: isCounted, naming: device.employee)
        AND effective_at <= \(silence.end) AND recorded_at >= least(\(earliest), (
          SELECT recorded_from FROM coverage_rollup
          WHERE employee_id = \(device.employee.rawValue) AND shift_no = \(shift)))
    ) AS sign
    WHERE \(announces: "flags")
    """
}

/// Whether there is a position in the open shift of `state`, of any device, that counts by the
/// current timeline. The keys of its pings begin `clockErrorMax`, ten minutes, before it.
let isLocated = ShiftFragment(
  """
  (EXISTS (
    SELECT FROM shift
    WHERE shift.employee_id = state.employee_id AND shift.shift_no = state.open_shift
      AND shift.start_fix_at IS NOT NULL)
  OR EXISTS (
    SELECT FROM shift
    JOIN ping ON ping.employee_id = shift.employee_id AND ping.shift_no = shift.shift_no
    WHERE shift.employee_id = state.employee_id AND shift.shift_no = state.open_shift
      AND ping.latitude_e7 IS NOT NULL
      AND ping.recorded_at >= least(state.opened_at - interval '10 min', (
        SELECT recorded_from FROM coverage_rollup AS rollup
        WHERE rollup.employee_id = state.employee_id AND rollup.shift_no = state.open_shift))
      AND
  """, " ", isCounted, "))")

/// The last position of `device` before `opening`, the first from it on, and the first rest or
/// hidden time from it on. A sign at rest counts as a position after the first fix in the shift, of
/// any device; the shift began at `start`.
func selectPositions(
  around opening: Instant, of device: DeviceID, in shift: Int32, since start: Instant
) -> SQL {
  """
  SELECT max(effective_at) FILTER (
      WHERE proves AND effective_at >= located_at AND effective_at < \(opening)),
    min(effective_at) FILTER (
      WHERE proves AND effective_at >= located_at AND effective_at >= \(opening)),
    min(effective_at) FILTER (WHERE \(announces: "flags") AND effective_at >= \(opening))
  FROM (
    SELECT ping.device_no, effective_at, flags,
      latitude_e7 IS NOT NULL OR flags & \(PingFlag.stationary) <> 0 AS proves, least(
      min(effective_at) FILTER (WHERE latitude_e7 IS NOT NULL) OVER (), start_fix_at) AS located_at
    FROM ping JOIN shift USING (employee_id, shift_no)
    WHERE employee_id = \(device.employee.rawValue)
      AND \(fragment: isCounted, naming: device.employee)
      AND shift_no = \(shift) AND recorded_at >= least(\(start - clockErrorMax), (
        SELECT recorded_from FROM coverage_rollup
        WHERE employee_id = \(device.employee.rawValue) AND shift_no = \(shift)))
      AND (latitude_e7 IS NOT NULL
        OR flags & \(PingFlag.stationary | PingFlag.hidden | PingFlag.rests) <> 0)
  ) AS sign
  WHERE device_no = \(device.number)
  """
}

extension SQL.Interpolation {
  /// Whether a ping with these `flags` announces a rest or hidden time.
  fileprivate mutating func appendInterpolation(announces flags: StaticString) {
    appendLiteral("(\(flags) & ")
    appendInterpolation(PingFlag.hidden)
    appendLiteral(" <> 0 OR \(flags) & ")
    appendInterpolation(PingFlag.rests)
    appendLiteral(" <> 0 AND \(flags) & ")
    appendInterpolation(PingFlag.mock | PingFlag.coarse)
    appendLiteral(" = 0)")
  }
}

/// When the last of what the phone had recorded in each silence of the shift was received.
func selectArrivals(inSilencesOf shift: ShiftID) -> SQL {
  """
  SELECT incident_no, max(effective_at + arrived_ms * interval '1 ms')
  FROM incident
  JOIN ping ON ping.employee_id = incident.employee_id AND ping.device_no = incident.device_no
    AND ping.shift_no = incident.shift_no
    AND recorded_at BETWEEN opened_at - \(clockErrorMax.column) * interval '1 ms'
      AND closed_at + \(clockErrorMax.column) * interval '1 ms'
    AND effective_at >= opened_at AND effective_at < closed_at
  WHERE incident.employee_id = \(shift.employee.rawValue) AND incident.shift_no = \(shift.number)
    AND dimension = \(Dimension.contact.column)
  GROUP BY incident_no
  """
}

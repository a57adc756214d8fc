import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Clock-ins with what another policy needs to decide them again, across tables.

/// The clock-ins of a team's employees that the guard decided, received since `start`, the newest
/// first. Employees count to the team in which they are now.
package func decidedClockIns(
  in team: TeamID, since start: Instant, limit: Int32, on session: inout Session
) throws(PostgresError) -> [DecidedClockInRow] {
  try session.run(selectDecidedClockIns(in: team, since: start, limit: limit))
    .map(DecidedClockInRow.init(from:))
}

func selectDecidedClockIns(in team: TeamID, since start: Instant, limit: Int32) -> SQL {
  let clockedIn = ClockActionResult.clockedIn.column
  return """
    SELECT action.employee_id, action.device_no, employee.name, action.action_no, action.at,
      action.policy_version, action.blocking, action.warning, action.informing,
      action.report_id IS NOT NULL, report.effective_at, policy.blocking, policy.warning,
      policy.ignored, policy.fresh_for_ms, policy.early_window_ms,
      \(fragment: ReplayedPlace.columns), action.outcome = \(clockedIn), used.findings, used.author
    FROM employee
    JOIN clock_action AS action ON action.employee_id = employee.employee_id
    LEFT JOIN policy_version AS policy
      ON policy.team_id = employee.team_id AND policy.version = action.policy_version
    LEFT JOIN permission_report AS report
      ON report.employee_id = action.employee_id AND report.report_id = action.report_id
    LEFT JOIN shift ON shift.employee_id = action.employee_id
      AND shift.shift_no = action.shift_no AND action.outcome = \(clockedIn)
    LEFT JOIN guard_override AS used
      ON used.employee_id = shift.employee_id AND used.override_no = shift.override_no
    WHERE employee.team_id = \(team.rawValue) AND action.received_at >= \(start)
      AND action.outcome IN (\(clockedIn), \(ClockActionResult.blocked.column))
    ORDER BY action.received_at DESC, action.employee_id, action.action_no
    LIMIT \(limit)
    """
}

extension DecidedClockInRow {
  init(from row: inout RowReader) throws(PostgresError) {
    let device = try DeviceID(from: &row)
    let (name, number): (String, Int32?) = (try row.next(), try row.next())
    let (at, version): (Instant, Int32) = (try row.next(), try row.next())
    let decision = try Decision(from: &row)
    let (hadReport, reportedAt): (Bool, Instant?) = (try row.next(), try row.next())
    let then = try Then(from: &row)
    let place = try ReplayedPlace(from: &row)
    let isClockedIn: Bool = try row.next()
    var override = try Override(usedFrom: &row)
    // An override that did not name all that blocked: what it named is stored as a warning.
    if override == nil, !isClockedIn, let then {
      let excused = decision.warning.intersection(then.severities.blocking)
      if !excused.isEmpty { override = Override(number: nil, findings: excused, author: .manager) }
    }
    let excused = override.map { decision.warning.intersection($0.findings) } ?? []
    self.init(
      device: device, name: name, number: number, at: at, policyVersion: version,
      clockIn: DecidedClockIn(
        Decision(
          blocking: decision.blocking, warning: decision.warning, informing: decision.informing,
          excusing: then.map { excused.intersection($0.severities.blocking) } ?? []),
        override: override,
        reportAge: hadReport ? reportedAt.map { .known(at - $0) } ?? .unknown : .noReport,
        freshFor: then?.freshFor, earlyWindow: then?.earlyWindow,
        unjudged: then?.severities.ignored ?? .ignorable, place: place))
  }
}

extension ReplayedPlace {
  fileprivate static let columns: StaticString = """
    action.has_sites, action.site_no, action.site_distance_m, action.site_margin_m,
    action.site_accuracy_m
    """

  fileprivate init?(from row: inout RowReader) throws(PostgresError) {
    let (hasSites, site): (Bool?, Int16?) = (try row.next(), try row.next())
    guard hasSites == true, let site else {
      row.skip(3)
      guard let hasSites else { return nil }
      self = hasSites ? .unknown : .noSites
      return
    }
    self = .at(
      KeptPlace(
        site: site, meters: try row.next(), marginMeters: try row.next(),
        accuracyMeters: try row.next()))
  }
}

/// What the policy was by which a clock-in was decided.
private struct Then {
  let severities: SeverityTable
  let freshFor: TimeSpan
  let earlyWindow: TimeSpan

  /// `nil`: there is no such version. The employee was in another team then.
  init?(from row: inout RowReader) throws(PostgresError) {
    guard let blocking: FindingSet = try row.next() else {
      row.skip(4)
      return nil
    }
    severities = SeverityTable(
      blocking: blocking, warning: try row.next(), ignored: try row.next())
    (freshFor, earlyWindow) = (try row.next(), try row.next())
  }
}

extension Override {
  /// An employee's own override excuses everything, if the policy allows it.
  fileprivate init?(usedFrom row: inout RowReader) throws(PostgresError) {
    guard let findings: FindingSet = try row.next() else {
      row.skip(1)
      return nil
    }
    let author: OverrideAuthor = try row.next()
    self.init(number: nil, findings: author == .employee ? .all : findings, author: author)
  }
}

public import Postgres
public import ShiftDomain

// Table attempt, as managers look at it: by number within the employee. Taps from before they were
// numbered cannot be named, and are not listed.

/// What became of a tap that waited for a manager. Raw values are stored; append-only.
public enum Settlement: UInt8, Coded {
  /// What the employee said holds: a shift was opened or corrected.
  case accepted = 0
  /// It changes nothing.
  case dismissed = 1

  /// Its word in JSON.
  public var code: String {
    switch self {
    case .accepted: "accepted"
    case .dismissed: "dismissed"
    }
  }
}

/// A settlement, with who made it and why.
public struct Settled: Hashable, Sendable {
  /// What became of the tap.
  public var settlement: Settlement
  /// When.
  public var at: Instant
  /// Who; 1…100 characters.
  public var by: String
  /// Why; up to 500 characters, `nil` when nothing was said.
  public var reason: String?
  /// The shift that was opened or corrected; `nil` when none was.
  public var shift: Int32?
  /// When that shift ended, as was said with an acceptance; `nil` when nothing was said.
  public var endedAt: Instant?

  /// A settlement.
  public init(
    _ settlement: Settlement, at: Instant, by: String, reason: String?, shift: Int32? = nil,
    endedAt: Instant? = nil
  ) {
    self.settlement = settlement
    self.at = at
    self.by = by
    self.reason = reason
    self.shift = shift
    self.endedAt = endedAt
  }
}

/// A tap as managers see it.
public struct AttemptRow: Hashable, Sendable {
  /// The device that was tapped.
  public var device: DeviceID
  /// Its number within the employee, from 1.
  public var number: Int32
  /// When it was tapped, by the server's clock.
  public var at: Instant
  /// When it arrived.
  public var receivedAt: Instant
  /// What came of it.
  public var outcome: AttemptOutcome
  /// The shift begun, ended or in the way, as the phone was told; a settlement changes nothing of
  /// that, and names its own.
  public var shift: Int32?
  /// The report it was judged on, which may be gone by now.
  public var report: ReportID?
  /// The decision.
  public var decision: Decision
  /// Whether it was kept for a manager to look at.
  public var needsReview: Bool
  /// What became of it; `nil` while nothing did.
  public var settled: Settled?

  /// Whether a manager may settle it: it was refused or kept, and nobody did yet.
  public var awaitsManager: Bool { settled == nil && canBeSettled }

  /// Whether it is one that a manager settles.
  public var canBeSettled: Bool { needsReview || outcome == .blocked }
}

/// Taps of `employee`, or of everybody, newest first; with `number` just that one.
/// - Parameters:
///   - teams: Only of the employees of these; `nil`: of every team.
///   - awaitingOnly: Only those that a manager may settle.
public func attempts(
  of employee: EmployeeID?, number: Int32? = nil, teams: [TeamID]? = nil,
  awaitingOnly: Bool = false, limit: Int32, on session: inout Session
) throws(PostgresError) -> [AttemptRow] {
  let teams = teams?.map(\.rawValue)
  let rows = try session.run(
    """
    SELECT attempt.employee_id, device_no, attempt_no, at, received_at, outcome, shift_no,
      report_id, blocking, warning, informing, review, settlement, settled_at, settled_by,
      settled_reason, settled_shift, settled_end
    FROM attempt
    JOIN employee ON employee.employee_id = attempt.employee_id
    WHERE attempt_no IS NOT NULL
      AND (\(employee?.rawValue) IS NULL OR attempt.employee_id = \(employee?.rawValue))
      AND (\(number) IS NULL OR attempt_no = \(number))
      AND (\(teams) IS NULL OR employee.team_id = ANY (\(teams)))
      AND (NOT \(awaitingOnly)
        OR (settled_at IS NULL AND (review OR outcome = \(AttemptOutcome.blocked.column))))
    ORDER BY received_at DESC, attempt.employee_id, attempt_no DESC
    LIMIT \(limit)
    """)
  var records: [AttemptRow] = []
  for row in 0..<rows.count { records.append(try rows.attemptRow(row)) }
  return records
}

extension Rows {
  fileprivate func attemptRow(_ row: Int) throws(PostgresError) -> AttemptRow {
    let report: Int64? = try value(row, 7)
    let (blocking, warning) = (try findings(row, 8), try findings(row, 9))
    let settlement: Settlement? = try codedIfPresent(row, 12)
    return AttemptRow(
      device: DeviceID(employee: EmployeeID(try value(row, 0)), number: try value(row, 1)),
      number: try value(row, 2), at: try value(row, 3), receivedAt: try value(row, 4),
      outcome: try coded(row, 5), shift: try value(row, 6), report: report.map { ReportID($0) },
      decision: Decision(
        blocking.union(warning).union(try findings(row, 10)),
        under: SeverityTable(blocking: blocking, warning: warning)),
      needsReview: try value(row, 11),
      settled: try settlement.map { (settlement) throws(PostgresError) in
        Settled(
          settlement, at: try value(row, 13), by: try value(row, 14) ?? "",
          reason: try value(row, 15), shift: try value(row, 16), endedAt: try value(row, 17))
      })
  }
}

/// Settles a tap once. Affects one row, or none: then somebody did before. What the phone was
/// answered stays, for it may ask again.
public func settle(_ attempt: AttemptRow, _ settled: Settled) -> SQL {
  """
  UPDATE attempt
  SET settlement = \(settled.settlement.column), settled_at = \(settled.at),
    settled_by = \(settled.by), settled_reason = \(settled.reason),
    settled_shift = \(settled.shift), settled_end = \(settled.endedAt)
  WHERE employee_id = \(attempt.device.employee.rawValue) AND attempt_no = \(attempt.number)
    AND settled_at IS NULL
  """
}

/// A report that is still held; `nil` when it is gone.
public func report(_ report: ReportID, of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> PermissionReport?
{
  let rows = try session.run(
    """
    SELECT \(fragment: reportColumns)
    FROM permission_report AS report
    WHERE report.employee_id = \(employee.rawValue) AND report.report_id = \(report.rawValue)
    """)
  return rows.count == 0 ? nil : try rows.permissionReport(0, from: 0)
}

/// Whether nobody has to decide on a tap any more; true of one that is not there.
public func isSettled(attempt number: Int32, of employee: EmployeeID, on session: inout Session)
  throws(PostgresError) -> Bool
{
  try session.run(
    """
    SELECT NOT EXISTS (
      SELECT FROM attempt
      WHERE employee_id = \(employee.rawValue) AND attempt_no = \(number)
        AND settled_at IS NULL)
    """
  ).value(0, 0)
}

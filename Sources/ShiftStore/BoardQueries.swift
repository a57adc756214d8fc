public import GuardRules
public import Postgres
public import ShiftDomain

// The overview of managers and operators, across tables.

/// A team and its current day.
public struct TeamDay: Hashable, Sendable {
  /// The team.
  public var team: TeamID
  /// Its name.
  public var name: String
  /// Its IANA time zone.
  public var timeZone: String
  /// From the day's first instant to that of the next day.
  public var span = Interval(from: Instant(milliseconds: 0), to: Instant(milliseconds: 0))

  /// A team whose day is not set yet.
  public init(team: TeamID, name: String, timeZone: String) {
    self.team = team
    self.name = name
    self.timeZone = timeZone
  }
}

/// The teams in `scope`, by number; the caller sets their day.
public func teamDays(in scope: TeamScope, on session: inout Session)
  throws(PostgresError) -> [TeamDay]
{
  let rows = try session.run(
    """
    SELECT team_id, name, time_zone
    FROM team
    WHERE \(scope.numbers) IS NULL OR team_id = ANY (\(scope.numbers))
    ORDER BY team_id
    """)
  var days: [TeamDay] = []
  for row in 0..<rows.count {
    days.append(
      TeamDay(
        team: TeamID(try rows.value(row, 0)), name: try rows.value(row, 1),
        timeZone: try rows.value(row, 2)))
  }
  return days
}

/// A blocked clock-in that is not reviewed yet.
public struct BlockedClockIn: Hashable, Sendable {
  /// Its number within the employee; `nil` for one stored before numbering.
  public var clockAction: Int32?
  /// The time of the clock-in.
  public var at: Instant
  /// The blocking findings.
  public var findings: FindingSet
}

/// One employee's line on the board.
public struct BoardRecord: Hashable, Sendable {
  /// The employee.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team.
  public var team: TeamID
  /// The open shift's number.
  public var openShift: Int32?
  /// When the open shift began.
  public var startedAt: Instant?
  /// The start of the current break; `nil` outside a break.
  public var breakSince: Instant?
  /// The last contact from the tracking device.
  public var lastReceivedAt: Instant?
  /// Its last fix.
  public var lastFixAt: Instant?
  /// Today's blocked clock-in, if it was their last clock action; `nil` on shift.
  public var blocked: BlockedClockIn?
  /// Open incidents, in the order they began.
  public var incidents: [OpenIncident] = []
}

/// The facts of the board, in one snapshot of the database.
public struct BoardRecords: Hashable, Sendable {
  /// All requested employees, by team and number.
  public var lines: [BoardRecord] = []
  /// Their shifts that intersect the day, by employee and start.
  public var shifts: [DayShift] = []
  /// Our outages since the first of these shifts may have begun, not clipped.
  public var outages = IntervalSet()

  /// Empty.
  public init() {}
}

/// Plans the following statements of this transaction once per connection, or as the planner likes.
/// By default Postgres plans the statements of a whole board again for each query, which takes
/// longer than some of them; for a few employees it is worth it.
func planning(once: Bool) -> SQL {
  "SELECT set_config('plan_cache_mode', \(once ? "force_generic_plan" : "auto"), true)"
}

/// The employees of the teams of `days`, or only those in `employees`.
public func board(
  on days: [TeamDay], only employees: [EmployeeID]? = nil, on session: inout Session
) throws(PostgresError) -> BoardRecords {
  var board = BoardRecords()
  guard !days.isEmpty else { return board }
  let only = employees?.map(\.rawValue)
  var places: [EmployeeID: Int] = [:]
  try session.pipeline([
    planning(once: only == nil), selectBoard(on: days, only: only),
    selectOpenIncidents(in: days.map(\.team.rawValue), only: only),
    selectShifts(touching: days, only: only), selectOutages(touching: days),
  ]) { (position, rows) throws(PostgresError) in
    switch position {
    case 0: break
    case 1:
      for row in 0..<rows.count {
        let record = try rows.boardRecord(row)
        places[record.employee] = board.lines.count
        board.lines.append(record)
      }
    case 2:
      for row in 0..<rows.count {
        guard let place = places[EmployeeID(try rows.value(row, 0))] else { continue }
        board.lines[place].incidents.append(try rows.openIncident(row))
      }
    case 3: board.shifts = try rows.dayShifts()
    default: board.outages = try rows.outages()
    }
  }
  return board
}

func selectBoard(on days: [TeamDay], only employees: [Int32]?) -> SQL {
  """
  SELECT employee.employee_id, employee.name, employee.team_id, state.open_shift, state.opened_at,
    CASE WHEN state.break_ended_at IS NULL THEN state.break_started_at END,
    contact.last_received_at, contact.last_fix_at, action.action_no, action.at, action.blocking
  FROM unnest(\(days.map(\.team.rawValue)), \(days.map(\.span.start))) AS day (team_id, starts_at)
  JOIN employee ON employee.team_id = day.team_id
  JOIN guard_state AS state ON state.employee_id = employee.employee_id
  LEFT JOIN device_contact AS contact
    ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
  LEFT JOIN LATERAL (
    SELECT action_no, at, blocking, outcome, reviewed_at
    FROM clock_action
    WHERE clock_action.employee_id = employee.employee_id
      AND clock_action.received_at >= day.starts_at AND state.open_shift IS NULL
    ORDER BY received_at DESC
    LIMIT 1
  ) AS action ON action.outcome = \(ClockActionResult.blocked.column) AND action.reviewed_at IS NULL
  WHERE \(employees) IS NULL OR employee.employee_id = ANY (\(employees))
  ORDER BY employee.team_id, employee.employee_id
  """
}

extension Rows {
  fileprivate func boardRecord(_ row: Int) throws(PostgresError) -> BoardRecord {
    var record = BoardRecord(
      employee: EmployeeID(try value(row, 0)), name: try value(row, 1),
      team: TeamID(try value(row, 2)), openShift: try value(row, 3), startedAt: try value(row, 4),
      breakSince: try value(row, 5), lastReceivedAt: try value(row, 6),
      lastFixAt: try value(row, 7))
    if let at: Instant = try value(row, 9) {
      record.blocked = BlockedClockIn(
        clockAction: try value(row, 8), at: at, findings: try findings(row, 10))
    }
    return record
  }
}

/// A mark of an employee's line on the board: another value whenever an event changes the line; the
/// passing of time does not change it.
public struct BoardMark: Hashable, Sendable {
  /// Their team.
  public var team: TeamID
  /// The version of their state.
  public var version: Int64
  /// Whether a position of the open shift has been received.
  public var isLocated: Bool
  /// How many notifications of their open incidents were delivered; 0 until the caller sets it.
  public var deliveryCount: Int64 = 0
}

/// The marks of all employees. With them any number of instances notice every change, in whatever
/// order transactions commit, without notifications.
public func boardMarks(on session: inout Session) throws(PostgresError) -> [EmployeeID: BoardMark] {
  let rows = try session.run(
    """
    SELECT state.employee_id, employee.team_id, state.version,
      coalesce(contact.last_fix_at >= state.opened_at, false)
    FROM guard_state AS state
    JOIN employee ON employee.employee_id = state.employee_id
    LEFT JOIN device_contact AS contact
      ON contact.employee_id = state.employee_id AND contact.device_no = state.open_device
    """)
  var marks: [EmployeeID: BoardMark] = [:]
  marks.reserveCapacity(rows.count)
  for row in 0..<rows.count {
    marks[EmployeeID(try rows.value(row, 0))] = BoardMark(
      team: TeamID(try rows.value(row, 1)), version: try rows.value(row, 2),
      isLocated: try rows.value(row, 3))
  }
  return marks
}

/// The numbers of objects in the installation.
public struct InstallationCounts: Hashable, Sendable {
  /// The server's own version.
  public var postgresVersion: String
  /// Teams, employees and devices that are not revoked.
  public var teams: Int64, employees: Int64, devices: Int64
  /// Shifts and incidents without an end.
  public var openShifts: Int64, openIncidents: Int64
  /// Notifications in the outbox, and when the oldest was queued.
  public var notifications: Int64, oldestNotificationAt: Instant?
}

/// Counts everything once.
public func installationCounts(on session: inout Session) throws(PostgresError)
  -> InstallationCounts
{
  let rows = try session.run(
    """
    SELECT current_setting('server_version'),
      (SELECT count(*) FROM team), (SELECT count(*) FROM employee),
      (SELECT count(*) FROM device WHERE revoked_at IS NULL),
      (SELECT count(*) FROM shift WHERE ended_at IS NULL),
      (SELECT count(*) FROM incident WHERE closed_at IS NULL),
      (SELECT count(*) FROM notification), (SELECT min(queued_at) FROM notification)
    """)
  return InstallationCounts(
    postgresVersion: try rows.value(0, 0), teams: try rows.value(0, 1),
    employees: try rows.value(0, 2), devices: try rows.value(0, 3),
    openShifts: try rows.value(0, 4), openIncidents: try rows.value(0, 5),
    notifications: try rows.value(0, 6), oldestNotificationAt: try rows.value(0, 7))
}

public import GuardRules
public import Postgres
public import ShiftDomain

// What managers and operators see at a glance, across tables.

/// A team and its present day.
public struct TeamDay: Hashable, Sendable {
  /// The team.
  public var team: TeamID
  /// Its name.
  public var name: String
  /// Its IANA time zone.
  public var timeZone: String
  /// From the day's first instant there to the next one's.
  public var span = Interval(from: Instant(milliseconds: 0), to: Instant(milliseconds: 0))

  /// A team whose day is not told yet.
  public init(team: TeamID, name: String, timeZone: String) {
    self.team = team
    self.name = name
    self.timeZone = timeZone
  }
}

/// The teams in `scope`, by number; their day is for the caller to tell.
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

/// A clock-in that was refused, and that nobody has settled.
public struct BlockedTap: Hashable, Sendable {
  /// Its number within the employee; `nil` for taps from before they were numbered.
  public var attempt: Int32?
  /// When it was tapped.
  public var at: Instant
  /// What blocked it.
  public var findings: FindingSet
}

/// One employee's line on the board.
public struct BoardRecord: Hashable, Sendable {
  /// Who.
  public var employee: EmployeeID
  /// Their name.
  public var name: String
  /// Their team.
  public var team: TeamID
  /// The open shift's number.
  public var openShift: Int32?
  /// When the open shift began.
  public var startedAt: Instant?
  /// Since when they are on a break; `nil`: they are not.
  public var breakSince: Instant?
  /// When the tracking device was last heard of.
  public var lastReceivedAt: Instant?
  /// When it was last located.
  public var lastFixAt: Instant?
  /// The clock-in that was refused today, when it was their last tap; `nil` on shift.
  public var blocked: BlockedTap?
  /// Open incidents, in the order they began.
  public var incidents: [OpenIncident] = []
}

/// What the board is made of, in one snapshot of the database.
public struct BoardRecords: Hashable, Sendable {
  /// Everybody asked for, by team and number.
  public var lines: [BoardRecord] = []
  /// Their shifts that touch the day, by employee and start.
  public var shifts: [DayShift] = []
  /// Our own outages since the first of these shifts may have begun, whole.
  public var outages = IntervalSet()

  /// Nobody.
  public init() {}
}

/// Has what follows in this transaction planned once a connection, or as the planner likes. Left
/// alone, it plans a whole board's statements anew for each look, which takes longer than some of
/// them; a few people's are worth it.
func planning(once: Bool) -> SQL {
  "SELECT set_config('plan_cache_mode', \(once ? "force_generic_plan" : "auto"), true)"
}

/// The people of the teams of `days`, or only those of them in `employees`.
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
    pulse.last_received_at, pulse.last_fix_at, tap.attempt_no, tap.at, tap.blocking
  FROM unnest(\(days.map(\.team.rawValue)), \(days.map(\.span.start))) AS day (team_id, starts_at)
  JOIN employee ON employee.team_id = day.team_id
  JOIN guard_state AS state ON state.employee_id = employee.employee_id
  LEFT JOIN device_pulse AS pulse
    ON pulse.employee_id = state.employee_id AND pulse.device_no = state.open_device
  LEFT JOIN LATERAL (
    SELECT attempt_no, at, blocking, outcome, settled_at
    FROM attempt
    WHERE attempt.employee_id = employee.employee_id AND attempt.received_at >= day.starts_at
      AND state.open_shift IS NULL
    ORDER BY received_at DESC
    LIMIT 1
  ) AS tap ON tap.outcome = \(AttemptOutcome.blocked.column) AND tap.settled_at IS NULL
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
      record.blocked = BlockedTap(
        attempt: try value(row, 8), at: at, findings: try findings(row, 10))
    }
    return record
  }
}

/// What stands for an employee's line on the board: another value whenever something has happened
/// that makes the line another; that time goes by moves none.
public struct BoardMark: Hashable, Sendable {
  /// Their team.
  public var team: TeamID
  /// The version of their state.
  public var version: Int64
  /// Whether a position of the open shift has come.
  public var isLocated: Bool
  /// How often somebody was told of their open incidents; 0 until the caller says.
  public var told: Int64 = 0
}

/// Everybody's mark. By it any number of instances notice every change, in whatever order
/// transactions commit, without being told.
public func boardMarks(on session: inout Session) throws(PostgresError) -> [EmployeeID: BoardMark] {
  let rows = try session.run(
    """
    SELECT state.employee_id, employee.team_id, state.version,
      coalesce(pulse.last_fix_at >= state.opened_at, false)
    FROM guard_state AS state
    JOIN employee ON employee.employee_id = state.employee_id
    LEFT JOIN device_pulse AS pulse
      ON pulse.employee_id = state.employee_id AND pulse.device_no = state.open_device
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

/// How much there is of everything.
public struct InstallationCounts: Hashable, Sendable {
  /// The server's own version.
  public var postgresVersion: String
  /// Teams, employees and devices that may speak.
  public var teams: Int64, employees: Int64, devices: Int64
  /// Shifts and incidents without an end.
  public var openShifts: Int64, openIncidents: Int64
  /// Messages in the outbox, and when the oldest was queued.
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

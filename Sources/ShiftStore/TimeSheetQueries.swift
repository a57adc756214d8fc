import Postgres
import ReadModels
import ShiftDomain

// Times of shifts for payroll: in table shift, and in past_shift when only the times are left.

/// A shift of a time sheet.
package struct SheetTimes: Hashable, Sendable {
  package var times: RecordedTimes
  /// The totals of its coverage; `nil`: it is open, only its times are kept, or they must be
  /// computed.
  package var durations: StoredDurations?
}

/// The times of the shifts of a period, read part by part within a snapshot.
/// Run as a reading, it opens its cursors and reads the first part.
package struct SheetReading: Reading, Sendable {
  private struct Cursor: Sendable {
    static let partSize = 1_000

    let next: SQL
    let isPast: Bool
    var rows: [SheetTimes] = []
    var isAtEnd = false

    /// The employee from which on it may have more rows; `nil`: it has no more.
    var frontier: EmployeeID? {
      isAtEnd ? nil : rows.last?.times.shift.employee ?? EmployeeID(.min)
    }

    mutating func add(_ rows: consuming Rows) throws(PostgresError) {
      isAtEnd = rows.count < Self.partSize
      self.rows += try SheetTimes.all(in: rows, isPast: isPast)
    }
  }

  package let statements: [SQL]
  private var cursors = [
    Cursor(next: "FETCH FORWARD 1000 FROM sheet_times", isPast: false),
    Cursor(next: "FETCH FORWARD 1000 FROM past_sheet_times", isPast: true),
  ]

  package init(in period: ReportPeriod) {
    guard !period.teams.isEmpty else {
      (statements, cursors) = ([], [])
      return
    }
    let opening = [
      readCursorsWholly,
      selectRecordedTimes(in: period).cursor(named: "sheet_times"),
      selectPastTimes(in: period).cursor(named: "past_sheet_times"),
    ]
    statements = opening + cursors.map(\.next)
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    let place = position - (statements.count - cursors.count)
    guard place >= 0 else { return }
    try cursors[place].add(rows)
  }

  /// All shifts of the next employees who have any, by employee and start; none at the end.
  package mutating func next(on session: inout Session) throws(PostgresError) -> [SheetTimes] {
    while true {
      let frontier = cursors.compactMap(\.frontier).min()
      let complete = takeRows(before: frontier)
      guard complete.isEmpty, let frontier else { return complete }
      let places = cursors.indices.filter { cursors[$0].frontier == frontier }
      try session.pipeline(places.map { cursors[$0].next }) {
        (position, rows) throws(PostgresError) in
        try cursors[places[position]].add(rows)
      }
    }
  }

  private mutating func takeRows(before frontier: EmployeeID?) -> [SheetTimes] {
    var taken: [SheetTimes] = []
    var isMixed = false
    for place in cursors.indices {
      let end = cursors[place].rows.firstIndex { row in
        frontier.map { row.times.shift.employee >= $0 } ?? false
      }
      let count = end ?? cursors[place].rows.count
      guard count > 0 else { continue }
      isMixed = isMixed || !taken.isEmpty
      taken += cursors[place].rows.prefix(count)
      cursors[place].rows.removeFirst(count)
    }
    // The rows of one cursor are in this order already.
    guard isMixed else { return taken }
    return taken.sorted {
      ($0.times.shift.employee.rawValue, $0.times.startedAt)
        < ($1.times.shift.employee.rawValue, $1.times.startedAt)
    }
  }
}

extension SheetTimes {
  fileprivate static func all(in rows: consuming Rows, isPast: Bool) throws(PostgresError)
    -> [SheetTimes]
  {
    try rows.map { (row) throws(PostgresError) in
      SheetTimes(
        times: try RecordedTimes(from: &row),
        durations: isPast ? nil : try StoredDurations(from: &row))
    }
  }
}

/// The existing ones of these shifts of an employee, by number.
package func recordedTimes(
  of employee: EmployeeID, _ numbers: [Int32], on session: inout Session
) throws(PostgresError) -> [RecordedTimes] {
  var (present, past): ([RecordedTimes], [RecordedTimes]) = ([], [])
  try session.pipeline([
    selectRecordedTimes(of: employee, numbers), selectPastTimes(of: employee, numbers),
  ]) { (position, rows) throws(PostgresError) in
    let times = try rows.map(RecordedTimes.init(from:))
    if position == 0 { present = times } else { past = times }
  }
  return present.with(past).sorted { $0.shift.number < $1.shift.number }
}

/// The times of a shift as the time sheet has them; `nil`: there is no such shift, or only they are
/// left.
package func recordedTimes(of shift: ShiftID) -> Query<RecordedTimes?> {
  Query(selectRecordedTimes(of: shift.employee, [shift.number])) { (rows) throws(PostgresError) in
    try rows.map(RecordedTimes.init(from:)).first
  }
}

extension [RecordedTimes] {
  /// With those of `past` that were not deleted between the two statements.
  fileprivate func with(_ past: [RecordedTimes]) -> [RecordedTimes] {
    guard !past.isEmpty else { return self }
    let known = Set(map(\.shift))
    return self + past.filter { !known.contains($0.shift) }
  }
}

extension RecordedTimes {
  fileprivate static let columns: ShiftFragment = """
    shift.employee_id, shift.shift_no, employee.team_id, shift.started_at, shift.ended_at,
    NULL::bigint, (
      SELECT array_agg(pause.started_at ORDER BY pause.started_at)
        || array_agg(pause.ended_at ORDER BY pause.started_at)
      FROM shift_break AS pause
      WHERE pause.employee_id = shift.employee_id AND pause.shift_no = shift.shift_no
        AND pause.ended_at IS NOT NULL),
    CASE WHEN shift.original_started_at IS NULL THEN 0::smallint ELSE (
      SELECT count(*)::smallint FROM shift_correction AS correction
      WHERE correction.employee_id = shift.employee_id AND correction.shift_no = shift.shift_no
        AND undoes IS NULL) END,
    shift.needs_review, shift.approved_by, shift.approved_at, shift.times_confirmed_at, false,
    shift.device_no IS NULL AND shift.ended_by = 2 AND shift.objected_at IS NULL,
    CASE WHEN shift.approved_at IS NULL THEN team.pay_rounding ELSE shift.approved_rounding END,
    CASE WHEN shift.approved_at IS NULL THEN team.pays_breaks ELSE shift.approved_pays_breaks END
    """

  fileprivate static let pastColumns: StaticString = """
    shift.employee_id, shift.shift_no, employee.team_id, shift.started_at, shift.ended_at,
    shift.break_ms, NULL::timestamptz[], shift.corrections,
    shift.needs_review, shift.approved_by, shift.approved_at,
    shift.times_confirmed_at, true, shift.unconfirmed,
    CASE WHEN shift.approved_at IS NULL THEN team.pay_rounding ELSE shift.approved_rounding END,
    CASE WHEN shift.approved_at IS NULL THEN team.pays_breaks ELSE shift.approved_pays_breaks END
    """

  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    let (shift, team) = (try ShiftID(from: &row), try row.next() as TeamID)
    let (start, end): (Instant, Instant?) = (try row.next(), try row.next())
    let (sum, bounds): (TimeSpan?, [Instant]?) = (try row.next(), try row.next())
    self.init(
      shift: shift, team: team, startedAt: start, endedAt: end,
      breaks: sum ?? bounds?.sumOfBreaks ?? .zero, breakBounds: bounds ?? [],
      corrections: try row.next(), needsReview: try row.next(),
      approval: try ShiftApproval(from: &row), confirmedAt: try row.next(),
      isPast: try row.next(), isAdded: try row.next() ?? false,
      payRule: try PayRule(from: &row), fixed: try CivilPlace(from: &row))
  }
}

extension [Instant] {
  /// From the starts to the ends of as many breaks.
  fileprivate var sumOfBreaks: TimeSpan {
    zip(prefix(count / 2), suffix(count / 2)).reduce(.zero) { $0 + ($1.1 - $1.0) }
  }
}

extension PayRule {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(rounding: try row.next(), paysBreaks: try row.next())
  }
}

extension ShiftApproval {
  init?(from row: inout RowReader) throws(PostgresError) {
    let (by, at): (String?, Instant?) = (try row.next(), try row.next())
    guard let by, let at else { return nil }
    self.init(by: by, at: at)
  }
}

private let sourceOfTimes: StaticString = """
  FROM shift
  JOIN employee ON employee.employee_id = shift.employee_id
  JOIN team ON team.team_id = employee.team_id
  """

private let sourceOfPastTimes: StaticString = """
  FROM past_shift AS shift
  JOIN employee ON employee.employee_id = shift.employee_id
  JOIN team ON team.team_id = employee.team_id
  """

func selectRecordedTimes(in period: ReportPeriod) -> SQL {
  """
  SELECT \(fragment: RecordedTimes.columns), \(fragment: CivilPlace.columns),
    \(fragment: StoredDurations.columns)
  \(fragment: sourceOfTimes)
  \(fragment: StoredDurations.source)
  \(begunIn: period)
  """
}

func selectPastTimes(in period: ReportPeriod) -> SQL {
  """
  SELECT \(fragment: RecordedTimes.pastColumns), \(fragment: CivilPlace.columns)
  \(fragment: sourceOfPastTimes)
  \(begunIn: period)
  """
}

func selectRecordedTimes(of employee: EmployeeID, _ numbers: [Int32]) -> SQL {
  """
  SELECT \(fragment: RecordedTimes.columns, naming: employee),
    \(fragment: CivilPlace.columns)
  \(fragment: sourceOfTimes)
  WHERE shift.employee_id = \(employee.rawValue) AND shift.shift_no = ANY (\(numbers))
  """
}

func selectPastTimes(of employee: EmployeeID, _ numbers: [Int32]) -> SQL {
  """
  SELECT \(fragment: RecordedTimes.pastColumns), \(fragment: CivilPlace.columns)
  \(fragment: sourceOfPastTimes)
  WHERE shift.employee_id = \(employee.rawValue) AND shift.shift_no = ANY (\(numbers))
  """
}

/// Approves the times of these shifts of an employee, and fixes where each counts and how it is
/// paid.
/// INVARIANT: in a transaction that changes the employee's state, so that a concurrent correction
/// reads the approval, or is read by it.
package func put(
  _ approval: ShiftApproval, on places: [Int32: CivilPlace], paidBy rule: PayRule,
  of employee: EmployeeID
) -> [SQL] {
  let (numbers, days) = (Array(places.keys), places.values.map(\.day))
  let (teams, zones) = (places.values.map(\.team.rawValue), places.values.map(\.timeZone))
  let tables: [StaticString] = [
    "UPDATE shift SET approved_start = started_at, approved_end = ended_at,",
    "UPDATE past_shift SET",
  ]
  return tables.map { table in
    """
    \(fragment: table) approved_at = \(approval.at), approved_by = \(approval.by),
      approved_team = team, approved_zone = zone, approved_day = DATE '1970-01-01' + day,
      approved_rounding = \(rule.rounding.column), approved_pays_breaks = \(rule.paysBreaks)
    FROM unnest(\(numbers), \(teams), \(zones), \(days)) AS place (number, team, zone, day)
    WHERE employee_id = \(employee.rawValue) AND shift_no = number
    """
  }
}

/// Takes the approvals of these shifts of an employee back. Affects as many rows as were approved.
package func reopen(_ numbers: [Int32], of employee: EmployeeID) -> [SQL] {
  let tables: [StaticString] = [
    "UPDATE shift SET approved_start = NULL, approved_end = NULL,", "UPDATE past_shift SET",
  ]
  return tables.map { table in
    """
    \(fragment: table) approved_at = NULL, approved_by = NULL, approved_team = NULL,
      approved_zone = NULL, approved_day = NULL, approved_rounding = 0,
      approved_pays_breaks = false
    WHERE employee_id = \(employee.rawValue) AND shift_no = ANY (\(numbers))
      AND approved_at IS NOT NULL
    """
  }
}

/// Notes that the employee confirmed the times of a shift. Affects no row if they have changed.
package func confirm(_ times: RecordedTimes, at instant: Instant) -> SQL {
  """
  UPDATE shift SET times_confirmed_at = \(instant)
  WHERE employee_id = \(times.shift.employee.rawValue) AND shift_no = \(times.shift.number)
    AND started_at = \(times.startedAt) AND ended_at = \(times.endedAt) AND NOT needs_review
  """
}

/// Notes that the employee objects to the times of a shift. Affects no row if they have changed,
/// are approved or need review already.
package func object(to times: RecordedTimes, _ objection: Objection) -> SQL {
  """
  UPDATE shift SET needs_review = true, times_confirmed_at = NULL, objected_at = \(objection.at),
    objection = \(objection.reason)
  WHERE employee_id = \(times.shift.employee.rawValue) AND shift_no = \(times.shift.number)
    AND started_at = \(times.startedAt) AND ended_at = \(times.endedAt) AND NOT needs_review
    AND approved_at IS NULL
  """
}

/// `nil` before they were first saved.
package func payrollSettings(on session: inout Session) throws(PostgresError) -> PayrollSettings? {
  try session.run(
    """
    SELECT period, starts_on - DATE '1970-01-01', hours_format, columns
    FROM payroll_settings
    """
  ).first { (row) throws(PostgresError) in
    let (period, startsOn): (PayPeriodKind, Int32) = (try row.next(), try row.next())
    let (hoursFormat, columns): (HoursFormat, [Int16]) = (try row.next(), try row.next())
    return PayrollSettings(
      period: period, startsOn: startsOn, hoursFormat: hoursFormat,
      columns: columns.compactMap { TimeSheetColumn(rawValue: UInt8(clamping: $0)) })
  }
}

/// Locks the settings until the transaction ends, so that changes take turns.
package let holdPayrollSettings: SQL = "LOCK TABLE payroll_settings IN SHARE ROW EXCLUSIVE MODE"

package func put(_ settings: PayrollSettings) -> SQL {
  """
  INSERT INTO payroll_settings (period, starts_on, hours_format, columns)
  VALUES (
    \(settings.period.column), DATE '1970-01-01' + \(settings.startsOn),
    \(settings.hoursFormat.column), \(settings.columns.map { Int16($0.rawValue) }))
  ON CONFLICT (number) DO UPDATE
  SET period = excluded.period, starts_on = excluded.starts_on,
    hours_format = excluded.hours_format, columns = excluded.columns
  """
}

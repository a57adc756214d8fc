import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// The facts that coverage needs of many shifts, across tables, in one round trip.

/// The stored facts of a shift besides its row and its pings.
package struct ShiftSurroundings: Hashable, Sendable {
  /// Its breaks; an open one ends in the far future.
  package var breaks = IntervalSet()
  package var takeOvers: [TrackingSpan] = []
  /// The reports of every tracking device: those stored with the shift, the one it began on, and
  /// those from before a take-over. Only what coverage needs is read.
  package var reports: [ReceivedReport] = []
  /// Our outages that intersect it, not clipped.
  package var outages = IntervalSet()
  package var silences: [SilentSpan] = []
  package var rollup = StoredRollup()
}

/// Makes the following joins probe keys: the planner would read and sort a table that seems small.
let probeKeys: SQL = """
  SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
  """

/// The surroundings of `shifts`, in their order. In a transaction, later joins probe keys too.
package func surroundings(of shifts: [ShiftID], on session: inout Session)
  throws(PostgresError) -> [ShiftSurroundings]
{
  guard !shifts.isEmpty else { return [] }
  var reading = SurroundingsReading(of: shifts)
  try session.run(&reading)
  return reading.surroundings
}

/// Reads the surroundings of shifts. In a transaction, later joins probe keys too.
package struct SurroundingsReading: Reading {
  package let statements: [SQL]
  private let places: [ShiftID: Int]
  private var found: [ShiftSurroundings]
  private var breaks: [[Interval]]
  private var outages: [[Interval]]

  package init(of shifts: [ShiftID]) {
    statements =
      shifts.isEmpty
      ? []
      : [
        probeKeys, selectBreaks(of: shifts), selectTakeOvers(of: shifts),
        selectCoverageReports(of: shifts), selectRollup(of: shifts), selectOutages(of: shifts),
        selectSilences(of: shifts),
      ]
    var places: [ShiftID: Int] = [:]
    for (place, shift) in shifts.enumerated() { places[shift] = place }
    self.places = places
    found = Array(repeating: ShiftSurroundings(), count: shifts.count)
    breaks = Array(repeating: [], count: shifts.count)
    outages = breaks
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    guard position > 0 else { return }
    try rows.forEach { (row) throws(PostgresError) in
      guard let place = places[try ShiftID(from: &row)] else { return row.skipRest() }
      switch position {
      case 1: breaks[place].append(try Interval(from: &row))
      case 2: found[place].takeOvers.append(try TrackingSpan(from: &row))
      case 3: found[place].reports.append(try ReceivedReport(coverageFrom: &row))
      case 4: found[place].rollup = try StoredRollup(from: &row)
      case 5: outages[place].append(try Interval(from: &row))
      default: found[place].silences.append(try SilentSpan(from: &row))
      }
    }
  }

  /// In the order of the shifts.
  package var surroundings: [ShiftSurroundings] {
    var found = found
    for place in found.indices {
      found[place].breaks = IntervalSet(breaks[place])
      found[place].outages = IntervalSet(outages[place])
    }
    return found
  }
}

/// Reads a shift with its surroundings. In a transaction, later joins probe keys too.
package struct ShiftReading: Reading {
  package let statements: [SQL]
  /// The shift; `nil` if it does not exist.
  package private(set) var record: ShiftRow?
  private var around: SurroundingsReading

  package init(of shift: ShiftID) {
    around = SurroundingsReading(of: [shift])
    statements = [selectShift(shift)] + around.statements
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0 {
      record = try rows.first(ShiftRow.init(from:))
    } else {
      try around.add(position - 1, rows)
    }
  }

  /// Its surroundings.
  package var surroundings: ShiftSurroundings { around.surroundings[0] }
}

func selectBreaks(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, started_at, ended_at
  FROM shift_break
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  """
}

func selectTakeOvers(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, device_no, at, fix_age_max_ms, fresh_for_ms, report_id
  FROM take_over
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  ORDER BY employee_id, shift_no, at
  """
}

func selectOutages(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, outage.started_at, outage.ended_at
  FROM shift
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  JOIN outage ON outage.ended_at > shift.started_at
    AND (shift.ended_at IS NULL OR outage.started_at < shift.ended_at)
  """
}

func selectSilences(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, dimension, device_no, opened_at, closed_at, silent_since
  FROM incident
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  WHERE dimension IN (\(Dimension.contact.column), \(Dimension.fix.column))
    AND closed_at IS DISTINCT FROM opened_at
  """
}

/// The newest receipt gap of each device, and those in which it was at rest or hidden, of `shifts`.
/// - Parameter heardUntil: When all contacts are known until then, also what follows the newest
///   receipt: a gap without an end.
package func receiptGaps(of shifts: [ShiftID], heardUntil: Instant? = nil)
  -> Query<[ShiftID: [ReceiptGap]]>
{
  Query(selectReceiptGaps(of: shifts, heardUntil: heardUntil)) { (rows) throws(PostgresError) in
    var found: [ShiftID: [ReceiptGap]] = [:]
    try rows.forEach { (row) throws(PostgresError) in
      let shift = try ShiftID(from: &row)
      found[shift, default: []].append(
        ReceiptGap(of: try row.next(), try Interval(from: &row)))
    }
    return found
  }
}

func selectReceiptGaps(of shifts: [ShiftID], heardUntil: Instant? = nil) -> SQL {
  """
  SELECT employee_id, shift_no, contact.device_no, lower(gap), upper(gap)
  FROM shift
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  JOIN device_contact AS contact USING (employee_id)
  CROSS JOIN LATERAL unnest(
    excused_gaps || CASE WHEN silent_since < contact_resumed_at
      THEN tstzrange(silent_since, contact_resumed_at) END
    || CASE WHEN last_received_at <= \(heardUntil.map { $0 - Policy.fixAgeMin })
      THEN tstzrange(last_received_at, NULL) END) AS gap
  WHERE gap && tstzrange(shift.started_at, shift.ended_at)
  """
}

func selectCoverageReports(of shifts: [ShiftID]) -> SQL {
  """
  SELECT wanted.employee_id, wanted.shift_no, \(fragment: ReceivedReport.coverageColumns)
  FROM \(wanted: shifts)
  JOIN permission_report AS report
    ON report.employee_id = wanted.employee_id AND report.shift_no = wanted.shift_no
  UNION ALL
  SELECT held.employee_id, held.shift_no, \(fragment: ReceivedReport.coverageColumns)
  FROM (
    SELECT employee_id, shift_no, evidence_report_id AS report_id
    FROM \(wanted: shifts) JOIN shift USING (employee_id, shift_no)
    WHERE evidence_report_id IS NOT NULL
    UNION
    SELECT employee_id, shift_no, unnest(earlier_reports)
    FROM \(wanted: shifts) JOIN shift USING (employee_id, shift_no)
    WHERE earlier_reports IS NOT NULL
    UNION
    SELECT employee_id, shift_no, report_id
    FROM \(wanted: shifts) JOIN take_over USING (employee_id, shift_no)
    WHERE report_id IS NOT NULL) AS held
  JOIN permission_report AS report
    ON report.employee_id = held.employee_id AND report.report_id = held.report_id
      AND report.shift_no IS DISTINCT FROM held.shift_no
      \(ifOne: shifts, of: "report.employee_id")
  ORDER BY employee_id, shift_no, effective_at, sequence NULLS FIRST, report_id
  """
}

extension SilentSpan {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    let dimension: Dimension = try row.next()
    self.init(
      dimension == .contact ? .noContact : .noFix, of: try row.next(),
      during: try Interval(from: &row), since: try row.next())
  }
}

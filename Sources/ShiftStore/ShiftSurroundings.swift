public import GuardRules
public import Postgres
public import ShiftDomain

// What coverage asks of many shifts at once, across tables, in one round trip.

/// What is stored of a shift besides its row and its pings.
public struct ShiftSurroundings: Hashable, Sendable {
  /// Its breaks; the open one ends in the far future.
  public var breaks = IntervalSet()
  /// The devices that took over, in order.
  public var takeOvers: [TrackingSpan] = []
  /// The reports that `coverageReports` tells of, in its order.
  public var reports: [ReceivedReport] = []
  /// Our own outages that touch it, whole.
  public var outages = IntervalSet()
  /// What its pings say, folded.
  public var signs = StoredSigns()
}

/// The surroundings of `shifts`, in their order.
public func surroundings(of shifts: [ShiftID], on session: inout Session)
  throws(PostgresError) -> [ShiftSurroundings]
{
  guard !shifts.isEmpty else { return [] }
  var places: [ShiftID: Int] = [:]
  for (place, shift) in shifts.enumerated() { places[shift] = place }
  var found = Array(repeating: ShiftSurroundings(), count: shifts.count)
  var breaks: [[Interval]] = Array(repeating: [], count: shifts.count)
  var outages = breaks
  try session.pipeline([
    selectBreaks(of: shifts), selectTakeOvers(of: shifts), selectCoverageReports(of: shifts),
    selectSigns(of: shifts), selectOutages(of: shifts),
  ]) { (position, rows) throws(PostgresError) in
    for row in 0..<rows.count {
      guard let place = places[try rows.shiftID(row)] else { continue }
      switch position {
      case 0:
        let end: Instant? = try rows.value(row, 3)
        breaks[place].append(
          Interval(from: try rows.value(row, 2), to: end ?? Instant(milliseconds: .max)))
      case 1:
        found[place].takeOvers.append(
          TrackingSpan(device: try rows.value(row, 3), since: try rows.value(row, 2)))
      case 2:
        guard let report = try rows.permissionReport(row, from: 4) else { continue }
        found[place].reports.append(
          ReceivedReport(
            report, from: try rows.value(row, 2), receivedAt: try rows.value(row, 3)))
      case 3: found[place].signs = try rows.storedSigns(row)
      default:
        outages[place].append(
          Interval(from: try rows.value(row, 2), to: try rows.value(row, 3)))
      }
    }
  }
  for place in found.indices {
    found[place].breaks = IntervalSet(breaks[place])
    found[place].outages = IntervalSet(outages[place])
  }
  return found
}

func selectBreaks(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, started_at, ended_at
  FROM shift_break
  JOIN unnest(\(shifts.employees), \(shifts.numbers)) AS wanted (employee_id, shift_no)
    USING (employee_id, shift_no)
  """
}

func selectTakeOvers(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, at, device_no
  FROM take_over
  JOIN unnest(\(shifts.employees), \(shifts.numbers)) AS wanted (employee_id, shift_no)
    USING (employee_id, shift_no)
  ORDER BY employee_id, shift_no, at
  """
}

func selectOutages(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, outage.started_at, outage.ended_at
  FROM shift
  JOIN unnest(\(shifts.employees), \(shifts.numbers)) AS wanted (employee_id, shift_no)
    USING (employee_id, shift_no)
  JOIN outage ON outage.ended_at > shift.started_at
    AND (shift.ended_at IS NULL OR outage.started_at < shift.ended_at)
  """
}

func selectCoverageReports(of shifts: [ShiftID]) -> SQL {
  """
  WITH wanted AS MATERIALIZED (
    SELECT * FROM unnest(\(shifts.employees), \(shifts.numbers)) AS wanted (employee_id, shift_no))
  SELECT held.employee_id, held.shift_no, report.device_no, report.received_at,
    \(fragment: reportColumns)
  FROM (
    SELECT employee_id, shift_no, report_id
    FROM wanted JOIN permission_report USING (employee_id, shift_no)
    UNION
    SELECT employee_id, shift_no, evidence_report_id
    FROM wanted JOIN shift USING (employee_id, shift_no)
    UNION
    SELECT employee_id, shift_no, report_id
    FROM wanted JOIN take_over USING (employee_id, shift_no)) AS held
  JOIN permission_report AS report
    ON report.employee_id = held.employee_id AND report.report_id = held.report_id
  ORDER BY held.employee_id, held.shift_no, report.effective_at, report.sequence NULLS FIRST,
    report.report_id
  """
}

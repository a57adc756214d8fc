import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Tables shift, shift_break, take_over and ping, as far as they decide the tracking state at the
// present. Reports are left out: the guard's state remembers what is needed of them.

/// What was fixed at the start of a shift.
package struct ShiftStart: Hashable, Sendable {
  package var startedAt: Instant
  /// The first tracking device; `nil` while it waits for the confirmation.
  package var device: Int16?
  package var openedBy: ShiftOpening
  package var settings: TrackingSettings
  /// The position sent with the clock-in.
  package var startFix: ActionFix?
  package var confirmedAt: Instant?
  /// As that of a `ShiftRow`.
  package var begunAt: Instant

  package init(
    startedAt: Instant, device: Int16?, openedBy: ShiftOpening, settings: TrackingSettings,
    startFix: ActionFix?, confirmedAt: Instant?, begunAt: Instant
  ) {
    self.startedAt = startedAt
    self.device = device
    self.openedBy = openedBy
    self.settings = settings
    self.startFix = startFix
    self.confirmedAt = confirmedAt
    self.begunAt = begunAt
  }
}

/// The present of an open shift.
package struct PresentShift: Hashable, Sendable {
  package fileprivate(set) var start: ShiftStart
  /// Its breaks; an open one ends in the far future.
  package fileprivate(set) var breaks: [Interval] = []
  package fileprivate(set) var takeOvers: [TrackingSpan] = []
  /// Those that `GuardState.trackingState` needs, and others.
  package fileprivate(set) var pings: [ReceivedPing] = []
  /// Whether some may be missing, because a key is far from its effective time.
  package fileprivate(set) var isIncomplete = false
}

/// Reads the present of open shifts, in as many statements for many as for one.
package struct PresentReading: Reading {
  package let statements: [SQL]
  private var found: [ShiftID: PresentShift] = [:]

  /// - Parameters:
  ///   - shifts: Each with its start.
  ///   - asOf: The times for which their tracking states are wanted.
  package init(of shifts: [(id: ShiftID, startedAt: Instant)], at asOf: ClosedRange<Instant>) {
    guard let earliest = shifts.map(\.startedAt).min() else {
      statements = []
      return
    }
    let wanted = shifts.map(\.id)
    statements = [
      selectStarts(of: wanted), selectBreaks(of: wanted), selectTakeOvers(of: wanted),
      selectNewestPings(of: wanted, begunFrom: earliest, at: asOf),
    ]
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    try rows.forEach { (row) throws(PostgresError) in
      let shift = try ShiftID(from: &row)
      guard position > 0 else {
        found[shift] = PresentShift(start: try ShiftStart(from: &row))
        return
      }
      guard found[shift] != nil else { return row.skipRest() }
      switch position {
      case 1: found[shift]?.breaks.append(try Interval(from: &row))
      case 2: found[shift]?.takeOvers.append(try TrackingSpan(from: &row))
      default:
        if try row.next() { found[shift]?.isIncomplete = true }
        if let ping = try ReceivedPing(ifAnyFrom: &row) { found[shift]?.pings.append(ping) }
      }
    }
  }

  /// `nil` if the shift does not exist.
  package subscript(shift: ShiftID) -> PresentShift? { found[shift] }
}

func selectStarts(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, started_at, device_no, opened_by, ping_interval_ms,
    fix_age_max_ms, max_rest_ms, accuracy_max_m, policy_version, start_fix_at, start_fix_proof,
    CASE WHEN opened_by <> \(ShiftOpening.employee.column) THEN asked_from END,
    coalesce(asked_from, original_started_at, started_at)
  FROM shift
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  """
}

/// The pings of each device that may count within the longest `fixAgeMax`, its newest position,
/// and the last ones before those by effective time, unless the shift has no rest and no hidden
/// page by its rollup: nothing else lasts longer. Reads the end of the key's index for each device
/// of an employee. See the invariant of `selectCoveragePings`; where it does not hold, the third
/// column says so. Citus takes no subquery without FROM beside others.
/// - Parameter earliest: The earliest start of these shifts.
func selectNewestPings(
  of shifts: [ShiftID], begunFrom earliest: Instant, at asOf: ClosedRange<Instant>
) -> SQL {
  let (first, last) = (earliest - clockErrorMax, asOf.upperBound + clockErrorMax)
  let lasting = [ContactKind.rest, .hidden].map(\.column)
  let employees = shifts.map(\.employee)
  return """
    SELECT shift.employee_id, shift.shift_no, rollup.recorded_from IS NOT NULL,
      \(fragment: ReceivedPing.columns)
    FROM \(wanted: shifts)
    JOIN shift
      ON shift.employee_id = wanted.employee_id AND shift.shift_no = wanted.shift_no
      \(ifOne: shifts, of: "shift.employee_id")
    JOIN device ON device.employee_id = shift.employee_id
      \(ifOne: shifts, of: "device.employee_id")
    LEFT JOIN coverage_rollup AS rollup
      ON rollup.employee_id = shift.employee_id AND rollup.shift_no = shift.shift_no
    CROSS JOIN LATERAL (
      SELECT \(asOf.lowerBound) - interval '1 ms' * (\(clockErrorMax.column) + greatest(
        timed.fix_age_max_ms, (
          SELECT max(take_over.fix_age_max_ms) FROM take_over
          WHERE take_over.employee_id = timed.employee_id
            AND take_over.shift_no = timed.shift_no
            \(ifOne: employees, of: "take_over.employee_id")))) AS since
      FROM shift AS timed
      WHERE timed.employee_id = shift.employee_id AND timed.shift_no = shift.shift_no
        \(ifOne: employees, of: "timed.employee_id")
    ) AS span
    LEFT JOIN LATERAL (
      SELECT ping.* \(fragment: pingsOfDevice, of: employees)
        AND recorded_at BETWEEN \(first) AND \(last) AND recorded_at >= span.since
      UNION ALL (
        SELECT ping.* \(fragment: pingsOfDevice, of: employees)
          AND (rollup.positions IS NULL OR rollup.position_kinds && \(lasting))
          AND recorded_at BETWEEN \(first) AND \(last) AND recorded_at < span.since
          AND recorded_at >= (
            SELECT recorded_at - \(2 * clockErrorMax.column) * interval '1 ms'
            \(fragment: pingsOfDevice, of: employees)
              AND recorded_at BETWEEN \(first) AND \(last) AND recorded_at < span.since
            ORDER BY recorded_at DESC LIMIT 1)
        ORDER BY effective_at DESC FETCH FIRST ROW WITH TIES)
      UNION ALL (
        SELECT ping.* \(fragment: pingsOfDevice, of: employees)
          AND recorded_at BETWEEN \(first) AND \(last)
          AND latitude_e7 IS NOT NULL AND flags & \(PingFlag.mock | PingFlag.coarse) = 0
        ORDER BY recorded_at DESC LIMIT 1)
    ) AS ping ON true
    """
}

private let pingsOfDevice: ShiftFragment = """
  FROM ping
  WHERE ping.employee_id = device.employee_id AND ping.device_no = device.device_no
    AND ping.shift_no = shift.shift_no
  """

extension ShiftStart {
  fileprivate init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      startedAt: try row.next(), device: try row.next(), openedBy: try row.next(),
      settings: TrackingSettings(
        pingInterval: try row.next(), fixAgeMax: try row.next(), maxRest: try row.next(),
        accuracyMaxMeters: try row.next(), policyVersion: try row.next()),
      startFix: try ActionFix(from: &row), confirmedAt: try row.next(), begunAt: try row.next())
  }
}

extension TrackingSpan {
  init(from row: inout RowReader) throws(PostgresError) {
    self.init(
      device: try row.next(), since: try row.next(), fixAgeMax: try row.next(),
      freshFor: try row.next(), evidence: try row.next())
  }
}

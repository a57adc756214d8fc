import GuardRules
import Postgres
import ShiftDomain

// Table coverage_rollup: a shift's pings, rolled up for coverage.

package struct StoredRollup: Hashable, Sendable {
  /// The signs; `nil`: to be rolled up from all its pings.
  package var contactRuns: ContactRuns?
  /// The version that a write must still find; 0 before the first.
  package var version: Int32 = 0
  /// Whether the shift's pings may have been deleted, so that only this is left.
  package var isSealed = false
  /// The totals of an ended shift; `nil`: to be computed from the signs.
  package var durations: StoredDurations?

  package init() {}
}

/// A shift's time by reason, with the outages known then. Outages have no version: compare.
package struct StoredDurations: Hashable, Sendable {
  package var durations: CoverageDurations
  /// How much of the shift was in our outages, whatever the reason there.
  package var outage: TimeSpan

  package init(_ durations: CoverageDurations, outage: TimeSpan) {
    self.durations = durations
    self.outage = outage
  }

  var column: [Int32] { durations.spans.map(\.column) }
}

/// Stores the totals of an ended shift; affects no row if `version` is not the current one.
package func put(_ durations: StoredDurations, of shift: ShiftID, at version: Int32) -> SQL {
  """
  UPDATE coverage_rollup
  SET totals = \(durations.column), totals_version = version,
  totals_outage_ms = \(durations.outage.column)
  WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND version = \(version)
  """
}

/// Shifts that have ended since `start` and whose totals must be computed from their signs.
package func shiftsWithoutDurations(since start: Instant, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftID]
{
  try session.run(
    """
    SELECT shift.employee_id, shift.shift_no
    FROM shift
    JOIN coverage_rollup AS rollup
      ON rollup.employee_id = shift.employee_id AND rollup.shift_no = shift.shift_no
    WHERE shift.started_at >= \(start) AND shift.ended_at IS NOT NULL
      AND rollup.positions IS NOT NULL AND rollup.totals_version IS DISTINCT FROM rollup.version
    ORDER BY shift.employee_id, shift.shift_no
    LIMIT \(limit)
    """
  ).map(ShiftID.init(from:))
}

/// Stores the signs of a shift, unless another transaction wrote since `version` was read: writes
/// one row, or none. `durations` are the totals of an ended shift.
package func put(
  _ contactRuns: ContactRuns, of shift: ShiftID, after version: Int32,
  durations: StoredDurations? = nil
) -> SQL {
  let columns = ContactRunColumns(contactRuns)
  return """
    INSERT INTO coverage_rollup (
      employee_id, shift_no, version, positions, position_devices, position_kinds, totals,
      totals_version, totals_outage_ms)
    VALUES (
      \(shift.employee.rawValue), \(shift.number), \(version &+ 1), \(columns.positions),
      \(columns.devices), \(columns.kinds), \(durations?.column),
      \(durations == nil ? nil : version &+ 1), \(durations?.outage.column))
    ON CONFLICT (employee_id, shift_no) DO UPDATE
    SET version = excluded.version, positions = excluded.positions,
      position_devices = excluded.position_devices, position_kinds = excluded.position_kinds,
      totals = excluded.totals, totals_version = excluded.totals_version,
      totals_outage_ms = excluded.totals_outage_ms
    WHERE coverage_rollup.version = \(version) AND NOT coverage_rollup.sealed
    """
}

/// Marks a shift to be rolled up again from all its pings. `recorded`: where the key must be
/// searched in addition, for pings over `clockErrorMax` from their effective time.
/// INVARIANT: in the transaction that adds or deletes the pings, so that a concurrent rollup finds
/// another version.
package func markDirty(_ shift: ShiftID, recorded: ClosedRange<Instant>? = nil) -> SQL {
  """
  INSERT INTO coverage_rollup (employee_id, shift_no, version, recorded_from, recorded_to)
  VALUES (
    \(shift.employee.rawValue), \(shift.number), 1, \(recorded?.lowerBound),
    \(recorded?.upperBound))
  ON CONFLICT (employee_id, shift_no) DO UPDATE
  SET version = coverage_rollup.version + 1,
    recorded_from = least(coverage_rollup.recorded_from, excluded.recorded_from),
    recorded_to = greatest(coverage_rollup.recorded_to, excluded.recorded_to),
    positions = CASE WHEN coverage_rollup.sealed THEN coverage_rollup.positions END,
    position_devices = CASE WHEN coverage_rollup.sealed THEN coverage_rollup.position_devices END,
    position_kinds = CASE WHEN coverage_rollup.sealed THEN coverage_rollup.position_kinds END
  """
}

func selectRollup(of shifts: [ShiftID]) -> SQL {
  """
  SELECT employee_id, shift_no, version, sealed, positions, position_devices,
    position_kinds, CASE WHEN totals_version = version THEN totals END, totals_outage_ms
  FROM coverage_rollup
  JOIN \(wanted: shifts)
    USING (employee_id, shift_no)
  """
}

/// Shifts that must be rolled up from all their pings: those marked so, by employee.
package func shiftsToRollUp(limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftID]
{
  try session.run(
    """
    SELECT employee_id, shift_no
    FROM coverage_rollup
    WHERE positions IS NULL AND NOT sealed
    ORDER BY employee_id, shift_no
    LIMIT \(limit)
    """
  ).map(ShiftID.init(from:))
}

/// Open shifts, and those begun since `start` without a rollup: an instance may have ended first.
package func shiftsInDoubt(since start: Instant, on session: inout Session)
  throws(PostgresError) -> [ShiftID]
{
  try session.run(
    """
    SELECT employee_id, shift_no
    FROM shift
    LEFT JOIN coverage_rollup AS rollup USING (employee_id, shift_no)
    WHERE shift.ended_at IS NULL
      OR (shift.started_at >= \(start) AND rollup.positions IS NULL AND rollup.sealed IS NOT TRUE)
    ORDER BY employee_id, shift_no
    """
  ).map(ShiftID.init(from:))
}

/// Seals the signs of all shifts begun before `cutoff`, for when their pings are deleted.
package func seal(before cutoff: Instant) -> SQL {
  """
  UPDATE coverage_rollup AS rollup
  SET sealed = true, version = rollup.version + 1
  FROM shift
  WHERE shift.employee_id = rollup.employee_id AND shift.shift_no = rollup.shift_no
    AND shift.started_at < \(cutoff)
    AND NOT rollup.sealed AND rollup.positions IS NOT NULL
  """
}

/// Shifts begun before `cutoff` whose pings are not rolled up.
package func unsealedShifts(before cutoff: Instant, limit: Int32, on session: inout Session)
  throws(PostgresError) -> [ShiftID]
{
  try session.run(
    """
    SELECT employee_id, shift_no
    FROM shift
    LEFT JOIN coverage_rollup AS rollup USING (employee_id, shift_no)
    WHERE shift.started_at < \(cutoff) AND rollup.sealed IS NOT TRUE
    ORDER BY employee_id, shift_no
    LIMIT \(limit)
    """
  ).map(ShiftID.init(from:))
}

/// Runs as columns: first and last time, device, kind. An end that is not known yet is infinite.
private struct ContactRunColumns {
  private(set) var positions: [Instant] = []
  private(set) var devices: [Int16] = []
  private(set) var kinds: [Int16] = []

  init(_ contactRuns: ContactRuns) {
    for own in contactRuns.devices {
      for kind in ContactKind.allCases where kind != .other {
        for run in own[kind] {
          positions += [run.first, min(run.last, farFuture)]
          devices.append(own.device)
          kinds.append(kind.column)
        }
      }
    }
  }
}

/// Beyond any clock; the database's own limit is further.
private let farFuture = Instant(milliseconds: 253_402_300_799_999)

extension StoredRollup {
  init(from row: inout RowReader) throws(PostgresError) {
    version = try row.next()
    isSealed = try row.next()
    let bounds: [Instant]? = try row.next()
    let (owners, kinds): ([Int16]?, [Int16]?) = (try row.next(), try row.next())
    durations = try StoredDurations(from: &row)
    guard let bounds, let owners, let kinds else { return }
    var devices: [Int16: DeviceContactRuns] = [:]
    for (place, (device, code)) in zip(owners, kinds).enumerated() {
      guard let kind = ContactKind(rawValue: UInt8(clamping: code)) else { continue }
      let last = bounds[2 * place + 1]
      devices[device, default: DeviceContactRuns(device: device)][kind].append(
        ContactRun(
          from: bounds[2 * place],
          to: last == farFuture ? Instant(milliseconds: .max) : last))
    }
    contactRuns = ContactRuns(Array(devices.values))
  }
}

extension StoredDurations {
  /// `nil`: there are no valid ones.
  init?(from row: inout RowReader) throws(PostgresError) {
    guard let spans: [Int32] = try row.next() else {
      row.skip(1)
      return nil
    }
    self.init(
      CoverageDurations(stored: spans.map { .milliseconds(Int64($0)) }), outage: try row.next())
  }
}

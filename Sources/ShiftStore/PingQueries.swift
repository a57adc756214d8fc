import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table ping.

package struct PingRow: Hashable, Sendable {
  package var ping: Ping
  package var device: DeviceID
  package var shift: Int32
  package var receivedAt: Instant

  package init(ping: Ping, device: DeviceID, shift: Int32, receivedAt: Instant) {
    self.ping = ping
    self.device = device
    self.shift = shift
    self.receivedAt = receivedAt
  }

  package var key: PingKey {
    PingKey(device: device, recordedAt: ping.recordedAt, isSign: ping.fix == nil)
  }

  package var shiftID: ShiftID { ShiftID(employee: device.employee, number: shift) }

  /// Around its key in the table.
  package var keys: ClosedRange<Instant> { ping.recordedAt...ping.recordedAt + .milliseconds(1) }
}

extension ClosedRange<Instant> {
  package func union(_ other: Self) -> Self {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}

/// The identity of a ping, however often it is sent. A sign of life never takes the place of a fix
/// of the same time: in the table its key is a microsecond later.
package struct PingKey: Hashable, Comparable, Sendable {
  package var device: DeviceID
  /// When it was recorded, by the phone's clock.
  package var recordedAt: Instant
  package var isSign: Bool

  package static func < (left: PingKey, right: PingKey) -> Bool {
    let (one, other) = (left.device, right.device)
    if one.employee != other.employee { return one.employee < other.employee }
    if one.number != other.number { return one.number < other.number }
    if left.recordedAt != right.recordedAt { return left.recordedAt < right.recordedAt }
    return right.isSign && !left.isSign
  }
}

/// A version of an employee's state.
package struct EmployeeVersion: Hashable, Sendable {
  package var employee: EmployeeID
  package var version: Int64

  package init(_ employee: EmployeeID, _ version: Int64) {
    self.employee = employee
    self.version = version
  }
}

/// The result of storing pings under the known state of their employees.
package struct PingsStored: Sendable {
  /// The keys of the new ones, in order; `nil`: all were new.
  package var new: [PingKey]?
  /// Employees whose state had changed: some of their pings, unknown which, are not stored.
  package var movedOn: Set<EmployeeID> = []
  package var settings: [PolicyRow] = []
}

/// Stores pings and commits, in one round trip, if their employees' states still have the versions
/// under which the pings' shifts were found. The same transaction writes what keeps the pings
/// findable and rolled up.
/// - Parameters:
/// - pings: Sorted by key: two sessions that insert the same keys in different order deadlock.
/// - known: Of all employees, including those whose pings were all refused; in their order.
/// - teams: Teams whose settings are read in the same round trip.
package func commit(
  _ pings: [PingRow], under known: [EmployeeVersion], askingFor teams: [TeamID],
  hasEnded: (PingRow) -> Bool, on session: inout Session
) throws(PostgresError) -> PingsStored {
  var statements = [holdShifts(of: known.map(\.employee))]
  statements += dirtyMarks(for: pings, hasEnded: hasEnded)
  let first = statements.count
  // Without pings as well: a server that only reads, and may be behind, refuses it. The versions
  // are read after the pings: one that still matches also matched when they were stored.
  statements.append(insert(pings, under: known))
  statements.append(selectVersions(of: known.map(\.employee.rawValue)))
  if !teams.isEmpty { statements.append(selectPoliciesInForce(of: teams)) }
  var became = PingsStored()
  try session.commit(after: statements) { (position, rows) throws(PostgresError) in
    switch position - first {
    case 0: if rows.count < pings.count { became.new = try rows.pingKeys() }
    case 1: became.movedOn = try rows.changes(since: known)
    case 2: became.settings = try rows.map(PolicyRow.init(from:))
    default: break
    }
  }
  return became
}

/// Stores pings of one employee long after their receipt, and has their shifts rolled up again.
/// - Parameters:
///   - pings: Sorted by key.
///   - version: That of the employee's state.
/// - Returns: How many were new.
/// INVARIANT: this transaction has increased the version, so that nobody changes the shifts.
package func insertLate(
  _ pings: [PingRow], of employee: EmployeeID, at version: Int64, on session: inout Session
) throws(PostgresError) -> Int {
  let marks = dirtyMarks(for: pings, hasEnded: { _ in true })
  return try session.pipeline(marks + [insert(pings, under: [EmployeeVersion(employee, version)])])
    .last ?? 0
}

/// Stores those of `pings` whose employee's state has its version of `known`. Each ping carries
/// the version, and its number comes from the state: so Citus sends the statement to the nodes of
/// these employees, and each checks and stores its own. They are named as well, by which Citus asks
/// only their shards; the result is the same.
/// - Parameters:
///   - pings: Sorted by key.
///   - known: Of all their employees, in order.
func insert(_ pings: [PingRow], under known: [EmployeeVersion]) -> SQL {
  var place = 0
  return """
    INSERT INTO ping (
      employee_id, device_no, recorded_at, effective_at, shift_no, latitude_e7, longitude_e7,
      arrived_ms, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
    SELECT state.employee_id, device_no,
      recorded_at + (latitude_e7 IS NULL)::int * interval '1 microsecond' AS recorded_at,
      effective_at, shift_no, latitude_e7, longitude_e7, arrived_ms, accuracy_m, speed_cm_s,
      heading_deg, altitude_m, flags
    FROM unnest(
      \(pings, { $0.device.employee.rawValue }), \(pings, { known.version(of: $0, &place) }),
      \(pings, { $0.device.number }), \(pings, { $0.ping.recordedAt }),
      \(pings, { $0.ping.effectiveAt }), \(pings, { $0.shift }), \(pings, { $0.latitude }),
      \(pings, { $0.longitude }), \(pings, { $0.arrived }), \(pings, { $0.accuracy }),
      \(pings, { $0.speed }), \(pings, { $0.heading }), \(pings, { $0.altitude }),
      \(pings, { $0.flags }))
      AS sent (
        employee_id, version, device_no, recorded_at, effective_at, shift_no, latitude_e7,
        longitude_e7, arrived_ms, accuracy_m, speed_cm_s, heading_deg, altitude_m, flags)
    JOIN guard_state AS state
      ON state.employee_id = sent.employee_id AND state.version = sent.version
      AND state.employee_id \(equalsAny: known.map(\.employee.rawValue))
    ORDER BY state.employee_id, device_no, recorded_at
    ON CONFLICT DO NOTHING
    RETURNING employee_id, device_no, recorded_at, latitude_e7 IS NULL
    """
}

extension [EmployeeVersion] {
  /// The version for a ping; `nil`: its employee is not among them.
  /// - Parameter place: Where the search begins: one after the other, the pings are searched once.
  fileprivate func version(of row: PingRow, _ place: inout Int) -> Int64? {
    while place < count, self[place].employee < row.device.employee { place += 1 }
    guard place < count, self[place].employee == row.device.employee else { return nil }
    return self[place].version
  }
}

extension Rows {
  fileprivate consuming func pingKeys() throws(PostgresError) -> [PingKey] {
    try map { (row) throws(PostgresError) in
      PingKey(device: try DeviceID(from: &row), recordedAt: try row.next(), isSign: try row.next())
    }.sorted()
  }

  /// The employees whose state has another version than that of `known`, or none.
  fileprivate consuming func changes(since known: [EmployeeVersion]) throws(PostgresError)
    -> Set<EmployeeID>
  {
    var found = try map { (row) throws(PostgresError) in
      EmployeeVersion(try row.next(), try row.next())
    }
    found.sort { $0.employee < $1.employee }
    guard found != known else { return [] }
    return Set(Set(known).subtracting(found).map(\.employee))
  }
}

/// Goes with storing `pings`, new or not: marks ended shifts to be rolled up again, and stores the
/// key range for pings of a wrong clock. Usually empty.
func dirtyMarks(for pings: [PingRow], hasEnded: (PingRow) -> Bool) -> [SQL] {
  var recorded: [ShiftID: ClosedRange<Instant>] = [:]
  var shifts: Set<ShiftID> = []
  for row in pings {
    let (shift, at) = (row.shiftID, row.ping.recordedAt)
    if hasEnded(row) { shifts.insert(shift) }
    guard
      at < row.ping.effectiveAt - clockErrorMax || at > row.ping.effectiveAt + clockErrorMax
    else { continue }
    shifts.insert(shift)
    recorded[shift] = recorded[shift]?.union(row.keys) ?? row.keys
  }
  // Sorted, because others write the same rows.
  return shifts.sorted { ($0.employee.rawValue, $0.number) < ($1.employee.rawValue, $1.number) }
    .map { markDirty($0, recorded: recorded[$0]) }
}

/// Deletes pings recorded from `start` on and before `end`, and visits that touch that time; `nil`:
/// without limit. Reads a part of the key, as `selectCoveragePings` does.
func deletePings(of shift: ShiftID, from start: Instant?, to end: Instant?) -> [SQL] {
  let (employee, number) = (shift.employee.rawValue, shift.number)
  let (first, last) = (start.map { $0 - clockErrorMax }, end.map { $0 + clockErrorMax })
  return [
    """
    DELETE FROM ping USING device
    WHERE device.employee_id = \(employee)
      AND ping.employee_id = device.employee_id AND ping.device_no = device.device_no
      AND shift_no = \(number)
      AND recorded_at >= CASE WHEN \(first) IS NULL THEN '-infinity' ELSE least(\(first), (
        SELECT recorded_from FROM coverage_rollup
        WHERE employee_id = \(employee) AND shift_no = \(number))) END
      AND recorded_at <= CASE WHEN \(last) IS NULL THEN 'infinity' ELSE greatest(\(last), (
        SELECT recorded_to FROM coverage_rollup
        WHERE employee_id = \(employee) AND shift_no = \(number))) END
      AND (\(start) IS NULL OR effective_at >= \(start))
      AND (\(end) IS NULL OR effective_at < \(end))
    """, markDirty(shift), deleteVisits(of: shift, from: start, to: end),
  ]
}

/// The pings of a shift's devices, by effective time.
package func coveragePings(
  of shift: ShiftID, on session: inout Session
) throws(PostgresError) -> [ReceivedPing] {
  try session.value(of: coveragePings(of: shift))
}

package func coveragePings(of shift: ShiftID) -> Query<[ReceivedPing]> {
  Query(selectCoveragePings(of: shift)) { (rows) throws(PostgresError) in
    try rows.map(ReceivedPing.init(from:))
  }
}

/// Reads a shift and all its pings.
package struct WholeShiftReading: Reading {
  package let statements: [SQL]
  package private(set) var shift: ShiftReading
  package private(set) var pings: [ReceivedPing] = []

  package init(of shift: ShiftID) {
    self.shift = ShiftReading(of: shift)
    // Before the surroundings, because their advice to the planner is not for this join.
    statements = [selectCoveragePings(of: shift)] + self.shift.statements
  }

  package mutating func add(_ position: Int, _ rows: consuming Rows) throws(PostgresError) {
    if position == 0 {
      pings = try rows.map(ReceivedPing.init(from:))
    } else {
      try shift.add(position - 1, rows)
    }
  }
}

/// Reads a part of the key's index, as long as the shift, instead of all pings of the employee.
/// INVARIANT: a ping's key is within `clockErrorMax` of its effective time, which is within its
/// shift; otherwise `dirtyMarks` has stored where the key is.
func selectCoveragePings(of shift: ShiftID) -> SQL {
  """
  SELECT \(fragment: ReceivedPing.columns)
  FROM device
  JOIN ping ON ping.employee_id = device.employee_id AND ping.device_no = device.device_no
  WHERE device.employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number)
    AND recorded_at >= (
      SELECT least(started_at - \(clockErrorMax.column) * interval '1 ms', recorded_from)
      FROM shift LEFT JOIN coverage_rollup USING (employee_id, shift_no)
      WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number))
    AND recorded_at <= (
      SELECT CASE WHEN ended_at IS NULL THEN 'infinity'
        ELSE greatest(ended_at + \(clockErrorMax.column) * interval '1 ms', recorded_to) END
      FROM shift LEFT JOIN coverage_rollup USING (employee_id, shift_no)
      WHERE employee_id = \(shift.employee.rawValue) AND shift_no = \(shift.number))
  ORDER BY effective_at
  """
}

/// Stored pings of one device and shift: their keys are in this range, possibly among others.
package struct PingSpan: Hashable, Sendable {
  package var shift: ShiftID
  package var device: Int16
  /// From the lowest to the highest `recordedAt`.
  package var recorded: ClosedRange<Instant>

  package init(shift: ShiftID, device: Int16, recorded: ClosedRange<Instant>) {
    self.shift = shift
    self.device = device
    self.recorded = recorded
  }
}

package func coveragePings(in spans: [PingSpan], on session: inout Session)
  throws(PostgresError) -> [ShiftID: [ReceivedPing]]
{
  var pings: [ShiftID: [ReceivedPing]] = [:]
  try session.pipeline([probeKeys, selectCoveragePings(in: spans)]) {
    (position, rows) throws(PostgresError) in
    guard position == 1 else { return }
    try rows.forEach { (row) throws(PostgresError) in
      pings[try ShiftID(from: &row), default: []].append(try ReceivedPing(from: &row))
    }
  }
  return pings
}

func selectCoveragePings(in spans: [PingSpan]) -> SQL {
  """
  SELECT ping.employee_id, ping.shift_no, \(fragment: ReceivedPing.columns)
  FROM unnest(
    \(spans.map(\.shift).employees), \(spans.map(\.shift).numbers), \(spans.map(\.device)),
    \(spans.map(\.recorded.lowerBound)), \(spans.map(\.recorded.upperBound)))
    AS span (employee_id, shift_no, device_no, recorded_from, recorded_to)
  JOIN ping ON ping.employee_id = span.employee_id AND ping.device_no = span.device_no
    AND ping.recorded_at BETWEEN span.recorded_from AND span.recorded_to
    AND ping.shift_no = span.shift_no
  """
}

/// Deletes pings from before `cutoff` that are in no weekly partition.
package func deletePingsOutsideWeeks(before cutoff: Instant) -> SQL {
  "DELETE FROM ping_other WHERE effective_at < \(cutoff)"
}

/// Deletes pings from before `cutoff` that are in a later week, because a phone's clock was ahead.
/// Their shifts are sealed and know where such pings are.
package func deletePingsAhead(before cutoff: Instant) -> SQL {
  """
  DELETE FROM ping USING coverage_rollup AS rollup
  WHERE rollup.sealed AND rollup.recorded_to >= \(cutoff)
    AND ping.employee_id = rollup.employee_id AND ping.shift_no = rollup.shift_no
    AND ping.recorded_at BETWEEN \(cutoff) AND rollup.recorded_to
    AND ping.effective_at < \(cutoff)
  """
}

/// Drops the oldest week whose pings are all from before `cutoff`, and returns its table's name;
/// `nil`: there is none. Fails instead of waiting: `retryTransaction` if the table is in use.
package func dropPingWeek(before cutoff: Instant, on session: inout Session)
  throws(PostgresError) -> String?
{
  try session.run("SELECT drop_ping_week(\(cutoff))").value(0, 0)
}

/// The keys of stored pings of `device` in `range`, for comparing with those acknowledged.
package func recordedTimes(
  of device: DeviceID, in range: ClosedRange<Instant>, on session: inout Session
) throws(PostgresError) -> [Instant] {
  try session.run(
    """
    SELECT recorded_at FROM ping
    WHERE employee_id = \(device.employee.rawValue) AND device_no = \(device.number)
      AND recorded_at BETWEEN \(range.lowerBound) AND \(range.upperBound + .milliseconds(1))
    """
  ).values()
}

/// Creates the weekly partitions from the week of `first` on; returns how many were new.
package func makePingWeeks(from first: Instant, count: Int32, on session: inout Session)
  throws(PostgresError) -> Int32
{
  try session.run("SELECT create_ping_weeks(\(first), \(count))").value(0, 0)
}

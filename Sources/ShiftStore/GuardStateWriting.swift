import GuardRules
import Postgres
import ReadModels
import ShiftDomain

// Table guard_state as it is written after decisions.

/// A state to be written, if no transaction has written since `record` was read.
package struct StateToWrite: Hashable, Sendable {
  package var state: GuardState
  /// As read, with the highest numbers.
  package var record: EmployeeRecord

  package init(_ state: GuardState, after record: EmployeeRecord) {
    (self.state, self.record) = (state, record)
  }
}

/// Writes one state. Affects one row, or none: then the caller reads and decides again.
package func updateGuardState(_ state: GuardState, after record: EmployeeRecord) -> SQL {
  updateGuardStates([StateToWrite(state, after: record)])
}

/// Writes the states of different employees, in their order.
package struct Claims: Sendable {
  /// To be run before the updates.
  package let preparing: [SQL]
  /// Together they affect a row for each state; with fewer, another transaction wrote first.
  package let updates: [SQL]

  package init(on states: [StateToWrite]) {
    // Citus takes the reading of a planned shift only for one employee.
    let parts = states.contains { $0.begunAt != nil } ? states.map { [$0] } : [states]
    updates = parts.filter { !$0.isEmpty }.map(updateGuardStates)
    // With other joins, rows would be written in another order.
    preparing = updates.count < states.count ? [probeKeys] : []
  }
}

func updateGuardStates(_ states: [StateToWrite]) -> SQL {
  """
  UPDATE guard_state AS state
  SET version = state.version + 1, due_at = \(dueFor: states),
    accepted_shift = sent.open_shift, notified_shift = sent.open_shift,
    marks_version = CASE WHEN sent.marks_lost IS NOT NULL THEN state.version + 1 END,
    \(stateAssignments)
  FROM \(sent: claimColumns(of: states) + stateColumns(of: states), count: states.count)
  WHERE state.employee_id = \("sent.employee_id", orOnly: states.map(\.record.employee.rawValue))
    AND state.version = sent.version
  """
}

extension SQL.Interpolation {
  /// When time alone will change something: for a new shift, not before the planned one is read.
  fileprivate mutating func appendInterpolation(dueFor states: [StateToWrite]) {
    guard states.count == 1, let begunAt = states[0].begunAt else {
      return appendLiteral("sent.due_at")
    }
    appendLiteral("least(sent.due_at, (")
    appendLiteral("SELECT planned.ends_at + interval '30 minutes' FROM (SELECT ")
    appendInterpolation(begunAt)
    appendLiteral("::timestamptz AS at) AS begun JOIN planned_shift AS planned ON ")
    appendLiteral("planned.employee_id = ")
    appendInterpolation(states[0].record.employee.rawValue)
    appendLiteral(" AND ")
    appendInterpolation(fragment: nearestPlanOfBegun)
    appendLiteral("))")
  }
}

private func claimColumns(of states: [StateToWrite]) -> [SentColumn] {
  [
    SentColumn("employee_id", states.map(\.record.employee.rawValue)),
    SentColumn("version", states.map(\.record.version)),
    SentColumn("due_at", states.map { $0.state.due(under: $0.record.policy) }),
  ]
}

private let stateAssignments = Assignments(stateColumns(of: []))

/// Those that are written as they are sent.
private func stateColumns(of states: [StateToWrite]) -> [SentColumn] {
  let shifts = states.map(\.state.shift)
  let breaks = shifts.map { $0?.latestBreak }
  let flickers = shifts.map { $0?.flickers ?? FlickerBurst() }
  return [
    SentColumn("last_shift", states.map(\.state.lastShift)),
    SentColumn("last_incident", states.map(\.state.lastIncident)),
    SentColumn("last_override", states.map(\.record.lastOverride)),
    SentColumn("last_action", states.map(\.record.lastClockAction)),
    SentColumn("open_shift", shifts.map { $0?.number }),
    SentColumn("open_device", shifts.map { $0?.device }),
    SentColumn("opened_at", shifts.map { $0?.startedAt }),
    SentColumn("report_id", shifts.map { $0?.report?.id.rawValue }),
    SentColumn("break_no", breaks.map { $0?.number }),
    SentColumn("break_started_at", breaks.map { $0?.startedAt }),
    SentColumn("break_ended_at", breaks.map { $0?.endedAt }),
    SentColumn("break_asked", breaks.map { $0?.isAsked ?? false }),
    SentColumn("taken_over_at", shifts.map { $0?.takenOverAt }),
    SentColumn("reminded", shifts.map { $0?.isReminded ?? false }),
    SentColumn("flicker_earlier_at", flickers.map(\.earlierAt)),
    SentColumn("flicker_newest_at", flickers.map(\.newestAt)),
    SentColumn("flicker_notified_at", flickers.map(\.notifiedAt)),
    SentColumn("unlocatable_since", shifts.map { $0?.unlocatableSince }),
    SentColumn("locatable_since", shifts.map { $0?.locatableSince }),
    SentColumn("unconfirmed_shift", states.map(\.state.unconfirmed?.number)),
    SentColumn("unconfirmed_started_at", states.map(\.state.unconfirmed?.startedAt)),
    SentColumn("unconfirmed_ended_at", states.map(\.state.unconfirmed?.endedAt)),
  ] + KnownState.columns(of: shifts.map { $0?.known ?? KnownState() })
    + ReportMarks.columns(of: shifts.map { $0?.reportMarks })
    + AcceptedKinds.columns(of: shifts.map { $0?.accepted ?? AcceptedKinds() })
    + NotifiedKinds.columns(of: states.map(\.notified))
}

extension StateToWrite {
  /// When a new shift began, whose planned shift is not read yet: it is read once its end is due.
  fileprivate var begunAt: Instant? {
    guard let shift = state.shift, !shift.isReminded else { return nil }
    return record.state.shift.map { $0.startedAt == shift.startedAt } ?? false
      ? nil : shift.startedAt
  }
}

/// A time that is kept for each of some dimensions.
typealias DimensionColumn = (name: StaticString, dimension: Dimension)

extension SQL.Interpolation {
  /// The columns, of a table named `state`.
  mutating func appendInterpolation(state columns: [DimensionColumn]) {
    for (place, column) in columns.enumerated() {
      appendLiteral(place == 0 ? "state." : ", state.")
      appendInterpolation(fragment: column.name)
    }
  }
}

extension RowReader {
  fileprivate mutating func next(_ columns: [DimensionColumn]) throws(PostgresError)
    -> [Dimension: Instant]
  {
    var times: [Dimension: Instant] = [:]
    for column in columns { times[column.dimension] = try next() as Instant? }
    return times
  }
}

private func sent(_ columns: [DimensionColumn], _ times: [[Dimension: Instant]]) -> [SentColumn] {
  columns.map { column in SentColumn(column.name, times.map { $0[column.dimension] }) }
}

extension AcceptedKinds {
  /// Of a table named `state`, before `better`. A program that does not know the columns leaves
  /// those of an earlier shift.
  static let columns: StaticString = """
    CASE WHEN state.accepted_shift = state.open_shift THEN state.accepted ELSE 0::smallint END,
    state.accepted_device
    """

  /// Since when which dimension is reported better.
  static let better: [DimensionColumn] = [
    ("better_authorization", .authorization), ("better_accuracy", .accuracy),
    ("better_services", .services), ("better_mock_location", .mock),
  ]

  static let columnCount = 2 + better.count

  init(from row: inout RowReader) throws(PostgresError) {
    let bits = UInt16(bitPattern: try row.next())
    self.init(
      kinds: IncidentKindSet(rawValue: bits & ~Self.mockIgnored), device: try row.next(),
      betterSince: try row.next(Self.better), isMockIgnored: bits & Self.mockIgnored != 0)
  }

  /// Beside the kinds, which are fewer.
  private static let mockIgnored: UInt16 = 1 << 15

  fileprivate static func columns(of accepted: [AcceptedKinds]) -> [SentColumn] {
    let bits = accepted.map { $0.kinds.rawValue | ($0.isMockIgnored ? mockIgnored : 0) }
    return [
      SentColumn("accepted", bits.map { Int16(bitPattern: $0) }),
      SentColumn("accepted_device", accepted.map(\.device)),
    ] + sent(better, accepted.map(\.betterSince))
  }
}

extension StateToWrite {
  /// By the database's clock.
  fileprivate var notified: NotifiedKinds {
    state.shift?.notified.later(by: .zero - record.clockAhead) ?? NotifiedKinds()
  }
}

extension NotifiedKinds {
  /// The same by a clock that is `span` ahead.
  package func later(by span: TimeSpan) -> NotifiedKinds {
    NotifiedKinds(
      kinds: kinds, alarmedAt: alarmedAt.mapValues { $0 + span },
      comparesAt: comparesAt.map { $0 + span })
  }

  /// Of a table named `state`, before `alarmed`. A program that does not know the columns leaves
  /// those of an earlier shift.
  static let columns: StaticString = """
    CASE WHEN state.notified_shift = state.open_shift THEN state.notified END, state.compares_at
    """

  static let alarmed: [DimensionColumn] = [
    ("alarmed_authorization", .authorization), ("alarmed_services", .services),
    ("alarmed_accuracy", .accuracy), ("alarmed_contact", .contact), ("alarmed_fix", .fix),
    ("alarmed_mock_location", .mock),
  ]

  static let columnCount = 2 + alarmed.count

  init(from row: inout RowReader) throws(PostgresError) {
    self.init()
    guard let kinds: Int16 = try row.next() else {
      row.skip(Self.columnCount - 1)
      return
    }
    self.kinds = IncidentKindSet(rawValue: UInt16(bitPattern: kinds))
    comparesAt = try row.next()
    alarmedAt = try row.next(Self.alarmed)
  }

  fileprivate static func columns(of notified: [NotifiedKinds]) -> [SentColumn] {
    [
      SentColumn("notified", notified.map { Int16(bitPattern: $0.kinds.rawValue) }),
      SentColumn("compares_at", notified.map(\.comparesAt)),
    ] + sent(alarmed, notified.map(\.alarmedAt))
  }
}

extension ReportMarks {
  /// Of a table named `state`. A program that does not know the columns raises the version alone.
  static let columns: StaticString = """
    CASE WHEN state.marks_version = state.version THEN state.marks_lost END,
    state.marks_newest_at, state.marks_previous_at, state.marks_lost_at, state.marks_restored_at
    """

  static let columnCount = 5

  /// `nil`: not known.
  init?(from row: inout RowReader) throws(PostgresError) {
    guard let wasLost: Bool = try row.next() else {
      row.skip(Self.columnCount - 1)
      return nil
    }
    self.init(
      newestAt: try row.next(), previousAt: try row.next(), lostAt: try row.next(),
      restoredAt: try row.next(), wasLost: wasLost)
  }

  fileprivate static func columns(of marks: [ReportMarks?]) -> [SentColumn] {
    [
      SentColumn("marks_lost", marks.map { $0?.wasLost }),
      SentColumn("marks_newest_at", marks.map { $0?.newestAt }),
      SentColumn("marks_previous_at", marks.map { $0?.previousAt }),
      SentColumn("marks_lost_at", marks.map { $0?.lostAt }),
      SentColumn("marks_restored_at", marks.map { $0?.restoredAt }),
    ]
  }
}

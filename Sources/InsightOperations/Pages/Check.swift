import CivilTime
import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// The answer of `guardctl check` for one employee.
package struct EmployeeCheck: Hashable, Sendable {
  /// The employee.
  package var employee: EmployeeID
  /// Their name.
  package var name: String
  /// Their team's name.
  package var teamName: String
  /// When this was computed.
  package var asOf: Instant
  /// Whether they can be tracked now, as opposed to whether they may clock in.
  package var trackingState: TrackingState
  /// The device that was checked; `nil` when none is enrolled.
  package var snapshot: Snapshot?
  /// The decision; `.noReport` blocks under most policies if no device is enrolled.
  package var decision: Decision
  /// The last contact from this device.
  package var lastContactAt: Instant?
  /// The first planned shift of today that is missed, as on the board; `nil` on shift.
  package var missed: MissedShift?
}

extension InsightOperations {
  /// The decision that an employee would get now, with the reasons and the override that a clock-in
  /// would use. Read-only; no coordinates.
  /// - Parameters:
  ///   - device: The device to check; `nil`: the one that tracks the open shift, else the one with
  ///     the newest report, else the newest.
  ///   - preset: Decide by this preset instead of the team's policy.
  /// - Throws: `.notFound` for an unknown employee and for an unknown or revoked device.
  package func check(employee: EmployeeID, device: Int16?, preset: Preset?)
    async throws(OperationError) -> EmployeeCheck
  {
    let asOf = core.now()
    let facts = try await core.readSnapshot { (session) throws(PostgresError) in
      var batch = Batch()
      let places = CheckPlaces(of: employee, at: asOf, in: &batch)
      try session.run(&batch)
      return try CheckFacts(batch, places, on: &session)
    }
    guard let facts else { throw .employeeNotFound(employee) }
    if let device, !facts.devices.contains(where: { $0.device.number == device && !$0.isRevoked }) {
      throw .notFound("device \(device) of employee \(employee.rawValue)")
    }
    return EmployeeCheck(facts, device: device, preset: preset, asOf: asOf)
  }
}

/// Where what a check needs is found in a batch.
struct CheckPlaces {
  let employee: EmployeeID
  let asOf: Instant
  let employeeAndTeam: EmployeeAndTeam.Places
  let attendances: Batch.Place<AttendanceReading>
  let record: Batch.Place<EmployeeReading>
  let devices: Batch.Place<Query<[DeviceRow]>>
  let earlierReports: Batch.Place<Query<[DeviceID: [ReceivedReport]]>>
  let override: Batch.Place<Query<OverrideRow?>>
  let plans: Batch.Place<Query<[EmployeeID: ClockInPlan]>>

  init(of employee: EmployeeID, at asOf: Instant, in batch: inout Batch) {
    (self.employee, self.asOf) = (employee, asOf)
    employeeAndTeam = EmployeeAndTeam.Places(of: employee, in: &batch)
    // A planned shift lasts a day at most.
    attendances = batch.append(
      AttendanceReading(
        of: [employee], in: Interval(from: asOf - .hours(48), to: asOf + .milliseconds(1))))
    record = batch.append(EmployeeReading(of: [employee]))
    devices = batch.append(ShiftStore.devices(of: employee))
    earlierReports = batch.append(ShiftStore.earlierReports(of: employee))
    override = batch.append(servingOverride(of: employee, at: asOf))
    plans = batch.append(clockInPlans(of: [employee], at: asOf...asOf))
  }
}

/// What a check needs.
struct CheckFacts: Sendable {
  let employee: EmployeeAndTeam
  let missed: MissedShift?
  let record: EmployeeRecord
  let devices: [DeviceRow]
  let override: OverrideRow?
  let plan: ClockInPlan?
  let tracking: TrackingPresent?

  /// `nil` if the employee does not exist. Reads the tracking state of an open shift.
  init?(_ batch: Batch, _ places: CheckPlaces, on session: inout Session) throws(PostgresError) {
    guard let employee = EmployeeAndTeam(batch, places.employeeAndTeam),
      let record = batch[places.record][places.employee]
    else { return nil }
    (self.employee, self.record) = (employee, record)
    missed =
      record.state.shift == nil
      ? batch[places.attendances].attendances.missed(
        on: try CivilTime(ofTeamIn: employee.team.timeZone), asOf: places.asOf) : nil
    let earlier = batch[places.earlierReports]
    devices = batch[places.devices].map { device in
      var device = device
      device.earlierReports = earlier[device.device] ?? []
      return device
    }
    override = batch[places.override]
    plan = batch[places.plans][places.employee]
    tracking = try TrackingPresent(of: record, at: places.asOf, on: &session)
  }
}

extension EmployeeCheck {
  init(_ facts: CheckFacts, device: Int16? = nil, preset: Preset? = nil, asOf: Instant) {
    var record = facts.record
    if let preset {
      record.policy.preset = preset
      record.policy.severities = .table(of: preset)
    }
    let placeAndPlan = PlaceAndPlan(plan: facts.plan)
    let devices = facts.devices.filter {
      !$0.isRevoked && (device == nil || $0.device.number == device)
    }
    let judged = devices.max { left, right in
      left.precedence(record.state.shift) < right.precedence(record.state.shift)
    }
    var snapshot = judged.map {
      Snapshot(record, $0, availableOverride: facts.override, placeAndPlan, now: asOf)
    }
    let trackingState = facts.tracking?.state ?? TrackingState(in: [], at: asOf)
    if let tracking = facts.tracking { snapshot?.tracking = tracking.settings }
    snapshot?.trackingState = trackingState
    self.init(
      employee: record.employee, name: record.name, teamName: record.teamName, asOf: asOf,
      trackingState: trackingState, snapshot: snapshot,
      decision: snapshot?.decision
        ?? decideClockIn(.noReport, placeAndPlan, policy: record.policy, now: asOf),
      lastContactAt: judged?.lastContactAt, missed: facts.missed)
  }
}

extension [PlannedAttendance] {
  /// The first that is missed, of those that intersect the present day.
  fileprivate func missed(on time: CivilTime, asOf: Instant) -> MissedShift? {
    let day = time.span(of: time.date(of: asOf))
    return lazy.filter { $0.plannedShift.span.end > day.start }
      .compactMap { $0.missed(asOf: asOf) }.first
  }
}

extension DeviceRow {
  fileprivate var isRevoked: Bool { revokedAt != nil }

  /// First the tracking device, then the one that reported last, then the newest.
  fileprivate func precedence(_ shift: OpenShift?) -> Precedence {
    Precedence(
      isTracking: shift?.device == device.number, reportedAt: newestReport?.effectiveAt,
      number: device.number)
  }
}

private struct Precedence: Comparable {
  let isTracking: Bool
  let reportedAt: Instant?
  let number: Int16

  static func < (left: Precedence, right: Precedence) -> Bool {
    if left.isTracking != right.isTracking { return right.isTracking }
    if left.reportedAt != right.reportedAt {
      guard let reportedAt = right.reportedAt else { return false }
      return left.reportedAt.map { $0 < reportedAt } ?? true
    }
    return left.number < right.number
  }
}

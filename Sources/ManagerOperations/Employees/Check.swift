import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension ManagerOperations {
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
    let found: (EmployeeRecord, [DeviceRow], OverrideRow?, TrackingPresent?)?
    found = try await core.readSnapshot { (session) throws(PostgresError) in
      guard let record = try gather(employee, on: &session) else { return nil }
      return (
        record, try ShiftStore.devices(of: employee, on: &session),
        try servingOverride(of: employee, at: asOf, on: &session),
        try TrackingPresent(of: record, at: asOf, on: &session)
      )
    }
    guard let (found, enrolled, availableOverride, tracking) = found else {
      throw .employeeNotFound(employee)
    }
    var (record, devices) = (found, enrolled)
    devices.removeAll { $0.revokedAt != nil }
    if let device, !devices.contains(where: { $0.device.number == device }) {
      throw .notFound("device \(device) of employee \(employee.rawValue)")
    }
    if let preset {
      record.policy.preset = preset
      record.policy.severities = .table(of: preset)
    }
    if let device { devices.removeAll { $0.device.number != device } }
    let judged = devices.max { left, right in
      left.precedence(record.state.shift) < right.precedence(record.state.shift)
    }
    var snapshot = judged.map {
      Snapshot(record, $0, availableOverride: availableOverride, now: asOf)
    }
    let trackingState = tracking?.state ?? TrackingState(in: [], at: asOf)
    if let tracking { snapshot?.tracking = tracking.settings }
    snapshot?.trackingState = trackingState
    return EmployeeCheck(
      employee: employee, name: record.name, teamName: record.teamName, asOf: asOf,
      trackingState: trackingState, snapshot: snapshot,
      decision: snapshot?.decision
        ?? decideClockIn(.noReport, policy: record.policy, now: asOf),
      lastContactAt: judged?.lastContactAt)
  }

  package func status() async throws(OperationError) -> InstallationStatus {
    try await core.readSnapshot { (session) throws(PostgresError) in
      let version = try schemaVersion(on: &session)
      return InstallationStatus(
        schemaVersion: version, schemaWanted: schemaVersionWanted,
        counts: version == schemaVersionWanted ? try installationCounts(on: &session) : nil)
    }
  }
}

extension DeviceRow {
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

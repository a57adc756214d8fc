import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension PeopleOperations {
  /// Every team but the practice team, by number.
  package func teams() async throws(OperationError) -> [TeamRow] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.teams(on: &session)
    }
  }

  package func team(_ team: TeamID) async throws(OperationError) -> TeamRow {
    try await core.team(team)
  }

  /// The employees of `team`, or all, by number.
  package func employees(
    team: TeamID?, isActive: Bool? = nil
  ) async throws(OperationError) -> [EmployeeProfile] {
    let rows = try await employees(of: team, isActive: isActive, limit: .max)
    if rows.isEmpty, let team { _ = try await self.team(team) }
    return rows
  }

  /// The devices of `employee`, or of all employees in `scope`.
  package func devices(
    of employee: EmployeeID?, in scope: TeamScope = TeamScope()
  ) async throws(OperationError) -> [DeviceRow] {
    try await core.list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.devices(of: employee, in: scope, on: &session)
    }
  }

  /// Revokes a device; its history stays.
  /// - Throws: `.notFound` also when it is revoked already.
  package func revoke(device: DeviceID, by principal: Principal) async throws(OperationError) {
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try bumpVersion(of: device.employee, on: &session),
        try session.execute(ShiftStore.revoke(device, at: at)) == 1
      else {
        return .refused(
          .notFound("device \(device.number) of employee \(device.employee.rawValue)"))
      }
      try audit(
        .deviceRevoked, by: principal, at: at, about: device.employee,
        target: Int32(device.number), on: &session)
      return .done(true)
    }
  }
}

import Cryptography
import GuardRules
public import OperationCore
import Postgres
public import ShiftDomain
import ShiftStore

extension ManagerOperations {
  /// Adds a team, with the preset as the first version of its policy.
  /// - Parameters:
  ///   - name: 1…100 characters, not used by another team.
  ///   - timeZone: An IANA name such as `Europe/Warsaw`.
  ///   - preset: `standard` by default.
  /// - Throws: `.invalid`, `.conflict`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func addTeam(
    name: String, timeZone: String, preset: Preset = .standard, loggedBy principal: Principal? = nil
  ) async throws(OperationError) -> TeamID {
    try check(name: name)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      // The zone must be known to the database and to us.
      guard try isTimeZone(timeZone, on: &session), CivilTime(zone: timeZone) != nil else {
        return .refused(.invalid("`\(timeZone)` is not an IANA time zone"))
      }
      let names = try ShiftStore.teams(on: &session).map(\.name)
      guard !names.contains(name) else {
        return .refused(.conflict("a team `\(name)` already exists"))
      }
      let team = try ShiftStore.addTeam(
        name: name, timeZone: timeZone, policy: .policy(of: preset), now: core.deadlines?(),
        on: &session)
      if let principal {
        try audit(.teamAdded, by: principal, at: at, target: team.rawValue, on: &session)
      }
      return .done(team)
    }
  }

  /// Every team, by number.
  public func teams() async throws(OperationError) -> [TeamRow] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.teams(on: &session)
    }
  }

  /// One team.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func team(_ team: TeamID) async throws(OperationError) -> TeamRow {
    guard let row = try await teams().first(where: { $0.team == team }) else {
      throw .notFound("team \(team.rawValue)")
    }
    return row
  }

  /// Adds an employee under `number`, or under the next free one.
  /// - Parameter name: 1…100 characters.
  /// - Throws: `.notFound` for an unknown team, `.conflict` for a number in use, `.invalid`,
  ///   `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func addEmployee(
    _ number: EmployeeID?, name: String, team: TeamID, by principal: Principal? = nil
  ) async throws(OperationError) -> EmployeeID {
    try check(name: name)
    let at = core.now()
    if let number, number.rawValue < 1 { throw .invalid("an employee number must be positive") }
    return try await core.transact { (session) throws(PostgresError) in
      guard try ShiftStore.teams(on: &session).contains(where: { $0.team == team }) else {
        return .refused(.notFound("team \(team.rawValue)"))
      }
      if let number, try gather(number, on: &session) != nil {
        return .refused(.conflict("employee \(number.rawValue) already exists"))
      }
      let employee = try ShiftStore.addEmployee(number, name: name, team: team, on: &session)
      if let principal {
        try audit(.employeeAdded, by: principal, at: at, about: employee, on: &session)
      }
      return .done(employee)
    }
  }

  /// The employees of `team`, or all, by number.
  /// - Throws: `.notFound` for an unknown team, `.unavailable`, `.broken`.
  public func employees(team: TeamID?) async throws(OperationError) -> [EmployeeRow] {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.employees(of: team, only: nil, on: &session).map { EmployeeRow($0) }
    }
    if rows.isEmpty, let team { _ = try await self.team(team) }
    return rows
  }

  /// One employee.
  /// - Throws: `.notFound`, `.unavailable`, `.broken`.
  public func employee(_ employee: EmployeeID) async throws(OperationError) -> EmployeeRow {
    let rows = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.employees(of: nil, only: employee, on: &session)
    }
    guard let row = rows.first else { throw .notFound("employee \(employee.rawValue)") }
    return EmployeeRow(row)
  }

  /// The devices of `employee`, or of all employees.
  /// - Throws: `.notFound` for an unknown employee, `.unavailable`, `.broken`.
  public func devices(of employee: EmployeeID?) async throws(OperationError) -> [DeviceRow] {
    try await list(of: employee) { (session) throws(PostgresError) in
      try ShiftStore.devices(of: employee, on: &session).map { DeviceRow($0) }
    }
  }

  /// Reads rows of `employee`, or of all employees. An empty list for an unknown employee would be
  /// misleading.
  func list<Row: Sendable>(
    of employee: EmployeeID?, _ body: @Sendable (inout Session) throws(PostgresError) -> [Row]
  ) async throws(OperationError) -> [Row] {
    let rows = try await core.read(body)
    if rows.isEmpty, let employee { _ = try await self.employee(employee) }
    return rows
  }

  /// Revokes a device; its history stays.
  /// - Parameter principal: Who revokes it, for the audit log; `nil`: no entry is written.
  /// - Throws: `.notFound` when it is unknown or revoked already, `.unavailable`,
  ///   `.outcomeUnknown`, `.broken`.
  public func revoke(device: DeviceID, by principal: Principal? = nil) async throws(OperationError)
  {
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      let affected = try session.pipeline([
        bumpVersion(of: device.employee), ShiftStore.revoke(device, at: at),
      ])
      guard affected == [1, 1] else {
        return .refused(
          .notFound("device \(device.number) of employee \(device.employee.rawValue)"))
      }
      if let principal {
        try audit(
          .deviceRevoked, by: principal, at: at, about: device.employee,
          target: Int32(device.number), on: &session)
      }
      return .done(true)
    }
  }

  func check(name: String) throws(OperationError) {
    let isBlank = name.allSatisfy { $0.isWhitespace }
    guard !isBlank, !name.contains("\0"), name.unicodeScalars.count <= 100 else {
      throw .invalid("a name must have 1 to 100 characters and must not be blank")
    }
  }
}

extension EmployeeRow {
  fileprivate init(_ listing: EmployeeListing) {
    self.init(
      employee: listing.employee, name: listing.name, team: listing.team,
      teamName: listing.teamName,
      openShift: listing.openShift.map { ShiftID(employee: listing.employee, number: $0) })
  }
}

extension DeviceRow {
  fileprivate init(_ record: DeviceRecord) {
    self.init(
      device: record.device, platform: record.platform, osVersion: record.osVersion,
      model: record.model, app: record.app, enrolledAt: record.enrolledAt,
      revokedAt: record.revokedAt,
      lastContactAt: record.lastReceivedAt)
  }
}

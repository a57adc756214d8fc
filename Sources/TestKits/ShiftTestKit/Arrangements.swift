import Cryptography
import GuardRules
import Guidance
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import PolicyOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

// What tests arrange before they begin. It leaves no audit entries unless it is about the rules.

extension Principal {
  /// An administrator who arranges tests.
  package static let arranger = Principal(
    actor: AuditActor(name: "test"), role: .administrator)
}

extension PeopleOperations {
  /// Adds a team.
  package func addTeam(name: String, timeZone: String, preset: Preset = .standard)
    async throws(OperationError) -> TeamID
  {
    try await core.transact { (session) throws(PostgresError) in
      .done(
        try ShiftStore.addTeam(
          name: name, timeZone: timeZone, policy: .policy(of: preset), now: core.deadlines?(),
          on: &session))
    }
  }

  /// Adds an employee under `number`, or under the next one that nobody has had.
  package func addEmployee(_ number: EmployeeID?, name: String, team: TeamID)
    async throws(OperationError) -> EmployeeID
  {
    try await core.transact { (session) throws(PostgresError) in
      .done(try ShiftStore.addEmployee(number, name: name, team: team, on: &session))
    }
  }

  /// Sets or removes an employee's e-mail address.
  package func setEmail(_ email: String?, of employee: EmployeeID) async throws {
    _ = try await changeEmployee(employee, by: .arranger) { $0.email = email }.get()
  }

  /// Creates a code that enrols one phone, once.
  package func createEnrolmentCode(for employee: EmployeeID, validFor span: TimeSpan)
    async throws(OperationError) -> NewEnrolmentCode
  {
    let code = EnrolmentCode.random()
    let expiresAt = core.now() + span
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(
        insertEnrolmentCode(hash: code.hash, of: employee, expiresAt: expiresAt))
      return .done(
        NewEnrolmentCode(code: "\(employee.rawValue)-\(code.text)", expiresAt: expiresAt))
    }
  }

  /// Revokes a device, as the arranger.
  package func revoke(device: DeviceID) async throws(OperationError) {
    try await revoke(device: device, by: .arranger)
  }
}

extension InstallationOperations {
  /// Creates an API token, as the arranger.
  package func createAPIToken(
    name: String, role: AccessRole, teams: [TeamID: TeamRights] = [:], validFor span: TimeSpan
  ) async throws(OperationError) -> NewAPIToken {
    try await createAPIToken(
      name: name, role: role, teams: teams, validFor: span, by: .arranger)
  }

  /// Revokes an API token, as the arranger.
  package func revokeAPIToken(_ number: Int32) async throws(OperationError) {
    try await revokeAPIToken(number, by: .arranger)
  }
}

extension PolicyOperations {
  /// Changes a team's policy, as the arranger.
  package func setPolicy(
    of team: TeamID, _ changes: PolicyChanges, matching tags: Set<String>? = nil
  ) async throws(OperationError) -> PolicyOutcome {
    try await setPolicy(of: team, changes, matching: tags, by: .arranger)
  }

  /// Restores a version of a team's policy, as the arranger.
  package func restorePolicy(of team: TeamID, version: Int32, matching tags: Set<String>? = nil)
    async throws(OperationError) -> PolicyOutcome
  {
    try await restorePolicy(of: team, version: version, matching: tags, by: .arranger)
  }
}

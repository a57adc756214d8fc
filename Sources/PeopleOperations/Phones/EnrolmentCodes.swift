import Cryptography
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A code that enrols one phone, shown only here.
package struct NewEnrolmentCode: Hashable, Sendable {
  /// The employee's number and four groups of four characters, separated by hyphens; 80 random
  /// bits.
  package var code: String
  /// When it expires.
  package var expiresAt: Instant

  /// The path of the page for employees on this server, with the code in the fragment, which no
  /// server and no log sees.
  package var link: String { "/app#\(code)" }

  package init(code: String, expiresAt: Instant) { (self.code, self.expiresAt) = (code, expiresAt) }
}

extension PeopleOperations {
  /// Creates a code that enrols one phone, once.
  package func createEnrolmentCode(
    for employee: EmployeeID, validFor span: TimeSpan, by principal: Principal
  ) async throws(OperationError) -> NewEnrolmentCode {
    let code = EnrolmentCode.random()
    let at = core.now()
    let expiresAt = at + span
    return try await core.transact { (session) throws(PostgresError) in
      // The employee is neither erased nor deactivated before the code is stored.
      guard try session.run(lockAgainstErasure(of: employee)).count == 1 else {
        return .refused(.notFound("employee \(employee.rawValue)"))
      }
      guard try isActive(employee, on: &session) else { return .refused(.inactive(employee)) }
      try session.execute(
        insertEnrolmentCode(hash: code.hash, of: employee, expiresAt: expiresAt))
      try audit(.enrolmentCodeCreated, by: principal, at: at, about: employee, on: &session)
      return .done(
        NewEnrolmentCode(code: "\(employee.rawValue)-\(code.text)", expiresAt: expiresAt))
    }
  }
}

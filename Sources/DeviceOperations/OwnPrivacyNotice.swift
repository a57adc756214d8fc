import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct OwnPrivacyNotice: Hashable, Sendable {
  package var privacyNotice: PrivacyNotice
  /// When the employee confirmed having read it; `nil`: not yet.
  package var readAt: Instant?
}

extension DeviceOperations {
  /// The newest privacy notice, and whether the employee has read it; `nil` before the first.
  package func ownPrivacyNotice(for credential: DeviceCredential)
    async throws(OperationError) -> OwnPrivacyNotice?
  {
    try await authorize(credential)
    return try await core.readSnapshot { (session) throws(PostgresError) in
      guard let privacyNotice = try newestPrivacyNotice(on: &session) else { return nil }
      return OwnPrivacyNotice(
        privacyNotice: privacyNotice,
        readAt: try ShiftStore.readAt(
          privacyNotice.version, by: credential.device.employee, on: &session))
    }
  }

  /// - Throws: `.notFound` if the version does not exist.
  package func acknowledgePrivacyNotice(_ version: Int32, for credential: DeviceCredential)
    async throws(OperationError)
  {
    try await authorize(credential)
    let at = core.now()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try session.run(lockAgainstErasure(of: credential.device.employee)).count == 1 else {
        return .refused(.unauthorized)
      }
      let read = keepRead(version, on: credential.device, at: at)
      guard try session.execute(read) == 1 else {
        return .refused(.notFound("version \(version) of the privacy notice"))
      }
      return .done(true)
    }
  }
}

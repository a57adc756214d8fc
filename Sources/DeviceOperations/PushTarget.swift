import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain

extension DeviceOperations {
  /// Sets the device's push target; `nil` removes it. Notifications that waited for it are
  /// processed at once.
  package func setPushTarget(
    _ target: PushTarget?, from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      guard try admit(credential, at: receipt.at, on: &session) != nil else {
        return .refused(.unauthorized)
      }
      guard var target else {
        try session.execute(unregister(pushTargetOf: credential.device, until: nil))
        return .done(true)
      }
      target.registeredAt = receipt.at
      let counts = try session.pipeline([
        register(target, of: credential.device),
        deliverNow(notificationsOf: credential.device.employee, at: fixedNow),
      ])
      return counts[1] > 0 ? .queued(true) : .done(true)
    }
  }
}

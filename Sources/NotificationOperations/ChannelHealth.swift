import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain

extension NotificationOperations {
  /// The ways by which notifications about `employees` can be sent.
  package func notificationWays(of employees: Set<EmployeeID>) async throws(OperationError)
    -> [EmployeeID: NotificationWays]
  {
    try await core.read(NotificationQueue.notificationWays(of: Array(employees))).value
  }

  /// How the channels have done in the last seven days.
  /// - Parameter setUp: The channels that this process can use; `nil`: it does not know.
  package func deliveryHealth(setUp: Set<Channel>?) async throws(OperationError) -> DeliveryHealth {
    let fixedNow = core.deadlines?()
    var health = try await core.readSnapshot { (session) throws(PostgresError) in
      let now = try outboxTime(at: fixedNow, on: &session)
      return try NotificationQueue.deliveryHealth(
        since: now - .hours(7 * 24), at: fixedNow, on: &session)
    }
    for index in health.channels.indices {
      // Apps need no settings.
      let channel = health.channels[index].channel
      let needsNone = channel?.hasOwnReceivers ?? true
      health.channels[index].isSetUp =
        needsNone ? true : channel.flatMap { setUp?.contains($0) }
    }
    return health
  }
}

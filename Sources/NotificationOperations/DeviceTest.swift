import ManagerCore
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum DeviceTestOutcome: Hashable, RefusableAnswer {
  case queued(TestNotification)
  /// The device has no push address.
  case noPushAddress(DeviceID)

  package func get() throws(Refusal) -> TestNotification {
    switch self {
    case .queued(let test): test
    case .noPushAddress(let device):
      throw .conflict(
        "no_push_address",
        "phone \(device.number) has no push address: the app registers one when it is opened and "
          + "may show notifications")
    }
  }
}

extension NotificationOperations {
  /// Sends a test to one device by push, the usual way through the outbox. It is sent also to a
  /// device that reported that it shows no notifications: that is what the test is about.
  /// - Throws: `.notFound` also for a revoked device.
  package func sendTest(toDevice device: DeviceID, by principal: Principal)
    async throws(OperationError) -> DeviceTestOutcome
  {
    let (at, fixedNow) = (core.now(), core.deadlines?())
    return try await core.transact { (session) throws(PostgresError) in
      // For the number of the test; and an employee who is being erased gets no entry.
      guard try hold(device.employee, on: &session),
        let record = try deviceRecords(of: [device], on: &session).first, record.revokedAt == nil
      else { return .refused(.deviceNotFound(device)) }
      guard let push = try pushAddressKind(of: device, on: &session) else {
        return .done(.noPushAddress(device))
      }
      let now = try outboxTime(at: fixedNow, on: &session)
      let number = try nextTest(of: device.employee, on: &session)
      try session.execute(
        enqueue(.test(number, ofDevice: device.number, dueAt: now), for: device.employee))
      try audit(
        .testSent, by: principal, at: at, about: device.employee, target: Int32(device.number),
        reason: EscalationStep.push.code, on: &session)
      let way = TestWay(step: .push, recipient: device.number, channel: push.channel)
      return .queued(
        .queued(
          TestNotification(
            employee: device.employee, number: number, queuedAt: now, ways: [way])))
    }
  }
}

extension TestNotification {
  /// The key of a test of one device.
  package func id(ofDevice device: Int16) -> NotificationID {
    NotificationID(.test(number, ofDevice: device, dueAt: queuedAt), of: employee)
  }
}

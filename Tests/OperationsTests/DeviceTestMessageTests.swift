import BackgroundOperations
import DeviceOperations
import InstallationOperations
import NotificationOperations
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A test message to one phone") struct DeviceTestMessageTests {
  private func setPush(_ phone: Phone, _ address: String) async throws {
    try await phone.operations.device.setPushTarget(
      PushTarget(.fcm, address: address, registeredAt: morning), from: phone.credential,
      receipt: phone.receipt)
  }

  // R: A2
  @Test("goes to that phone alone, whichever tracks, and is in the audit log")
  func alone() async throws {
    try await withWorld { world in
      let (old, new) = (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
      try await setPush(old, "old")
      try await setPush(new, "new")
      try await new.clockIn("a", reporting: .always)
      let manager = world.operations.manager
      let test = try await manager.notifications.sendTest(toDevice: old.device, by: world.principal)
        .get()
      #expect(test.ways.map(\.recipient) == [1])
      let id = test.id(ofDevice: 1)
      #expect(NotificationID(key: id.key) == id && id.testedDevice == 1)
      let sendings = try await world.operations.background.decideDeliveries(EmployeeID(7))
      let addresses = sendings.map(\.address)
      #expect(
        addresses == [.push(PushTarget(.fcm, address: "old", registeredAt: morning))],
        "\(addresses)")
      try await world.operations.background.record(
        sendings.map { SendingResult(of: $0, .refused, reason: "status 403") })
      let support = try await manager.people.support(of: old.device)
      let attempt = try #require(support.deliveries.first)
      #expect(attempt.id == id && attempt.outcome == .refused && attempt.reason == "status 403")
      #expect(support.push?.channel == .fcm)
      #expect(try await manager.people.support(of: new.device).deliveries.isEmpty)
      let entry = try #require(
        try await manager.installation.auditEntries(about: EmployeeID(7), limit: 10).first)
      #expect(entry.action == .testSent && entry.target == 1 && entry.actor == "Mira")
    }
  }

  @Test("needs a push address, and a phone that is not revoked")
  func impossible() async throws {
    try await withPhone { world, phone in
      let manager = world.operations.manager
      #expect(
        try await manager.notifications.sendTest(toDevice: phone.device, by: world.principal)
          == .noPushAddress(phone.device))
      try await setPush(phone, "x")
      try await manager.people.revoke(device: phone.device)
      await #expect(throws: OperationError.self) {
        _ = try await manager.notifications.sendTest(toDevice: phone.device, by: world.principal)
      }
      #expect(
        try await manager.installation.auditEntries(about: EmployeeID(7), limit: 10)
          .allSatisfy { $0.action != .testSent })
    }
  }
}

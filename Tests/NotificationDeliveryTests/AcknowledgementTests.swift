import NotificationQueue
import ShiftDomain
import ShiftOperations
import Testing

@testable import NotificationDelivery

@Suite("A message that was acknowledged") struct AcknowledgementTests {
  @Test("in the open app is not mailed, and reaches the managers if it lasts")
  func acknowledged() async throws {  // R: A11
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.open()
      try await crew.deliver(at: .seconds(12))
      try await crew.write([markWritten(upTo: 1, of: EmployeeID(1), at: crew.now)])
      crew.move(to: .seconds(40))
      _ = try await crew.operations.acknowledge(
        FindingSet(.denied), in: "s1", from: crew.phones[0],
        receipt: Receipt(at: crew.now, monotonic: .now))
      try await crew.deliver(at: .seconds(312))
      #expect(crew.post.collect() == [])
      try await crew.deliver(at: .seconds(660))
      #expect(crew.post.collect() == ["email: Tracking of a shift is interrupted"])
    }
  }

  @Test("as something else is mailed all the same")
  func another() async throws {
    try await Crew.run { crew in
      try await crew.lose()
      try await crew.open()
      try await crew.deliver(at: .seconds(12))
      try await crew.write([markWritten(upTo: 1, of: EmployeeID(1), at: crew.now)])
      crew.move(to: .seconds(40))
      _ = try await crew.operations.acknowledge(
        FindingSet(.batteryOptimised), in: "s1", from: crew.phones[0],
        receipt: Receipt(at: crew.now, monotonic: .now))
      try await crew.deliver(at: .seconds(312))
      #expect(crew.post.collect() == ["email: Location access is off"])
    }
  }
}

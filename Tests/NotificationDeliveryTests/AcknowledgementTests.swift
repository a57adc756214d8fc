import DeviceOperations
import NotificationQueue
import ShiftDomain
import Testing

@testable import NotificationDelivery

@Suite("An acknowledged notification") struct AcknowledgementTests {
  @Test("shown in the open app is not e-mailed, but reaches the managers if the problem lasts")
  func acknowledged() async throws {  // R: A11
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.open()
      try await world.deliver(at: .seconds(12))
      try await world.write([markWritten(upTo: 1, of: EmployeeID(1), at: world.now)])
      world.move(to: .seconds(40))
      try await world.phones[0].acknowledge(FindingSet(.denied))
      try await world.deliver(at: .seconds(312))
      #expect(world.post.collect() == [])
      try await world.deliver(at: .seconds(660))
      #expect(world.post.collect() == ["email: Tracking of a shift is interrupted"])
    }
  }

  @Test("is still e-mailed if a different finding was acknowledged")
  func another() async throws {
    try await DeliveryWorld.run { world in
      try await world.lose()
      try await world.open()
      try await world.deliver(at: .seconds(12))
      try await world.write([markWritten(upTo: 1, of: EmployeeID(1), at: world.now)])
      world.move(to: .seconds(40))
      try await world.phones[0].acknowledge(FindingSet(.batteryOptimised))
      try await world.deliver(at: .seconds(312))
      #expect(world.post.collect() == ["email: Location access is off"])
    }
  }
}

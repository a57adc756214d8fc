import JSONText
import ManagerCore
import OperationCore
import ReviewOperations
import ShiftDomain
import Testing

@Suite("A shift that a manager opened, over HTTP") struct OpenedShiftTests {
  private func open(_ world: DeviceWorld) async throws {
    _ = try await world.operations.reviews.openShift(
      for: EmployeeID(7), OpeningRequest(reason: "new phone"),
      by: Principal(actor: AuditActor(name: "Mira"), role: .administrator)
    ).get()
  }

  // R: A8, W2
  @Test("is shown as waiting, and is confirmed by a clock-in")
  func confirm() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      let start = world.time()
      try await open(world)
      let waiting = try await phone.get("/v1/me")
      #expect(waiting["shift", "waitsForConfirmation"] == .bool(true))
      #expect(waiting["shift", "openedBy"] == "manager" && waiting["shift", "device"] == nil)
      #expect(waiting["tracking", "track"] == .bool(false))
      #expect(waiting["trackingState", "reason"] == "not_asked")
      world.clock.move(by: .minutes(1))
      #expect(try await phone.ping().results == ["no_shift"])
      for path in ["take-over", "break-start"] {
        let refused = try await phone.clockAction(path, path)
        #expect(refused.code == "no_open_shift")
        #expect(refused["detail"] == "the open shift waits for your confirmation")
      }
      #expect(try await phone.clockIn().code == "clock_in_blocked")
      try await phone.report("always")
      let confirmed = try await phone.clockIn("tap-2")
      #expect(confirmed.status == 201 && confirmed["shift", "number"] == .integer(1))
      #expect(confirmed["shift", "startedAt"] == .string(start))
      #expect(confirmed["shift", "waitsForConfirmation"] == .bool(false))
      #expect(confirmed["shift", "device"] == .integer(1))
      #expect(confirmed["commands", 0] == "send_fix_now")
      #expect(try await phone.ping().results == ["stored"])
      #expect(try await phone.clockAction("decline", "no").code == "no_waiting_shift")
      let own = try await phone.get("/v1/me/shifts")
      #expect(own["shifts", 0, "opening", "by"] == "Mira")
      #expect(own["shifts", 0, "opening", "reason"] == "new phone")
      let details = try await phone.get("/v1/me/shifts/1")
      #expect(details["confirmedAt"] == .string(world.time()))
      #expect(details["takeOvers"] == .array([]))
    }
  }

  // R: W10
  @Test("is declined once, and then is over, for a manager to review")
  func decline() async throws {
    try await DeviceWorld.withPhone { world, phone in
      #expect(try await phone.clockAction("decline", "none").code == "no_waiting_shift")
      try await open(world)
      world.clock.move(by: .minutes(1))
      for _ in 0..<2 {
        let answer = try await phone.clockAction("decline", "no")
        #expect(answer.status == 200 && answer["shift", "number"] == .integer(1))
        #expect(answer["tracking", "track"] == .bool(false))
      }
      #expect(try await phone.clockAction("clock-out", "no").code == "action_id_reused")
      #expect(try await phone.get("/v1/me")["shift"] == nil)
      let own = try await phone.get("/v1/me/shifts")
      #expect(own["shifts", 0, "endedBy"] == "declined")
      #expect(own["shifts", 0, "review"] == .bool(true) && own["shifts", 0, "device"] == nil)
    }
  }
}

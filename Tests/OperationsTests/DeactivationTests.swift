import DeviceOperations
import GuardRules
import InsightOperations
import ManagerCore
import NotificationOperations
import OperationCore
import PeopleOperations
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

private let ada = EmployeeID(7)
private let mira = Principal(actor: actor, role: .administrator)

@Suite("An employee who has left") struct DeactivationTests {
  // R: W11
  @Test("cannot work, keeps their shifts, and is left out of board and lists")
  func leaves() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let phone = try await Phone.enrolled(in: world)
      try await phone.beginShift()
      let open = ShiftID(employee: ada, number: 1)
      #expect(try await manager.people.deactivate(ada, by: mira) == .onShift(open))
      #expect(try await manager.people.employee(ada).deactivatedAt == nil)
      world.wait(.hours(1))
      try await phone.clockOut("out")
      let span = Interval(from: world.now + .hours(24), to: world.now + .hours(30))
      _ = try await manager.people.planShift(ada, span, by: mira).get()
      let begun = Interval(from: world.now - .hours(24), to: world.now + .hours(20))
      for span in [span, begun] {
        _ = try await manager.people.addAbsence(of: ada, span, note: nil, by: mira).get()
      }
      let code = try await manager.people.createEnrolmentCode(
        for: ada, validFor: .hours(24), by: mira)
      let left = try await manager.people.deactivate(ada, by: mira).get()
      #expect(left.deactivatedAt == world.now)
      #expect(try await manager.people.deactivate(ada, by: mira) == .done(left))
      await #expect(throws: OperationError.unauthorized) {
        _ = try await phone.clockIn("again")
      }
      await #expect(throws: OperationError.unauthorized) { _ = try await phone.report(.denied) }
      await #expect(throws: OperationError.unauthorized) {
        _ = try await phone.ping([fix(at: world.now - .minutes(5))])
      }
      await #expect(throws: OperationError.self) {
        _ = try await world.operations.device.enrol(
          code: code.code, NewDevice(platform: .ios), receipt: world.receipt)
      }
      #expect(try await manager.people.plannedShifts(of: ada, includingPast: true).isEmpty)
      let absences = try await manager.people.absences(ListFilter(in: TeamScope()), limit: 9).rows
      #expect(absences.map(\.span) == [Interval(from: begun.start, to: world.now)])
      #expect(try await manager.insight.shifts(of: ada, openOnly: false, limit: 9).count == 1)
      #expect(try await manager.people.employees(isActive: true, limit: 9).isEmpty)
      #expect(try await manager.people.employees(isActive: false, limit: 9) == [left])
      #expect(try await manager.people.employees(limit: 9) == [left])
      let board = try await manager.insight.board(for: mira)
      #expect(board.lines.isEmpty)
    }
  }

  @Test("is not given a code, a shift or a plan until reactivated, and enrols a phone again")
  func returns() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let phone = try await Phone.enrolled(in: world)
      _ = try await manager.people.deactivate(ada, by: mira).get()
      let span = Interval(from: world.now + .hours(1), to: world.now + .hours(2))
      let inactive = OperationError.inactive(ada)
      await #expect(throws: inactive) {
        _ = try await manager.people.createEnrolmentCode(for: ada, validFor: .hours(1), by: mira)
      }
      await #expect(throws: inactive) {
        _ = try await manager.people.planShift(ada, span, by: mira)
      }
      await #expect(throws: inactive) {
        _ = try await manager.reviews.openShift(for: ada, OpeningRequest(reason: "x"), by: mira)
      }
      let rota = Array("employee,start,end\n7,2026-03-03 08:00,2026-03-03 16:00\n".utf8)
      let imported = try await manager.people.importPlannedShifts(rota, isTrial: true, by: mira)
      guard case .faulty(let faults) = imported else { throw Unexpected("\(imported)") }
      #expect(faults.first.map(\.detail) == ["employee 7 is inactive"])
      #expect(try await manager.people.reactivate(ada, by: mira).deactivatedAt == nil)
      #expect(try await manager.people.reactivate(ada, by: mira).deactivatedAt == nil)
      await #expect(throws: OperationError.unauthorized) { _ = try await phone.clockIn("old") }
      try await Phone.enrolled(in: world).beginShift()
      await #expect(throws: OperationError.self) {
        _ = try await manager.people.deactivate(EmployeeID(99), by: mira)
      }
    }
  }

  @Test("is never on shift, whichever of clock-in and deactivation comes first")
  func race() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      for round in 0..<8 {
        let phone = try await Phone.enrolled(in: world)
        async let clockIn = try? phone.clockIn("in \(round)", reporting: .always)
        async let deactivation = manager.people.deactivate(ada, by: mira)
        let (answer, outcome) = (await clockIn, try await deactivation)
        let row = try await manager.people.employee(ada)
        #expect((row.openShift == nil) == (row.deactivatedAt != nil), "\(row)")
        switch outcome {
        case .done:
          #expect(answer == nil && row.deactivatedAt != nil)
          _ = try await manager.people.reactivate(ada, by: mira)
        case .onShift(let shift):
          #expect(answer != nil && row.openShift == shift.number)
          world.wait(.minutes(1))
          try await phone.clockOut("out \(round)")
        }
        world.wait(.minutes(1))
      }
    }
  }

  @Test("cannot enrol after their return with a code from before")
  func formerCode() async throws {
    try await withWorld { world in
      let manager = world.operations.manager
      let former = try await manager.people.createEnrolmentCode(
        for: ada, validFor: .hours(24), by: mira)
      _ = try await manager.people.deactivate(ada, by: mira).get()
      _ = try await manager.people.reactivate(ada, by: mira)
      await #expect(throws: OperationError.self) {
        _ = try await world.operations.device.enrol(
          code: former.code, NewDevice(platform: .ios), receipt: world.receipt)
      }
      let code = try await manager.people.createEnrolmentCode(
        for: ada, validFor: .hours(24), by: mira)
      _ = try await world.operations.device.enrol(
        code: code.code, NewDevice(platform: .ios), receipt: world.receipt)
    }
  }

  @Test("cannot be reminded without push and e-mail")
  func noChannel() async throws {
    try await withPhoneOnShift { world, phone in
      try await phone.report(.denied)
      #expect(try await world.operations.notifications.remind(ada, by: mira) == .noChannel)
    }
  }
}

import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import BackgroundWorkers

@Suite("The watch over planned shifts") struct PlannedShiftWatchTests {
  // R: W10, W17
  @Test("opens a planned shift at its start, which ends as planned unless it is confirmed")
  func opens() async throws {
    try await WatchWorld.run(2) { world in
      try await world.opensPlannedShifts()
      for employee in [1, 2] as [Int32] { try await world.plan(employee, .hours(1), .hours(9)) }

      world.move(to: .hours(1) - .milliseconds(1))
      #expect(await world.plannedShiftWatch().poll())
      #expect(try await world.openings().isEmpty)

      world.move(to: .hours(1) + .seconds(3))
      for _ in 0..<2 {
        #expect(await world.plannedShiftWatch().poll())
        #expect(try await world.openings() == ["1 shift_opened 1.3", "2 shift_opened 1.3"])
      }
      let present = try await world.phones[0].present
      #expect(present.shift?.openedBy == .plan && present.shift?.waitsForConfirmation == true)
      #expect(present.shift?.startedAt == morning + .hours(1))

      // One confirms it; the other never does.
      _ = try await world.phones[0].clockIn("in", reporting: .always)
      world.move(to: .hours(9) - .milliseconds(1))
      #expect(await world.watch().poll())
      #expect(try await world.phones[1].present.shift != nil)
      world.move(to: .hours(9) + .minutes(5))
      for _ in 0..<2 {
        #expect(await world.plannedShiftWatch().poll())
        #expect(await world.watch().poll())
      }
      #expect(try await world.phones[0].present.isTracking)
      let row = try await world.operations.insight.shift(
        ShiftID(employee: EmployeeID(2), number: 1))
      #expect(row.endedAt == morning + .hours(9) && row.ending == .limit && row.needsReview)
      #expect(try await world.openings() == ["1 shift_opened 1.3", "2 shift_opened 1.3"])
      let coverage = try await world.operations.insight.coverage(of: row.shift)
      #expect(coverage.segments.map(\.reason) == [.notAsked] && coverage.trackingPermille == nil)
    }
  }

  // R: G3
  @Test("opens nothing for those who are absent at the start")
  func absent() async throws {
    try await WatchWorld.run(3) { world in
      try await world.opensPlannedShifts()
      for employee in 1...3 as ClosedRange<Int32> {
        try await world.plan(employee, .hours(1), .hours(9))
      }
      // 1 to the instant before it is over, 2 from the instant after, 3 at the start alone.
      for (employee, from, to) in [
        (1, .zero, .hours(1)), (2, .hours(1) + .milliseconds(1), .hours(9)),
        (3, .hours(1), .hours(1) + .minutes(1)),
      ] as [(Int32, TimeSpan, TimeSpan)] {
        try await world.isAbsent(employee, from, to)
      }
      world.move(to: .hours(1) + .seconds(3))
      #expect(await world.plannedShiftWatch().poll())
      #expect(try await world.openings() == ["1 shift_opened 1.3", "2 shift_opened 1.3"])
    }
  }

  // R: W10
  @Test("opens nothing for those who worked, were blocked, declined, or were planned too late")
  func leaves() async throws {
    try await WatchWorld.run(6) { world in
      try await world.opensPlannedShifts()
      for employee in 1...5 as ClosedRange<Int32> {
        try await world.plan(employee, .hours(1), .hours(9))
      }
      let phones = world.phones
      // 1 is on shift, 2 was, 3 was blocked.
      world.move(to: .minutes(50))
      _ = try await phones[0].clockIn("in", reporting: .always)
      _ = try await phones[1].clockIn("in", reporting: .always)
      guard case .blocked = try await phones[2].clockIn("in", reporting: .denied)
      else {
        Issue.record("not blocked")
        return
      }
      world.move(to: .hours(1) + .milliseconds(1))
      try await phones[1].clockOut()
      // 4 declines; 5 has a plan in another hour as well, and 6 one from before it was made.
      try await world.plan(5, .hours(10), .hours(12))
      try await world.plan(6, .hours(1), .hours(9))
      world.move(to: .hours(1) + .minutes(1))
      #expect(await world.plannedShiftWatch().poll())
      #expect(try await world.openings() == ["4 shift_opened 1.3", "5 shift_opened 1.3"])
      #expect(
        try await phones[3].decline("no") == .done(ShiftID(employee: EmployeeID(4), number: 1)))
      #expect(await world.plannedShiftWatch().poll())
      #expect(try await world.openings().count == 2)

      // Whoever has not come within an hour is absent.
      for (minutes, count) in [(0, 2), (1, 3)] as [(Int64, Int)] {
        try await world.plan(6, .hours(20 + minutes * 2), .hours(21 + minutes * 2))
        world.move(to: .hours(21 + minutes * 2) - .milliseconds(minutes))
        #expect(await world.plannedShiftWatch().poll())
        #expect(try await world.openings().count == count)
      }
    }
  }

  @Test("opens nothing in a team whose policy does not say so")
  func off() async throws {
    try await WatchWorld.run { world in
      try await world.plan(1, .hours(1), .hours(9))
      world.move(to: .hours(1))
      #expect(await world.plannedShiftWatch().poll())
      #expect(try await world.openings().isEmpty)
      try await world.opensPlannedShifts()
      #expect(await world.plannedShiftWatch().poll())
      #expect(try await world.openings() == ["1 shift_opened 1.3"])
    }
  }

  @Test("is shared by several instances while phones clock in, and opens each shift once")
  func several() async throws {
    let count = Int32(WatchWorld.pageSize + 7)
    try await WatchWorld.run(count) { world in
      try await world.opensPlannedShifts()
      for employee in 1...count { try await world.plan(employee, .hours(1), .hours(9)) }
      world.move(to: .hours(1))
      let allPolls = (0..<3).map { _ in RecordedPolls() }
      let early = world.phones.prefix(20)
      try await withThrowingTaskGroup { group in
        for polls in allPolls {
          group.addTask { _ = await world.plannedShiftWatch(polls).poll() }
        }
        for phone in early {
          group.addTask { _ = try await phone.clockIn("in", reporting: .always) }
        }
        try await group.waitForAll()
      }
      // A shift each: of the plan, or by a clock-in that came first.
      #expect(try await world.count("SELECT count(*) FROM shift") == Int64(count))
      let opened = try await world.count("SELECT count(*) FROM shift WHERE opened_by = 2")
      #expect(opened >= Int64(count) - Int64(early.count))
      #expect(try await world.openings().count == Int(opened))
      #expect(allPolls.map { $0.lags("opening").count }.reduce(0, +) == UInt64(opened))
      for phone in early { #expect(try await phone.present.isTracking) }
    }
  }
}

extension WatchWorld {
  fileprivate func opensPlannedShifts() async throws {
    _ = try await operations.policies.setPolicy(of: team, PolicyChanges(opensPlannedShifts: true))
  }

  fileprivate func plan(_ employee: Int32, _ start: TimeSpan, _ end: TimeSpan) async throws {
    _ = try await operations.people.planShift(
      EmployeeID(employee), Interval(from: morning + start, to: morning + end), by: .arranger
    ).get()
  }

  /// The notifications of opened shifts.
  fileprivate func openings() async throws -> [String] {
    try await outbox().filter { $0.contains("shift_opened") }
  }

  fileprivate func plannedShiftWatch(_ polls: RecordedPolls = RecordedPolls()) -> Worker {
    worker("opening", polls)
  }
}

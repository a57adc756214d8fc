import BackgroundOperations
import DeviceOperations
import GuardRules
import Guidance
import InsightOperations
import NotificationOperations
import PeopleOperations
import PolicyOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@testable import BackgroundWorkers

@Suite("The watch over attendance") struct AttendanceWatchTests {
  // R: W10, W17
  @Test("notifies once that an employee is late, and once of a no-show")
  func once() async throws {
    try await WatchWorld.run(2) { world in
      try await world.watchesAttendance()
      for employee in [1, 2] as [Int32] { try await world.plan(employee, .hours(1), .hours(9)) }
      let start = try #require(Int32(exactly: (morning + .hours(1)).milliseconds / 60_000))
      // The first clocks in in time.
      world.move(to: .minutes(70))
      _ = try await world.phones[0].clockIn("in", reporting: .always)
      for (minutes, expected) in [
        (15, []), (16, ["2 late \(start).1"]), (60, ["2 late \(start).1"]),
        (61, ["2 late \(start).1", "2 no_show \(start).1"]),
        (600, ["2 late \(start).1", "2 no_show \(start).1"]),
      ] as [(Int64, [String])] {
        // A millisecond before the full minute.
        world.move(to: .minutes(60 + minutes) - .milliseconds(1))
        for _ in 0..<2 {
          #expect(await world.attendanceWatch().poll())
          #expect(try await world.outbox() == expected, "\(minutes)")
        }
      }
    }
  }

  // R: G3
  @Test("says nothing of a planned shift that starts in an absence, until that is removed")
  func absent() async throws {
    try await WatchWorld.run(3) { world in
      try await world.watchesAttendance()
      for employee in 1...3 as ClosedRange<Int32> {
        try await world.plan(employee, .hours(1), .hours(9))
      }
      try await world.isAbsent(1, .zero, .hours(1))
      try await world.isAbsent(2, .zero, .hours(1) + .milliseconds(1))
      let absence = try await world.isAbsent(3, .hours(1), .hours(9))
      let start = try #require(Int32(exactly: (morning + .hours(1)).milliseconds / 60_000))
      world.move(to: .hours(1) + .minutes(15))
      #expect(await world.attendanceWatch().poll())
      #expect(try await world.outbox() == ["1 late \(start).1"])
      _ = try await world.operations.people.removeAbsence(
        absence.id, of: EmployeeID(3), by: .arranger)
      #expect(await world.attendanceWatch().poll())
      #expect(try await world.outbox() == ["1 late \(start).1", "3 late \(start).1"])
      world.move(to: .hours(2))
      #expect(await world.attendanceWatch().poll())
      #expect(
        try await world.outbox() == [
          "1 late \(start).1", "1 no_show \(start).1", "3 late \(start).1", "3 no_show \(start).1",
        ])
    }
  }

  @Test("is shared by several instances, and queues each notification once")
  func several() async throws {
    let count = Int32(WatchWorld.pageSize + 7)
    try await WatchWorld.run(count) { world in
      try await world.watchesAttendance()
      for employee in 1...count { try await world.plan(employee, .hours(1), .hours(9)) }
      world.move(to: .hours(1) + .minutes(20))
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { _ = await world.attendanceWatch().poll() } }
      }
      #expect(try await world.outbox().count == Int(count))
      #expect(
        try await world.count("SELECT count(*) FROM planned_shift WHERE late_at IS NOT NULL")
          == Int64(count))
    }
  }

  @Test("queues nothing where the policy does not say so, nor for a shift that is long over")
  func off() async throws {
    try await WatchWorld.run { world in
      try await world.watchesAttendance(.zero, .zero)
      try await world.plan(1, .hours(1), .hours(2))
      world.move(to: .hours(1) + .minutes(59))
      #expect(await world.attendanceWatch().poll())
      #expect(try await world.outbox().isEmpty)
      try await world.watchesAttendance()
      world.move(to: .hours(3) + .milliseconds(1))
      #expect(await world.attendanceWatch().poll())
      #expect(try await world.outbox().isEmpty)
      world.move(to: .hours(3) - .milliseconds(1))
      #expect(await world.attendanceWatch().poll())
      #expect(try await world.outbox().count == 1)
    }
  }

  // R: W3
  @Test("says nothing of those who were blocked or declined, or whose shift was removed or moved")
  func truth() async throws {
    try await WatchWorld.run(4) { world in
      try await world.watchesAttendance(opens: true)
      var ids: [Int64] = []
      for employee in 1...4 as ClosedRange<Int32> {
        ids.append(try await world.plan(employee, .hours(1), .hours(9)))
      }
      let manager = world.operations.manager
      guard case .blocked = try await world.phones[0].clockIn("in", reporting: .denied) else {
        Issue.record("not blocked")
        return
      }
      world.move(to: .hours(1) + .minutes(1))
      try await world.operations.background.openPlannedShift(of: EmployeeID(2))
      _ = try await world.phones[1].decline("no")
      try await manager.people.deletePlannedShift(ids[2], of: EmployeeID(3), by: .arranger)
      _ = try await manager.people.changePlannedShift(
        ids[3], of: EmployeeID(4), start: morning + .hours(2), end: nil, by: .arranger
      ).get()
      for (minutes, count) in [(119, 0), (134, 0), (135, 1)] as [(Int64, Int)] {
        world.move(to: .minutes(minutes))
        // The others are found as due, and cost no transaction each.
        let due = try await world.operations.background.missedShiftsDue(limit: 9).map(\.employee)
        #expect(due.contains(EmployeeID(1)))
        #expect(
          try await world.operations.background.missing(among: due)
            == (count == 0 ? [] : [EmployeeID(4)]))
        #expect(await world.attendanceWatch().poll())
        let missed = try await world.outbox().filter { $0.contains("late") || $0.contains("show ") }
        #expect(missed.count == count && missed.allSatisfy { $0.hasPrefix("4 late") }, "\(missed)")
      }
      var filter = ListFilter(in: TeamScope())
      filter.to = morning + .hours(9)
      let shown = try await manager.people.plannedShifts(filter, limit: 9).rows
      #expect(shown.map(\.plannedShift.id) == [ids[0], ids[1], ids[3]])
      #expect(shown[0].attendance == .tried(ClockInAttempt(at: morning)))
      #expect(shown[1].attendance == .declined && shown[2].attendance == .late)
      let board = try await manager.insight.board(for: .arranger)
      #expect(board.lines.map(\.state) == [.blocked, .off, .off, .late])
      #expect(board.lines[3].missed?.isNoShow == false)
    }
  }

  // R: A9
  @Test("what it queued is dropped if the employee has clocked in, or the shift is gone")
  func heals() async throws {
    try await WatchWorld.run(3) { world in
      try await world.operations.notifications.addContact("boss@example.org", to: world.team)
      try await world.watchesAttendance()
      var ids: [Int64] = []
      for employee in 1...3 as ClosedRange<Int32> {
        ids.append(try await world.plan(employee, .hours(1), .hours(9)))
      }
      world.move(to: .hours(2))
      #expect(await world.attendanceWatch().poll())
      #expect(try await world.outbox().count == 3)
      // One was offline when they clocked in; the manager moves the shift of another.
      _ = try await world.phones[0].clockIn("in") {
        ($0.occurredAt, $0.sentAt) = (morning + .minutes(55), world.now)
        $0.report = .saying(.always)
      }
      _ = try await world.operations.people.changePlannedShift(
        ids[1], of: EmployeeID(2), start: morning + .hours(3), end: nil, by: .arranger
      ).get()
      for employee in [1, 2] as [Int32] {
        let sendings = try await world.operations.background.decideDeliveries(EmployeeID(employee))
        #expect(sendings.filter(\.isForManagers).isEmpty, "\(employee)")
      }
      let left = try await world.outbox().filter { $0.contains("no_show") }
      #expect(left.count == 1 && left[0].hasPrefix("3 "))
      let sent = try await world.operations.background.decideDeliveries(EmployeeID(3))
      #expect(sent.map(\.notification.topic) == [.noShow])
      // 09:00 UTC in Paris.
      #expect(sent.map(\.names) == [["Ada (10:00)"]])
    }
  }

  @Test("a late employee's notification is replaced by that of the no-show")
  func replaced() async throws {
    try await WatchWorld.run { world in
      try await world.operations.notifications.addContact("boss@example.org", to: world.team)
      try await world.watchesAttendance()
      try await world.plan(1, .hours(1), .hours(9))
      for minutes in [80, 125] as [Int64] {
        world.move(to: .minutes(minutes))
        #expect(await world.attendanceWatch().poll())
      }
      let sent = try await world.operations.background.decideDeliveries(EmployeeID(1))
      #expect(sent.map(\.notification.topic) == [.noShow])
      #expect(try await world.outbox().filter { $0.contains("late") }.isEmpty)
    }
  }

  @Test("late employees of a team are one notification after the first, without those who came")
  func digest() async throws {
    try await WatchWorld.run(5) { world in
      let background = world.operations.background
      try await world.operations.notifications.addContact("boss@example.org", to: world.team)
      try await world.watchesAttendance()
      for employee in 1...5 as ClosedRange<Int32> {
        try await world.plan(employee, .hours(1) + .minutes(Int64(employee)), .hours(9))
      }
      world.move(to: .hours(1) + .minutes(30))
      #expect(await world.attendanceWatch().poll())
      let first = try await background.decideDeliveries(EmployeeID(1))
      #expect(first.map(\.names) == [["Ada (10:01)"]])
      for employee in 2...5 as ClosedRange<Int32> {
        #expect(try await background.decideDeliveries(EmployeeID(employee)).isEmpty)
      }
      _ = try await world.phones[4].clockIn("in", reporting: .always)
      _ = try await world.phones[3].clockIn("in", reporting: .denied)
      world.wait(.minutes(1))
      let rest = try await background.decideDeliveries(EmployeeID(2))
      #expect(rest.map(\.names) == [["Ada (10:02)", "Ada (10:03)"]])
      let text = managersText(
        for: rest[0].notification, several: true, isEmployeeNotified: false)
      #expect(text.body.contains("No clock-in has been received yet from several employees"))
    }
  }
}

extension WatchWorld {
  fileprivate func watchesAttendance(
    _ lateAfter: TimeSpan = .minutes(15), _ noShowAfter: TimeSpan = .hours(1), opens: Bool = false
  ) async throws {
    let changes = PolicyChanges(
      spans: [.lateAfter: lateAfter, .noShowAfter: noShowAfter], opensPlannedShifts: opens)
    _ = try await operations.policies.setPolicy(of: team, changes)
  }

  /// - Returns: Its id.
  @discardableResult
  fileprivate func plan(_ employee: Int32, _ start: TimeSpan, _ end: TimeSpan) async throws -> Int64
  {
    try await operations.people.planShift(
      EmployeeID(employee), Interval(from: morning + start, to: morning + end), by: .arranger
    ).get().row.id
  }

  fileprivate func attendanceWatch() -> Worker { worker("attendance") }
}

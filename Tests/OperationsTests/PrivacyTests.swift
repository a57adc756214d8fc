import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore
import ShiftTestKit
import Testing

// R: W11
@Suite("What is kept of people") struct PrivacyTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)

  /// A shift with positions, a denial, a message, an override and more.
  private func work(_ employee: Int32, in world: OperationsWorld) async throws -> Phone {
    try await planted(employee, in: world, by: Self.boss)
  }

  @Test("goes kind by kind when it was kept for long enough, and a shift's times stay longest")
  func forgotten() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await work(7, in: world)
      _ = try await phone.clockOut("out")
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      _ = try await operations.background.maintainPings()
      #expect(try await !operations.background.deleteOldData().isSomething)
      // What the app told of itself is kept for 31 days.
      world.wait(.hours(31 * 24 + 1))
      #expect(try await operations.background.deleteOldData().rows == 1)
      // What could not be read may be positions.
      world.wait(.hours(29 * 24))
      #expect(try await operations.background.deleteOldData().rows == 1)
      world.wait(.hours(305 * 24 - 2))
      #expect(try await !operations.background.deleteOldData().isSomething)
      // Leave to begin is good for half a day.
      world.wait(.hours(15))
      #expect(try await operations.background.deleteOldData().shifts == 1)
      await #expect(throws: OperationError.notFound("shift 1 of employee 7")) {
        try await operations.insight.coverage(of: shift)
      }
      let left = try await world.rows(of: 7)
      for table in ["shift", "incident", "clock_action", "guard_override", "audit_entry"] {
        #expect(left[table] == nil, "\(table)")
      }
      #expect(left["past_shift"] == 2 && left["device"] == 1)
      // The phone works on.
      try await phone.report(.always)
      guard case .clockedIn = try await phone.clockIn("again") else {
        throw Unexpected("it is not let in")
      }
      world.wait(.hours(5 * 366 * 24))
      _ = try await operations.background.deleteOldData()
      #expect(try await world.rows(of: 7)["past_shift"] == nil)
    }
  }

  @Test("is kept for as long as the installation says, positions no longer than their coverage")
  func retention() async throws {
    try await withWorld { world in
      let operations = world.operations
      let standard = try await operations.installation.retention()
      #expect(KeptKind.allCases.map { standard[$0] } == [60, 365, 1_830, 365])
      let stale = standard.tag
      _ = try await operations.installation.setRetention(
        [.auditLog: 30], matching: [stale], by: Self.boss)
      #expect(try await operations.installation.retention()[.auditLog] == 30)
      for (kind, days) in [
        (KeptKind.fixes, Int32(366)), (.coverage, 59), (.shifts, 364), (.auditLog, 7),
      ] {
        await #expect(throws: OperationError.self) {
          try await operations.installation.setRetention([kind: days], by: Self.boss)
        }
      }
      // Both at once hold, where each alone would not.
      _ = try await operations.installation.setRetention(
        [.fixes: 500, .coverage: 600], by: Self.boss)
      let both = try await operations.installation.retention()
      #expect(KeptKind.allCases.map { both[$0] } == [500, 600, 1_830, 30])
      // Who read what no longer holds changes nothing.
      #expect(
        try await operations.installation.setRetention(
          [.auditLog: 90], matching: [stale], by: Self.boss)
          == .changedMeanwhile(both))
      #expect(try await operations.installation.retention() == both)
      let logged = try await operations.installation.auditEntries(about: nil, limit: 9).map(
        \.reason)
      #expect(Set(logged) == ["auditLog: 30 days", "fixes: 500 days", "coverage: 600 days"])
      world.wait(.hours(31 * 24))
      #expect(try await operations.background.deleteOldData().rows == 3)
      #expect(try await operations.installation.auditEntries(about: nil, limit: 9).isEmpty)
    }
  }

  @Test("of shifts is counted before a shorter time deletes it")
  func outlived() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      for day in 1...2 {
        _ = try await phone.clockIn("in \(day)", reporting: .always)
        world.wait(.hours(1))
        _ = try await phone.clockOut("out \(day)")
        world.wait(.hours(23))
      }
      world.wait(.hours(39 * 24))
      // They ended an hour less than 41 and 40 days ago.
      let counts = [41, 40, 39].map { ($0 as Int32, KeptKind.fixes) } + [(364, .coverage)]
      var found: [Int] = []
      for (days, kind) in counts {
        found.append(try await operations.installation.outlived(kind, days: days))
      }
      #expect(found == [0, 1, 2, 0])
    }
  }

  @Test("is shown at enrolment, and which version was read is kept")
  func privacyNotice() async throws {
    try await withWorld { world in
      let operations = world.operations
      let phone = try await Phone.enrolled(in: world)
      #expect(try await operations.device.ownPrivacyNotice(for: phone.credential) == nil)
      await #expect(throws: OperationError.notFound("version 1 of the privacy notice")) {
        try await operations.device.acknowledgePrivacyNotice(1, for: phone.credential)
      }
      let first = try await operations.installation.setPrivacyNotice("One.", by: Self.boss)
      #expect(try await operations.installation.setPrivacyNotice("One.", by: Self.boss) == first)
      let code = try await operations.people.createEnrolmentCode(
        for: EmployeeID(7), validFor: .hours(1))
      let enrolment = try await operations.device.enrol(
        code: code.code, NewDevice(platform: .ios), receipt: world.receipt)
      #expect(enrolment.privacyNotice == first)
      let readAt = world.now
      try await operations.device.acknowledgePrivacyNotice(1, for: phone.credential)
      world.wait(.minutes(1))
      try await operations.device.acknowledgePrivacyNotice(1, for: phone.credential)
      #expect(try await operations.device.ownPrivacyNotice(for: phone.credential)?.readAt == readAt)
      let second = try await operations.installation.setPrivacyNotice("Two.", by: Self.boss)
      let own = try await operations.device.ownPrivacyNotice(for: phone.credential)
      #expect(second.version == 2 && own?.privacyNotice == second && own?.readAt == nil)
    }
  }
}

import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Permission reports") struct ReportTests {
  // R: M1
  @Test("off shift replace one another: only a device's newest is kept")
  func offShift() async throws {
    try await withPhone { world, phone in
      for authorization in Authorization.allCases {
        world.wait(.seconds(1))
        let outcome = try await phone.report(authorization)
        #expect(outcome.disposition == .noted && outcome.detection == nil)
      }
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 1)
      let check = try await world.operations.insight.check(
        employee: EmployeeID(7), device: nil, preset: nil)
      #expect(check.snapshot?.report?.state.authorization == .always)
      #expect(check.decision.verdict == .allow)
    }
  }

  // R: M3, M4, A11
  @Test("of a downgrade open an incident and queue its message in the same transaction")
  func downgrade() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      let outcome = try await phone.report(.denied)
      #expect(outcome.disposition == .inForce)
      let detection = try #require(outcome.detection)
      #expect(detection < .seconds(5))
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: true, limit: 10)
      #expect(incidents.map(\.kind) == [.denied] && incidents[0].origin == .midShift)
      let waiting = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(waiting.map(\.notification.subject) == [incidents[0].incident.number])
      #expect(
        waiting[0].notification.isUrgent && waiting[0].notification.dueAt == world.now + .seconds(2)
      )
    }
  }

  // R: A12, M3
  @Test("of a restoration close the incident and ask for a fix at once")
  func restoration() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.denied)
      world.wait(.seconds(30))
      let outcome = try await phone.report(.always)
      #expect(outcome.wantsFixNow && outcome.snapshot.incidents.isEmpty)
      let incident = try await world.operations.insight.incident(
        IncidentID(employee: EmployeeID(7), number: 1))
      #expect(incident.closing == .restored && incident.closedAt == world.now)
      let topics = try await world.operations.notifications.notifications(of: nil, limit: 10)
        .map(\.notification.topic)
      #expect(topics == [.incident, .restored], "a message that is due stays, and is taken back")
    }
  }

  // R: A17, W8
  @Test("of a flicker take the message back in the same transaction")
  func flicker() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.denied)
      world.wait(.seconds(1))
      try await phone.report(.always)
      #expect(try await world.operations.notifications.notifications(of: nil, limit: 10).isEmpty)
      let incident = try await world.operations.insight.incident(
        IncidentID(employee: EmployeeID(7), number: 1))
      #expect(incident.closing == .flicker)
    }
  }

  // R: W8, C8
  @Test("of a worse state stamp the incident and queue a second message under its own key")
  func worsening() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.whenInUse)
      world.wait(.minutes(1))
      try await phone.report(.denied)
      let (first, second) = (
        try await world.operations.insight.incident(
          IncidentID(employee: EmployeeID(7), number: 1)),
        try await world.operations.insight.incident(
          IncidentID(employee: EmployeeID(7), number: 2))
      )
      #expect(first.kind == .whenInUse && first.closing == .changed && first.closedAt == world.now)
      #expect(second.kind == .denied && second.openedAt == world.now && second.episode == 1)
      let waiting = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(
        waiting.map(\.notification.ordinal) == [1, 2]
          && waiting.map(\.notification.kind) == [.whenInUse, .denied])
    }
  }

  // R: A17, W8
  @Test("of a worse state that heals at once leave no second message, and the next one its key")
  func healedWorsening() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.whenInUse)
      world.wait(.minutes(1))
      try await phone.report(.denied)
      world.wait(.seconds(1))
      try await phone.report(.whenInUse)
      let after = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(
        after.map(\.notification.ordinal) == [1] && after.map(\.notification.kind) == [.whenInUse])
      world.wait(.minutes(1))
      try await phone.report(.notDetermined)
      world.wait(.seconds(1))
      try await phone.report(.denied)
      let last = try await world.operations.notifications.notifications(of: nil, limit: 10)
      #expect(
        last.map(\.notification.ordinal) == [1, 3]
          && last.map(\.notification.kind) == [.whenInUse, .denied])
    }
  }

  // R: W1, W8
  @Test("with a lower sequence are history; with an older clock they are not")
  func late() async throws {
    try await withPhoneOnShift(sequence: 1) { world, phone in
      world.wait(.minutes(5))
      try await phone.report(.always, sequence: 5)
      let late = try await phone.report(.denied, sequence: 4)
      #expect(late.disposition == .late && late.snapshot.incidents.isEmpty)
      let setBack = try await phone.report(
        .denied, sequence: 6, recordedAt: world.now - .minutes(10),
        sentAt: world.now - .minutes(10))
      #expect(setBack.disposition == .inForce)
      #expect(setBack.snapshot.incidents.map(\.kind) == [.denied])
      #expect(
        try await world.count("SELECT count(*) FROM permission_report WHERE shift_no = 1") == 4)
    }
  }

  @Test("sent twice are the same report")
  func twice() async throws {
    try await withPhoneOnShift(sequence: 1) { world, phone in
      let first = try await phone.report(.denied, sequence: 2)
      let second = try await phone.report(.denied, sequence: 2)
      #expect(second.disposition == .duplicate && second.report == first.report)
      #expect(try await world.operations.notifications.notifications(of: nil, limit: 10).count == 1)
    }
  }

  // R: W7
  @Test("of another device than the tracking one open no incident")
  func otherDevice() async throws {
    try await withPhoneOnShift { world, _ in
      let second = try await Phone.enrolled(in: world)
      world.wait(.minutes(1))
      let outcome = try await second.report(.denied)
      #expect(outcome.disposition == .noted && outcome.snapshot.incidents.isEmpty)
    }
  }

  // R: W1
  @Test("from a phone whose clock stands in 2001 or next year are dated by its own age")
  func wrongClock() async throws {
    try await withPhone { world, phone in
      for years in [-25, 1] {
        let theirs = world.now + .hours(Int64(years) * 365 * 24)
        let outcome = try await phone.report(
          .always, recordedAt: theirs - .seconds(90), sentAt: theirs)
        #expect(outcome.snapshot.report?.effectiveAt == world.now - .seconds(90))
        #expect(outcome.snapshot.decision.informing.contains(.clockWrong))
      }
    }
  }

  @Test("are refused from a revoked device, and from a token with another's number")
  func credentials() async throws {
    try await withPhone { world, phone in
      let other = try await Phone.enrolled(in: world)
      try await world.operations.people.revoke(device: phone.credential.device)
      await #expect(throws: OperationError.unauthorized) { try await phone.report(.always) }
      #expect(try await other.report(.always).disposition == .noted)
      #expect(DeviceCredential(token: "sg_7_2_") == nil)
      #expect(DeviceCredential(token: "") == nil)
      #expect(DeviceCredential(token: "sg_-7_1_AAAA") == nil)
    }
  }
}

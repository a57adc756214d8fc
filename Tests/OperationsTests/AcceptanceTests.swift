import DeviceOperations
import GuardRules
import InsightOperations
import NotificationOperations
import PeopleOperations
import Postgres
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("Accepting a clock action") struct AcceptanceTests {
  @Test("though another shift was in its way, names its own; so does the phone's answer then")
  func namesItsShift() async throws {
    try await withWorld { world in
      let (first, second) = (
        try await Phone.enrolled(in: world), try await Phone.enrolled(in: world)
      )
      world.wait(.minutes(10))
      try await first.beginShift()
      world.wait(.minutes(10))
      func clockAction() async throws -> ClockInOutcome {
        try await second.clockIn("early") {
          $0.happened(at: morning, sentAt: world.now)
          $0.report = IncomingReport(.state(PermissionState(authorization: .always)))
        }
      }
      let answer = try await clockAction()
      guard case .kept(let action) = answer, let open = action.shift else {
        throw Unexpected("\(answer)")
      }
      #expect(action.reason == .overlaps && action.review == nil && open.number == 1)
      let number = try await world.clockAction("early")
      #expect(try await world.accepted(number, endedAt: morning + .minutes(10)) == 2)
      let row = try await world.operations.reviews.clockActionRow(number, of: EmployeeID(7))
      #expect(row.shift == open.number && row.review?.shift == 2)
      guard case .kept(let repeated) = try await clockAction() else { throw Unexpected("let in") }
      #expect(repeated.clockAction == action.clockAction && repeated.reason == .overlaps)
      #expect(repeated.review == .accepted && repeated.shift?.number == 2)
    }
  }

  @Test("a second time, with another end or with none, finds it reviewed")
  func otherEnd() async throws {
    try await withPhone { world, phone in
      let (closed, open) = (try await phone.refused("one"), try await phone.refused("two"))
      world.wait(.hours(2))
      let end = morning + .hours(1)
      let outcome = try await world.accept(closed, endedAt: end)
      guard case .reviewed(let row) = outcome else { throw Unexpected("\(outcome)") }
      #expect(try await world.accept(closed, endedAt: end) == outcome)
      for other in [end + .minutes(1), nil] {
        #expect(try await world.accept(closed, endedAt: other) == .alreadyReviewed(row))
      }
      #expect(try await world.shift(1).endedAt == end)
      #expect(try await world.count("SELECT count(*) FROM shift") == 1)
      guard case .overlaps = try await world.accept(open) else { throw Unexpected("opened") }
    }
  }

  // R: W3
  @Test("is judged on the report that it was refused on, whatever came after")
  func keepsReport() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(5))
      try await phone.report(.denied)
      world.wait(.minutes(5))
      try await phone.report(.denied)
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 2)
      #expect(try await world.accepted(number) == 1)
      world.wait(.minutes(1))
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: false, limit: 10)
      #expect(incidents.map(\.kind) == [.denied] && incidents.map(\.origin) == [.atClockIn])
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(Set(notifications.map(\.notification.topic)) == [.clockInBlocked, .shiftOpened])
      let coverage = try await world.operations.insight.coverage(
        of: ShiftID(employee: EmployeeID(7), number: 1))
      #expect(coverage.segments.map(\.reason) == [.notAsked, .denied])
    }
  }

  // R: W3
  @Test("begins its incidents with what holds by then: accepted, and told to nobody")
  func acceptsPresent() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(5))
      try await phone.report(.whenInUse, accuracy: .reduced)
      world.wait(.minutes(5))
      #expect(try await world.accepted(number) == 1)
      let acceptance = world.now
      world.wait(.minutes(1))
      // Neither as bad as at the clock-in, nor as it was at the acceptance.
      try await phone.report(.denied)
      world.wait(.minutes(1))
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: false, limit: 10
      ).sorted { $0.incident.number < $1.incident.number }
      #expect(incidents.map(\.kind) == [.whenInUse, .accuracyReduced, .denied])
      #expect(incidents.map(\.origin) == [.atClockIn, .atClockIn, .midShift])
      #expect(incidents.map(\.isAccepted) == [true, true, false])
      #expect(incidents.prefix(2).allSatisfy { $0.openedAt == acceptance })
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(
        notifications.map(\.notification).filter { $0.topic == .incident }.map(\.kind) == [.denied])
    }
  }

  @Test("or dismissed, lets its report go with the next")
  func forgetsReport() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.minutes(5))
      try await phone.report(.denied)
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 2)
      _ = try await world.operations.reviews.dismiss(
        clockAction: number, of: EmployeeID(7), reason: nil, by: actor)
      world.wait(.minutes(5))
      try await phone.report(.denied)
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 1)
    }
  }

  @Test("of a revoked device is a closed shift or none")
  func revoked() async throws {
    try await withPhone { world, phone in
      let number = try await phone.refused("one")
      world.wait(.hours(1))
      try await world.operations.people.revoke(device: phone.credential.device)
      #expect(try await world.accept(number) == .deviceRevoked)
      #expect(try await world.count("SELECT count(*) FROM shift") == 0)
      #expect(try await world.accepted(number, endedAt: world.now) == 1)
      #expect(try await world.accept(number, endedAt: world.now) != .deviceRevoked)
    }
  }
}

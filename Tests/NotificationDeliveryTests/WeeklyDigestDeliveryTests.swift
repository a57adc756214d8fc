import Guidance
import InsightOperations
import ManagerCore
import NotificationOperations
import NotificationSending
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@testable import NotificationDelivery

// R: M4
@Suite("The delivery of the weekly digest") struct WeeklyDigestDeliveryTests {
  private static let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

  /// Two contacts that get the digest, in English and in German, one that does not, and a webhook;
  /// and a shift of an hour without a position.
  private func run(_ body: (DeliveryWorld) async throws -> Void) async throws {
    try await DeliveryWorld.run { world in
      let (manager, team) = (world.operations.manager, world.team)
      for (address, language) in [("ann@example.com", Language.english), ("uli@x.de", .german)] {
        _ = try await manager.notifications.addContact(
          address, language: language, choices: .withDigest, to: team, by: Self.mira
        ).get()
      }
      try await manager.notifications.addContact("https://example.com/hook", by: .webhook, to: team)
      try await world.plantShift(
        of: EmployeeID(1), number: 1, from: world.now, to: world.now + .minutes(65))
      world.move(to: .hours(7 * 24))
      try await body(world)
    }
  }

  @Test("goes to the contacts that want it, in their language, without names")
  func delivered() async throws {
    try await run { world in
      #expect(try await world.operations.background.queueDigests() == 2)
      try await world.deliver()
      let sent = world.post.sent.sorted { $0.outgoing.language > $1.outgoing.language }
      #expect(sent.map(\.address) == [.email("ann@example.com"), .email("uli@x.de")])
      #expect(
        sent[0].outgoing.body == """
          Field, 2026-03-02 – 2026-03-08
          Hours worked: 1:05
          Tracked: 0.0\u{202F}%
          Shifts: 1
          Waiting for a decision now: 0
          Later corrections can change these figures.
          Why time was not tracked:
          """)
      let steps = sent[0].outgoing.steps
      #expect(!steps.isEmpty && steps.allSatisfy { $0.contains(/^[A-Z][a-z ]+, \d+:\d\d$/) })
      #expect(sent[1].outgoing.title == "Die Woche Ihres Teams")
      #expect(sent[1].outgoing.body.contains("Davon aufgezeichnet: 0,0\u{202F}%"))
      #expect(sent.allSatisfy { !$0.outgoing.body.contains("Ada") })
      #expect(try await world.history() == ["weekly_digest delivered", "weekly_digest delivered"])
    }
  }

  @Test("is dropped for a contact that was removed or wants it no more")
  func removed() async throws {
    try await run { world in
      let manager = world.operations.manager
      try await world.operations.background.queueDigests()
      try await manager.notifications.removeContact("ann@example.com", from: world.team)
      _ = try await manager.notifications.changeContact(3, of: world.team, by: Self.mira) {
        $0.choices = ContactChoices()
      }.get()
      try await world.deliver()
      #expect(world.post.sent.isEmpty)
      #expect(
        try await world.history() == ["weekly_digest not_needed", "weekly_digest not_needed"])
    }
  }

  @Test("is delivered at once as a copy to a contact that does not get it, also in quiet hours")
  func copied() async throws {
    try await run { world in
      let manager = world.operations.manager
      let quiet = QuietHours(from: 0, until: 1_439)
      _ = try await manager.notifications.changeContact(1, of: world.team, by: Self.mira) {
        $0.choices.quiet = quiet
      }.get()
      let digest = try await manager.insight.lastWeek(of: world.team)
      for count in 1...2 {
        _ = try await manager.notifications.send(digest, toContact: 1, by: Self.mira).get()
        try await world.deliver()
        #expect(
          world.post.sent.map(\.address)
            == Array(repeating: .email("mira@example.com"), count: count))
      }
      #expect(Set(world.post.sent.map(\.outgoing.key)).count == 2)
      #expect(world.post.sent.allSatisfy { $0.outgoing.body.contains("Hours worked: 1:05") })
      #expect(try await world.history() == ["weekly_digest delivered", "weekly_digest delivered"])
    }
  }

  @Test("is tried again for a day, and its figures stay the same")
  func retried() async throws {
    try await run { world in
      try await world.operations.background.queueDigests()
      world.post.answers { _ in .retry(reason: "status 421", after: .seconds(3_600)) }
      try await world.deliver()
      let first = Set(world.post.sent.map(\.outgoing.body))
      try await world.write("DELETE FROM shift")
      world.post.answers { _ in .accepted(reference: nil) }
      world.move(to: .hours(7 * 24 + 2))
      try await world.deliver()
      #expect(world.post.sent.count == 4 && Set(world.post.sent.map(\.outgoing.body)) == first)
      #expect(try await world.history() == ["weekly_digest delivered", "weekly_digest delivered"])
    }
  }

  @Test("expires after a day, and a refusal is a dead letter")
  func failed() async throws {
    try await run { world in
      try await world.operations.background.queueDigests()
      world.post.answers { address in
        address == .email("uli@x.de")
          ? .refused(reason: "status 550") : .retry(reason: "status 421", after: .seconds(80_000))
      }
      try await world.deliver()
      world.move(to: .hours(8 * 24 + 1))
      try await world.deliver()
      #expect(
        try await world.history() == ["weekly_digest unreachable", "weekly_digest expired"])
    }
  }

  @Test("leads to the coverage of that week, if the address of the pages is known")
  func link() {
    var week = TeamWeek(
      name: "Coast", week: 20_514, shifts: 1, openReviews: 2, durations: .init())
    #expect(!digestText(week).body.contains("http"))
    week.page = ("https://shifts.example.com", TeamID(3))
    let link = "https://shifts.example.com/coverage?from=2026-03-02&to=2026-03-08&team=3"
    for language in Language.allCases {
      let text = digestText(week, in: language)
      #expect(text.body.split(separator: "\n").contains { $0.hasSuffix(" \(link)") })
      #expect(text.steps.isEmpty && text.title.count <= 60)
    }
  }
}

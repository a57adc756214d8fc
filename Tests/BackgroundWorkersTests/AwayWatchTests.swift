import BackgroundOperations
import DeviceOperations
import GuardRules
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

/// A working day in minutes from its beginning, at a site with a radius of 200 m.
@Suite("The watch over employees away from all sites") struct AwayWatchTests {
  // R: G7
  @Test("notifies once a time away, ends it with a position inside, and finds the next one")
  func once() async throws {
    try await WatchWorld.run { world in
      try await world.asksForAway()
      try await world.clockIn()
      for minute in Int64(1)...4 { try await world.ping(at: minute, meters: 0) }
      #expect(try await world.look(at: 4) == "")
      for minute in Int64(5)...14 { try await world.ping(at: minute, meters: 900) }
      // Nine minutes are not enough.
      #expect(try await world.look(at: 14) == "")
      #expect(try await world.outbox().isEmpty)
      try await world.ping(at: 15, meters: 900)
      #expect(try await world.look(at: 15) == "5–")
      #expect(try await world.outbox() == ["1 away 1.1"])
      try await world.ping(at: 20, meters: 900)
      #expect(try await world.look(at: 20) == "5–")
      #expect(try await world.outbox() == ["1 away 1.1"])
      try await world.ping(at: 25, meters: 100)
      #expect(try await world.look(at: 25) == "5–25")
      for minute in Int64(30)...40 { try await world.ping(at: minute, meters: 900) }
      #expect(try await world.look(at: 40) == "5–25 30–")
      #expect(try await world.outbox() == ["1 away 1.1", "1 away 1.2"])
      // It is no incident, and the shift goes on.
      #expect(try await world.incidents().isEmpty)
      #expect(try await world.count("SELECT count(*) FROM shift WHERE ended_at IS NULL") == 1)
    }
  }

  // R: G7
  @Test("is shared by several instances, and goes on after a restart")
  func several() async throws {
    try await WatchWorld.run(Int32(12)) { world in
      try await world.asksForAway()
      try await world.clockIn()
      for phone in world.phones.indices {
        for minute in Int64(1)...11 { try await world.ping(at: minute, meters: 900, from: phone) }
      }
      try await world.heard(at: 11)
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { _ = await world.worker("away").poll() } }
      }
      let expected = (1...12).map { "\($0) away 1.1" }.sorted()
      #expect(try await world.outbox() == expected)
      #expect(try await world.count("SELECT count(*) FROM away_span") == 12)
      for minute in Int64(12)...14 { try await world.ping(at: minute, meters: 900) }
      #expect(try await world.look(at: 14) == "1–")
      #expect(try await world.outbox() == expected)
    }
  }

  @Test("looks at a shift at most once a minute, and only if something came meanwhile")
  func looks() async throws {
    try await WatchWorld.run { world in
      try await world.asksForAway()
      try await world.clockIn()
      func looked() async throws -> Int64 {
        try await world.count(
          "SELECT extract(epoch FROM looked_at - \(morning))::bigint FROM sites_in_force")
      }
      try await world.ping(at: 1, meters: 900)
      _ = try await world.look(at: 1)
      #expect(try await looked() == 60)
      // Half a minute later it is too early.
      world.move(to: .seconds(90))
      try await world.ping(0)
      try await world.beat()
      #expect(await world.worker("away").poll())
      #expect(try await looked() == 60)
      _ = try await world.look(at: 2)
      #expect(try await looked() == 120)
      // Nothing came since.
      world.move(to: .minutes(30))
      try await world.beat()
      #expect(await world.worker("away").poll())
      #expect(try await looked() == 120)
    }
  }

  // R: G7
  @Test("finds nothing where the policy asks for none, and nothing without sites")
  func off() async throws {
    for (spans, hasSite) in [(false, true), (true, false)] {
      try await WatchWorld.run { world in
        if spans {
          try await world.asksForAway(hasSite: hasSite)
        } else {
          try await world.addDepot()
        }
        try await world.clockIn()
        for minute in Int64(1)...30 { try await world.ping(at: minute, meters: 900) }
        #expect(try await world.look(at: 30) == "")
        #expect(try await world.outbox().isEmpty)
        #expect(try await world.count("SELECT count(*) FROM sites_in_force") == 0)
      }
    }
  }

  // R: G7
  @Test("goes by the sites and the policy of the clock-in, whatever they become")
  func changed() async throws {
    try await WatchWorld.run { world in
      try await world.asksForAway()
      try await world.clockIn()
      let people = world.operations.people
      try await people.removeSite(1, from: world.team, by: .arranger)
      _ = try await people.addSite(
        name: "Yard", center: world.place(900), radiusMeters: 200, to: world.team,
        by: .arranger)
      _ = try await world.operations.policies.setPolicy(
        of: world.team, PolicyChanges(spans: [.awayAfter: .zero]))
      for minute in Int64(1)...11 { try await world.ping(at: minute, meters: 900) }
      #expect(try await world.look(at: 11) == "1–")
      #expect(try await world.outbox() == ["1 away 1.1"])
    }
  }

  // R: G7
  @Test("a break ends a time away, and what comes late moves its ends without a second message")
  func late() async throws {
    try await WatchWorld.run { world in
      try await world.asksForAway()
      try await world.clockIn()
      for minute in Int64(5)...15 { try await world.ping(at: minute, meters: 900) }
      #expect(try await world.look(at: 15) == "5–")
      // A queue of the phone arrives.
      world.move(to: .minutes(17))
      for minute in [Int64(2), 3] { try await world.ping(at: minute, meters: 900, sentAt: 17) }
      #expect(try await world.look(at: 17) == "2–")
      #expect(try await world.outbox() == ["1 away 1.1"])
      // A break since minute 10 seals the positions from then on: eight minutes are too short.
      world.move(to: .minutes(19))
      let phone = world.phones[0]
      _ = try await phone.startBreak("pause") {
        ($0.occurredAt, $0.sentAt) = (morning + .minutes(10), world.now)
      }
      #expect(try await world.look(at: 20) == "")
      world.move(to: .minutes(30))
      _ = try await phone.endBreak("on")
      for minute in Int64(31)...41 { try await world.ping(at: minute, meters: 900) }
      #expect(try await world.look(at: 41) == "31–")
      #expect(try await world.outbox() == ["1 away 1.1", "1 away 1.2"])
    }
  }

  // R: G7
  @Test("what the end of the shift cuts is found again from all positions, and notifies nobody")
  func ended() async throws {
    try await WatchWorld.run { world in
      try await world.asksForAway()
      try await world.clockIn()
      for minute in Int64(5)...13 { try await world.ping(at: minute, meters: 900) }
      #expect(try await world.look(at: 13) == "")
      for minute in Int64(14)...16 { try await world.ping(at: minute, meters: 900) }
      world.move(to: .minutes(20))
      try await world.phones[0].clockOut()
      _ = try await world.operations.background.rollUpPings()
      #expect(try await world.shown() == "5–20")
      #expect(try await world.outbox().isEmpty)
      // A correction cuts what is shown at once.
      try await world.write([
        "UPDATE shift SET ended_at = \(morning + .minutes(18)) WHERE shift_no = 1"
      ])
      #expect(try await world.shown() == "5–18")
    }
  }

  // R: G7
  @Test("shows it on the board as nobody's problem, and in the story beside the coverage")
  func seen() async throws {
    try await WatchWorld.run { world in
      try await world.asksForAway()
      try await world.clockIn()
      for minute in Int64(5)...15 { try await world.ping(at: minute, meters: 900) }
      let before = try await world.board()
      #expect(before.record.awaySince == nil)
      #expect(try await world.look(at: 15) == "5–")
      let line = try await world.board()
      #expect(line.record.awaySince == morning + .minutes(5))
      #expect(line.state == before.state && !line.needsAttention)
      let details = try await world.details()
      let away = details.story(visits: []).filter { $0.content == .away }
      #expect(away == [StoryEntry(.away, at: morning + .minutes(5))])
      let reasons = details.coverage.segments.map(\.reason)
      #expect(reasons == [.waitingFirstFix, .noFix, .tracked])
      // Within a break nobody is away.
      _ = try await world.phones[0].startBreak("pause")
      #expect(try await world.board().record.awaySince == nil)
    }
  }
}

extension WatchWorld {
  fileprivate func place(_ metersNorth: Double) -> Coordinate {
    guard
      let place = Coordinate(latitude: 45.3 + metersNorth / 111_195, longitude: 13.7)
    else { preconditionFailure("no such place") }
    return place
  }

  fileprivate func addDepot() async throws {
    _ = try await operations.people.addSite(
      name: "Depot", center: place(0), radiusMeters: 200, to: team, by: .arranger)
  }

  /// After ten minutes.
  fileprivate func asksForAway(hasSite: Bool = true) async throws {
    if hasSite { try await addDepot() }
    _ = try await operations.policies.setPolicy(
      of: team, PolicyChanges(spans: [.awayAfter: .minutes(10)]))
  }

  /// A position so far north of the depot, by default sent when it was taken.
  fileprivate func ping(
    at minute: Int64, meters: Double, sentAt: Int64? = nil, from phone: Int = 0
  ) async throws {
    move(to: .minutes(sentAt ?? minute))
    let ping = IncomingPing(
      recordedAt: morning + .minutes(minute),
      fix: Fix(coordinate: place(meters), accuracyMeters: 10))
    let results = try await phones[phone].ping([ping], sentAt: now)
    #expect(results.count == 1)
  }

  fileprivate func heard(at minute: Int64) async throws {
    move(to: .minutes(minute))
    try await beat()
  }

  /// What two runs of the watch find at that minute.
  fileprivate func look(at minute: Int64) async throws -> String {
    try await heard(at: minute)
    for _ in 0..<2 { #expect(await worker("away").poll()) }
    return try await shown()
  }

  fileprivate func details() async throws -> ShiftDetails {
    try await operations.insight.shiftDetails(of: ShiftID(employee: EmployeeID(1), number: 1))
  }

  /// `5–25 30–`: from and to in minutes.
  fileprivate func shown() async throws -> String {
    try await details().history.away.map { span in
      let (start, end) = (span.start - morning, span.end.map { $0 - morning })
      return "\(start.seconds / 60)–\(end.map { "\($0.seconds / 60)" } ?? "")"
    }.joined(separator: " ")
  }

  fileprivate func board() async throws -> BoardLine {
    let lines = try await operations.insight.board(for: .arranger).lines
    return try #require(lines.first)
  }
}

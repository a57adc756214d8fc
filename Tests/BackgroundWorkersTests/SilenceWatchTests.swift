import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import ShiftStore
import ShiftTestKit
import TestKit
import Testing

@testable import BackgroundWorkers

/// The standard policy allows three minutes of silence. Every shift begins at second 0.
@Suite("The silence watch") struct SilenceWatchTests {
  // R: W8
  @Test("detects a phone without contact, once and to the millisecond, and its return")
  func noContact() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      try await world.live(to: .seconds(60))
      let heard = (world.now - morning).milliseconds
      try await world.ping()
      let watch = world.silenceWatch()
      try await world.live(to: .milliseconds(heard + 180_000 - 1))
      #expect(await watch.poll())
      #expect(try await world.incidents().isEmpty)
      for _ in 0..<2 {
        try await world.live(to: .milliseconds(heard + 180_000))
        #expect(await watch.poll())
        #expect(try await world.incidents() == ["1 no_contact inferred 241..."])
        #expect(try await world.outbox() == ["1 incident 1.1"])
      }
      try await world.live(to: .seconds(600))
      #expect(await watch.poll())
      try await world.ping()
      // Not in the database yet, so the watch does not see it.
      #expect(await watch.poll())
      #expect(try await world.incidents() == ["1 no_contact inferred 241..."])
      try await world.beat()
      for _ in 0..<2 {
        #expect(await watch.poll())
        #expect(try await world.incidents() == ["1 no_contact inferred 241...601 resumed"])
      }
      #expect(try await world.outbox() == ["1 incident 1.1", "1 restored 1.1"])
    }
  }

  // R: W8
  @Test("records a silence that was over before it was looked for, and is not late for it")
  func foundAfterwards() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      try await world.live(to: .seconds(60))
      try await world.ping()
      try await world.beat()
      try await world.live(to: .seconds(400))
      try await world.ping()
      try await world.live(to: .seconds(402))
      let polls = RecordedPolls()
      #expect(await world.silenceWatch(polls).poll())
      let incidents = try await world.incidents()
      #expect(incidents == ["1 no_contact inferred 241...401 resumed"], "\(incidents)")
      #expect(polls.lags("silence").count == 0)
    }
  }

  // R: W8
  @Test("detects a phone that is in contact without fixes, but not one that is at rest")
  func noFix() async throws {
    try await WatchWorld.run(2) { world in
      try await world.clockIn()
      // At rest where it was located once.
      try await world.ping(1)
      let watch = world.silenceWatch()
      for minute in Int64(1)...5 {
        try await world.live(to: .minutes(minute))
        try await world.ping(0, hasFix: false)
        try await world.ping(1, hasFix: false, isStationary: true)
        try await world.beat()
        #expect(await watch.poll())
        #expect(
          try await world.incidents() == (minute < 4 ? [] : ["1 no_fix inferred 180..."]),
          "minute \(minute)")
      }
      try await world.ping()
      try await world.beat()
      #expect(await watch.poll())
      #expect(try await world.incidents() == ["1 no_fix inferred 180...301 resumed"])
    }
  }

  // R: W8
  @Test("expects a fix of a phone that returns without one, counted from its return")
  func backWithoutPosition() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      try await world.live(to: .seconds(200))
      #expect(await watch.poll())
      var closed = ["1 no_contact inferred 180...401 resumed"]
      for second in stride(from: Int64(400), to: 720, by: 60) {
        try await world.live(to: .seconds(second))
        try await world.ping(hasFix: false)
        try await world.beat()
        #expect(await watch.poll())
        if second == 640 { closed.append("1 no_fix inferred 581...") }
        #expect(try await world.incidents() == closed, "second \(second)")
      }
    }
  }

  // R: W8
  @Test("gives fixes time to arrive after an offline clock-in", arguments: [false, true])
  func offline(comes: Bool) async throws {
    try await WatchWorld.run { world in
      try await world.live(to: .hours(2))
      let arrival = (world.now - morning).seconds
      try await world.clockIn(at: morning)
      let watch = world.silenceWatch()
      for second in stride(from: arrival, through: arrival + 300, by: 20) {
        try await world.live(to: .seconds(second))
        #expect(await watch.poll())
        try await world.ping(hasFix: comes && second > arrival)
        try await world.beat()
        let isDue = !comes && second >= arrival + 185
        #expect(
          try await world.incidents() == (isDue ? ["1 no_fix inferred \(arrival + 180)..."] : []),
          "second \(second)")
      }
    }
  }

  // R: W8, A11
  @Test(
    "expects no fix while a phone has no permission, nor before it had time for one again",
    arguments: [Authorization.always, .whenInUse])
  func denied(restored: Authorization) async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      try await world.live(to: .seconds(60))
      try await world.report(.denied)
      for second in stride(from: Int64(100), to: 700, by: 100) {
        try await world.live(to: .seconds(second))
        if second == 400 { try await world.report(restored) }
        try await world.ping(hasFix: false)
        try await world.beat()
        #expect(await watch.poll())
      }
      #expect(
        try await world.incidents()
          == (restored == .always
            ? ["1 denied reported 61...401 restored", "1 no_fix inferred 581..."]
            : [
              "1 denied reported 61...401 changed", "1 when_in_use reported 401...",
              "1 no_fix inferred 581...",
            ]))
    }
  }

  // R: W5, W8
  @Test("respects breaks: a break ends an incident, and silence counts from the end of the break")
  func onBreak() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      try await world.live(to: .seconds(200))
      #expect(await watch.poll())
      try await world.phones[0].startBreak("rest")
      try await world.live(to: .seconds(1_000))
      #expect(await watch.poll())
      try await world.phones[0].endBreak("back")
      try await world.live(to: .milliseconds(1_180_999))
      #expect(await watch.poll())
      let rested = "1 no_contact inferred 180...201 break_started"
      #expect(try await world.incidents() == [rested])
      try await world.live(to: .seconds(1_181))
      #expect(await watch.poll())
      #expect(try await world.incidents() == [rested, "1 no_contact inferred 1181..."])
    }
  }

  // R: W7, W8
  @Test("watches the phone that took over, from then on, and no other")
  func takenOver() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      try await world.live(to: .seconds(100))
      _ = try await takeOver(world)
      for second in [Int64(150), 200, 250] {
        try await world.live(to: .seconds(second))
        try await world.ping()
      }
      try await world.live(to: .milliseconds(280_999))
      #expect(await watch.poll())
      #expect(try await world.incidents().isEmpty)
      try await world.live(to: .seconds(281))
      #expect(await watch.poll())
      #expect(try await world.incidents() == ["1 no_contact inferred 281..."])
    }
  }

  // R: W7, W8
  @Test("explains a silence with the maximum fix age of the phone that took over")
  func explained() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      try await world.live(to: .seconds(100))
      let other = try await takeOver(world)
      try await world.write("UPDATE take_over SET fix_age_max_ms = 600000")
      try await world.live(to: .seconds(701))
      #expect(await watch.poll())
      #expect(try await world.incidents() == ["1 no_contact inferred 701..."])
      let denied = IncomingReport(
        .state(PermissionState(authorization: .denied)), recordedAt: morning + .seconds(200))
      _ = try await world.operations.device.report(
        denied, sentAt: world.now, from: other.credential, receipt: world.receipt)
      let silences = try await world.operations.insight.incidents(
        of: nil, openOnly: false, limit: 10
      )
      .filter { $0.kind == .noContact }
      #expect(silences.map(\.explainedBy) == [.denied])
    }
  }

  /// Another phone of employee 1 takes over now.
  private func takeOver(_ world: WatchWorld) async throws -> TestPhone {
    let other = try await TestPhone.enrolled(
      in: world, employee: 1, NewDevice(platform: .ios))
    try await other.takeOver("mine")
    return other
  }

  // R: W8
  @Test("is shared by several instances, and no employee is notified twice")
  func several() async throws {
    // More than a page, so that the next page is read.
    let count = Int32(WatchWorld.pageSize + 7)
    try await WatchWorld.run(count) { world in
      try await world.clockIn()
      try await world.live(to: .seconds(180))
      let allPolls = (0..<3).map { _ in RecordedPolls() }
      await withTaskGroup { group in
        for polls in allPolls { group.addTask { _ = await world.silenceWatch(polls).poll() } }
      }
      #expect(try await world.incidents().count == Int(count))
      #expect(try await world.outbox().count == Int(count))
      #expect(allPolls.map { $0.lags("silence").count }.reduce(0, +) == UInt64(count))
      // None within a second.
      #expect(allPolls.allSatisfy { $0.lags("silence").buckets.prefix(4) == [0, 0, 0, 0] })
    }
  }

  // R: W8
  @Test("continues with many other employees when the work for one fails")
  func oneFails() async throws {
    try await WatchWorld.run(5) { world in
      try await world.clockIn()
      try await world.live(to: .seconds(180))
      // A notification with that key exists already: the work can never succeed.
      try await world.write(
        """
        INSERT INTO notification (employee_id, topic, subject, ordinal, urgent, due_at)
        VALUES (2, \(NotificationTopic.incident.column), 1, 1, false, now())
        """)
      let polls = RecordedPolls()
      #expect(await world.silenceWatch(polls).poll())
      #expect(polls.lags("silence").count == 4)
      #expect(polls.failures == ["conflict: notification_pk"])
      #expect(
        try await world.incidents().sorted()
          == [1, 3, 4, 5].map { "\($0) no_contact inferred 180..." })
    }
  }

  // R: W8
  @Test("waits for every live instance, which may still have contacts in memory")
  func memory() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      let watch = world.silenceWatch()
      for second in stride(from: Int64(0), through: 180, by: 5) {
        world.move(to: .seconds(second))
        for instance in Int64(1)...2 { try await world.beat(as: instance) }
      }
      world.move(to: .seconds(181))
      try await world.beat(as: 2)
      #expect(await watch.poll())
      #expect(try await world.incidents().isEmpty)
      // The other instance died.
      world.move(to: .seconds(182))
      try await world.beat(as: 2)
      #expect(await watch.poll())
      #expect(try await world.incidents() == ["1 no_contact inferred 180..."])
    }
  }

  // R: W8
  @Test("decides by heartbeats, not by the time")
  func margin() async throws {
    try await WatchWorld.run { world in
      try await world.clockIn()
      try await world.beat()
      world.move(to: .hours(1))
      #expect(await world.silenceWatch().poll())
      #expect(try await world.incidents().isEmpty)
      // By the database's own clock, which is years ahead of the test's.
      let watching = TestOperations(pool: world.pool, now: { morning })
      #expect(try await watching.background.silent(limit: 10).isEmpty)
      #expect(try await watching.background.processSilence(of: [EmployeeID(1)]).isEmpty)
    }
  }
}

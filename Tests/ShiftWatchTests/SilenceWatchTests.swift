import GuardRules
import Postgres
import ShiftDomain
import ShiftOperations
import ShiftStore
import TestKit
import Testing

@testable import ShiftWatch

/// Under the usual policy a phone may be silent for three minutes. Every shift begins at second 0.
@Suite("The watch over silence") struct SilenceWatchTests {
  // R: W8
  @Test("notices a phone that says nothing, to the millisecond and once, and its return")
  func noContact() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      try await crew.live(to: .seconds(60))
      let heard = (crew.now - morning).milliseconds
      try await crew.ping()
      let watch = crew.silenceWatch()
      try await crew.live(to: .milliseconds(heard + 180_000 - 1))
      #expect(await watch.look())
      #expect(try await crew.incidents().isEmpty)
      for _ in 0..<2 {
        try await crew.live(to: .milliseconds(heard + 180_000))
        #expect(await watch.look())
        #expect(try await crew.incidents() == ["1 no_contact inferred 241..."])
        #expect(try await crew.outbox() == ["1 incident 1.1"])
      }
      try await crew.live(to: .seconds(600))
      #expect(await watch.look())
      try await crew.ping()
      // Not written down yet: nothing is known of it.
      #expect(await watch.look())
      #expect(try await crew.incidents() == ["1 no_contact inferred 241..."])
      try await crew.beat()
      for _ in 0..<2 {
        #expect(await watch.look())
        #expect(try await crew.incidents() == ["1 no_contact inferred 241...601 restored"])
      }
      #expect(try await crew.outbox() == ["1 incident 1.1", "1 restored 1.1"])
    }
  }

  // R: W8
  @Test("notices a phone that speaks but has no position, and not one that is at rest")
  func noFix() async throws {
    try await Crew.run(2) { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      for minute in Int64(1)...5 {
        try await crew.live(to: .minutes(minute))
        try await crew.ping(0, hasFix: false)
        try await crew.ping(1, hasFix: false, isStationary: true)
        try await crew.beat()
        #expect(await watch.look())
        #expect(
          try await crew.incidents() == (minute < 3 ? [] : ["1 no_fix inferred 180..."]),
          "minute \(minute)")
      }
      try await crew.ping()
      try await crew.beat()
      #expect(await watch.look())
      #expect(try await crew.incidents() == ["1 no_fix inferred 180...301 restored"])
    }
  }

  // R: W8
  @Test("misses the position of a phone that is back without one, from when it is back")
  func backWithoutPosition() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      try await crew.live(to: .seconds(200))
      #expect(await watch.look())
      var closed = ["1 no_contact inferred 180...401 restored"]
      for second in stride(from: Int64(400), to: 600, by: 60) {
        try await crew.live(to: .seconds(second))
        try await crew.ping(hasFix: false)
        try await crew.beat()
        #expect(await watch.look())
        if second == 460 { closed.append("1 no_fix inferred 401...") }
        #expect(try await crew.incidents() == closed, "second \(second)")
      }
    }
  }

  // R: W8
  @Test(
    "gives the positions time that come behind a clock-in made offline", arguments: [false, true])
  func offline(comes: Bool) async throws {
    try await Crew.run { crew in
      try await crew.live(to: .hours(2))
      let arrival = (crew.now - morning).seconds
      try await crew.clockIn(at: morning)
      let watch = crew.silenceWatch()
      for second in stride(from: arrival, through: arrival + 300, by: 20) {
        try await crew.live(to: .seconds(second))
        #expect(await watch.look())
        try await crew.ping(hasFix: comes && second > arrival)
        try await crew.beat()
        let isDue = !comes && second >= arrival + 180
        #expect(
          try await crew.incidents() == (isDue ? ["1 no_fix inferred \(arrival + 180)..."] : []),
          "second \(second)")
      }
    }
  }

  // R: W8, A11
  @Test(
    "misses no position while a phone has no permission, nor before it had time for one again",
    arguments: [Authorization.always, .whenInUse])
  func denied(restored: Authorization) async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      try await crew.live(to: .seconds(60))
      try await crew.report(.denied)
      for second in stride(from: Int64(100), to: 700, by: 100) {
        try await crew.live(to: .seconds(second))
        if second == 400 { try await crew.report(restored) }
        try await crew.ping(hasFix: false)
        try await crew.beat()
        #expect(await watch.look())
      }
      #expect(
        try await crew.incidents() == [
          restored == .always
            ? "1 denied reported 61...401 restored" : "1 when_in_use reported 61...",
          "1 no_fix inferred 581...",
        ])
    }
  }

  // R: W5, W8
  @Test("lets people rest: a break ends it, and silence counts from its end")
  func onBreak() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      try await crew.live(to: .seconds(200))
      #expect(await watch.look())
      let tap = Tap(attemptID: "rest", bodyHash: Array(repeating: 1, count: 32))
      _ = try await crew.operations.startBreak(
        tap, from: crew.phones[0], receipt: Receipt(at: crew.now, monotonic: .now))
      try await crew.live(to: .seconds(1_000))
      #expect(await watch.look())
      let back = Tap(attemptID: "back", bodyHash: Array(repeating: 1, count: 32))
      _ = try await crew.operations.endBreak(
        back, from: crew.phones[0], receipt: Receipt(at: crew.now, monotonic: .now))
      try await crew.live(to: .milliseconds(1_180_999))
      #expect(await watch.look())
      let rested = "1 no_contact inferred 180...201 break_started"
      #expect(try await crew.incidents() == [rested])
      try await crew.live(to: .seconds(1_181))
      #expect(await watch.look())
      #expect(try await crew.incidents() == [rested, "1 no_contact inferred 1181..."])
    }
  }

  // R: W7, W8
  @Test("listens to the phone that took over, from then on, and to no other")
  func takenOver() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      try await crew.live(to: .seconds(100))
      _ = try await takeOver(crew)
      for second in [Int64(150), 200, 250] {
        try await crew.live(to: .seconds(second))
        try await crew.ping()
      }
      try await crew.live(to: .milliseconds(280_999))
      #expect(await watch.look())
      #expect(try await crew.incidents().isEmpty)
      try await crew.live(to: .seconds(281))
      #expect(await watch.look())
      #expect(try await crew.incidents() == ["1 no_contact inferred 281..."])
    }
  }

  // R: W7, W8
  @Test("explains a silence by the maximum age of a fix on the phone that took over")
  func explained() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      try await crew.live(to: .seconds(100))
      let other = try await takeOver(crew)
      try await crew.pool.transaction { (session) throws(PostgresError) in
        try session.execute("UPDATE take_over SET fix_age_max_ms = 600000")
      }
      try await crew.live(to: .seconds(701))
      #expect(await watch.look())
      #expect(try await crew.incidents() == ["1 no_contact inferred 701..."])
      let denied = IncomingReport(
        state: PermissionState(authorization: .denied), recordedAt: morning + .seconds(200))
      _ = try await crew.operations.report(
        denied, sentAt: crew.now, from: other, receipt: Receipt(at: crew.now, monotonic: .now))
      let silences = try await crew.operations.incidents(of: nil, openOnly: false, limit: 10)
        .filter { $0.kind == .noContact }
      #expect(silences.map(\.explainedBy) == [.denied])
    }
  }

  /// Another phone of employee 1 takes over now.
  private func takeOver(_ crew: Crew) async throws -> DeviceCredential {
    let receipt = Receipt(at: crew.now, monotonic: .now)
    let code = try await crew.operations.createEnrolmentCode(
      for: EmployeeID(1), validFor: .hours(1))
    let enrolment = try await crew.operations.enrol(
      code: code.code, NewDevice(platform: .ios), receipt: receipt)
    let other = try #require(DeviceCredential(token: enrolment.token))
    let tap = Tap(attemptID: "mine", bodyHash: Array(repeating: 1, count: 32))
    _ = try await crew.operations.takeOver(tap, from: other, receipt: receipt)
    return other
  }

  // R: W8
  @Test("is shared by several instances, and nobody is told twice")
  func several() async throws {
    // More than a page, so that the next one is asked for.
    let count = Int32(Crew.pageSize + 7)
    try await Crew.run(count) { crew in
      try await crew.clockIn()
      try await crew.live(to: .seconds(180))
      let diaries = (0..<3).map { _ in Diary() }
      await withTaskGroup { group in
        for diary in diaries { group.addTask { _ = await crew.silenceWatch(diary).look() } }
      }
      #expect(try await crew.incidents().count == Int(count))
      #expect(try await crew.outbox().count == Int(count))
      #expect(diaries.map(\.lags.count).reduce(0, +) == Int(count))
      #expect(diaries.flatMap(\.lags).allSatisfy { $0 >= .seconds(1) })
    }
  }

  // R: W8
  @Test("goes on with the others of a crowd when one employee's work fails")
  func oneFails() async throws {
    try await Crew.run(5) { crew in
      try await crew.clockIn()
      try await crew.live(to: .seconds(180))
      // A message of that key is there already: an impossible state, for ever.
      try await crew.pool.transaction { (session) throws(PostgresError) in
        try session.execute(
          """
          INSERT INTO notification (employee_id, topic, subject, ordinal, slot, urgent, due_at)
          VALUES (2, \(NoticeTopic.incident.column), 1, 1, 0, false, now())
          """)
      }
      let diary = Diary()
      #expect(await crew.silenceWatch(diary).look())
      #expect(diary.lags.count == 4)
      #expect(diary.failures == [#"conflict("notification_pk")"#])
      #expect(
        try await crew.incidents().sorted()
          == [1, 3, 4, 5].map { "\($0) no_contact inferred 180..." })
    }
  }

  // R: W8
  @Test("does not know what an instance has in memory yet, and waits for each that lives")
  func memory() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      let watch = crew.silenceWatch()
      for second in stride(from: Int64(0), through: 180, by: 5) {
        crew.move(to: .seconds(second))
        for instance in Int64(1)...2 { try await crew.beat(as: instance) }
      }
      crew.move(to: .seconds(181))
      try await crew.beat(as: 2)
      #expect(await watch.look())
      #expect(try await crew.incidents().isEmpty)
      // The other one died.
      crew.move(to: .seconds(182))
      try await crew.beat(as: 2)
      #expect(await watch.look())
      #expect(try await crew.incidents() == ["1 no_contact inferred 180..."])
    }
  }

  // R: W8
  @Test("judges by heartbeats, not by the time")
  func margin() async throws {
    try await Crew.run { crew in
      try await crew.clockIn()
      try await crew.beat()
      crew.move(to: .hours(1))
      #expect(await crew.silenceWatch().look())
      #expect(try await crew.incidents().isEmpty)
      // By the database's own clock, which is past the test's by years.
      let watching = Operations(pool: crew.pool, now: { morning })
      #expect(try await watching.silent(limit: 10).isEmpty)
      #expect(try await watching.passSilence(of: [EmployeeID(1)]).isEmpty)
    }
  }
}

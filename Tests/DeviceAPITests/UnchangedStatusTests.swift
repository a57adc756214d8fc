import DeviceOperations
import HTTPServing
import JSONText
import Lifecycle
import ManagerCore
import PeopleOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

@Suite("A status asked for again") struct UnchangedStatusTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)

  @Test("is 304 without a body, after one round trip, for as long as nothing changes")
  func unchanged() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      let first = try await phone.me()
      let tag = try #require(first.headers["ETag"])
      for _ in 0..<3 {
        world.clock.move(by: .minutes(1))
        let (again, roundTrips) = try await phone.counted(knowing: tag)
        #expect(again.status == 304 && again.text.isEmpty && roundTrips == 1)
        #expect(again.headers["ETag"] == tag && again.headers["Vary"] == "Accept-Language")
      }
      // The report is stale by now: time alone has changed the decision.
      world.clock.move(by: .minutes(3))
      let stale = try await phone.me(knowing: tag)
      #expect(stale.status == 200 && stale["decision", "verdict"] == "block")
      let newer = try #require(stale.headers["ETag"])
      #expect(try await phone.counted(knowing: "\"x\", \(newer)").roundTrips == 1)
      // It stays stale: after a while the status is read in full, and found to be the same.
      world.clock.move(by: .minutes(11))
      let (same, roundTrips) = try await phone.counted(knowing: newer)
      #expect(same.status == 304 && roundTrips > 1)
      let renewed = try #require(same.headers["ETag"])
      #expect(renewed != newer)
      #expect(try await phone.counted(knowing: renewed).roundTrips == 1)
    }
  }

  @Test("is shown again after every kind of change")
  func changes() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      let manager = world.operations.manager
      let (id, boss) = (EmployeeID(7), Self.boss)
      let changes: [(String, () async throws -> Void)] = [
        (
          "override",
          { _ = try await manager.reviews.giveOverride(to: id, .all, reason: "x", by: boss.actor) }
        ),
        ("report", { try await phone.report("when_in_use") }),
        (
          "acknowledgement",
          {
            _ = try await phone.post(
              "/v1/acknowledgements", #"{"appSession":"s","findings":["when_in_use"]}"#)
          }
        ),
        ("app", { try await phone.report("when_in_use", app: "Field Work 2") }),
        ("clock-in", { try await phone.clockIn() }),
        ("position", { try await phone.ping() }),
        ("break", { _ = try await phone.breaks("start") }),
        ("end of the break", { _ = try await phone.breaks("end") }),
        ("clock-out", { try await phone.clockOut() }),
      ]
      var tag = try #require(try await phone.me().headers["ETag"])
      for (name, change) in changes {
        world.clock.move(by: .seconds(1))
        try await change()
        let answer = try await phone.me(knowing: tag)
        #expect(answer.status == 200, "\(name)")
        tag = try #require(answer.headers["ETag"])
        // What it shows is what it would show to a device that knows nothing.
        #expect(try await phone.me().text == answer.text, "\(name)")
        #expect(try await phone.me(knowing: tag).status == 304, "\(name)")
      }
    }
  }

  @Test("is shown in another language, session or after 4 s in which a position may be missing")
  func others() async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.phone().asking(for: "en")
      try await phone.report("always")
      _ = try await phone.post("/v1/acknowledgements", #"{"appSession":"s"}"#)
      let tag = try #require(try await phone.me().headers["ETag"])
      #expect(try await phone.asking(for: "de").me(knowing: tag).status == 200)
      let other = try await world.send(
        .get, "/v1/me?appSession=t", token: phone.token,
        headers: ["Accept-Language": "en", "If-None-Match": tag])
      #expect(other.status == 200)
      try await phone.clockIn()
      try await phone.ping()
      let tracked = try await phone.me()
      #expect(tracked["trackingState", "state"] == "tracked")
      let last = try #require(tracked.headers["ETag"])
      world.clock.move(by: .seconds(3))
      #expect(try await phone.counted(knowing: last).roundTrips == 1)
      world.clock.move(by: .minutes(4))
      let silent = try await phone.me(knowing: last)
      #expect(silent.status == 200 && silent["trackingState", "state"] == "not_tracked")
    }
  }

  @Test("is shown once a denial is no longer known that was reported before an unknown permission")
  func forgotten() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("denied")
      world.clock.move(by: .minutes(4))
      try await phone.report("unknown")
      let known = try await phone.me()
      #expect(known["decision", "findings", 0, "code"] == "denied")
      let tag = try #require(known.headers["ETag"])
      world.clock.move(by: .seconds(59))
      #expect(try await phone.me(knowing: tag).status == 304)
      world.clock.move(by: .seconds(2))
      let now = try await phone.me(knowing: tag)
      #expect(now["decision", "findings", 0, "code"] == "unreadable")
    }
  }

  @Test("shares its round trip with others, and each phone gets its own answer")
  func together() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      let other = try await world.phone()
      try await other.report("denied")
      let old = try #require(try await other.me().headers["ETag"])
      try await other.report("when_in_use")
      let tag = try #require(try await phone.me().headers["ETag"])
      let (statuses, roundTrips) = try await phone.crowd(of: 40, knowing: tag)
      #expect(statuses == Array(repeating: 304, count: 40))
      #expect(roundTrips < 30)
      async let same = phone.me(knowing: tag)
      async let changed = other.me(knowing: old)
      #expect(try await [same.status, changed.status] == [304, 200])
    }
  }

  @Test("costs no more round trips than before when it is not known")
  func unknown() async throws {
    try await DeviceWorld.withPhone { world, phone in
      try await phone.report("always")
      let before = world.pool.roundTrips
      _ = try await world.operations.device.snapshot(
        for: #require(DeviceCredential(token: phone.token)), in: "s")
      let needed = world.pool.roundTrips - before
      #expect(try await phone.counted(knowing: nil).roundTrips == needed)
      for bad in ["*", "W/\"\"", "\"a-b-c\"", "\"a-9223372036854775807-c\"", "\"--\""] {
        #expect(try await phone.me(knowing: bad).status == 200, "\(bad)")
      }
    }
  }

  // R: W25
  @Test("is another one for the next employee with the number, of the same name and phone")
  func reusedNumber() async throws {
    try await DeviceWorld.run { world in
      let former = try await world.phone()
      try await former.report("always")
      let tag = try #require(try await former.me().headers["ETag"])
      #expect(try await former.me(knowing: tag).status == 304)
      try await world.replaceEmployee(by: "Anna")
      let present = try await world.phone()
      try await present.report("denied")
      let answer = try await present.me(knowing: tag)
      #expect(answer.status == 200 && answer["decision", "verdict"] == "block")
    }
  }

  // R: W11
  @Test("is nothing for a revoked phone, or a token with another secret")
  func revoked() async throws {
    try await DeviceWorld.run { world in
      let (phone, other) = (try await world.phone(), try await world.phone())
      try await phone.report("always")
      let tag = try #require(try await phone.me().headers["ETag"])
      let mixed = "sg_7_1_" + other.token.split(separator: "_", maxSplits: 3)[3]
      let answer = try await world.send(
        .get, "/v1/me", token: mixed, headers: ["If-None-Match": tag])
      #expect(answer.status == 401)
      _ = try await world.operations.people.revoke(
        device: DeviceID(employee: EmployeeID(7), number: 1), by: Self.boss)
      #expect(try await phone.me(knowing: tag).status == 401)
    }
  }
}

extension Phone {
  fileprivate func me(knowing tag: String? = nil) async throws -> Answer {
    var phone = self
    phone.headers["If-None-Match"] = tag
    return try await phone.get("/v1/me?appSession=s")
  }

  fileprivate func breaks(_ kind: String) async throws -> Answer {
    try await post(
      "/v1/break-\(kind)", #"{"actionId":"\#(kind)","sentAt":"\#(world.time())"}"#)
  }

  fileprivate func counted(knowing tag: String?) async throws -> (answer: Answer, roundTrips: Int) {
    let before = world.pool.roundTrips
    let answer = try await me(knowing: tag)
    return (answer, world.pool.roundTrips - before)
  }

  /// The statuses of so many requests, the first of which waits until all others have come, and the
  /// round trips from then on.
  fileprivate func crowd(of count: Int, knowing tag: String) async throws -> ([Int], Int) {
    try await world.pool.holding { (session) throws(PostgresError) in
      try session.script("LOCK TABLE guard_state IN ACCESS EXCLUSIVE MODE")
    } during: { release in
      let come = Lock(0)
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count {
          group.addTask { @Sendable in
            come.withLock { $0 += 1 }
            return try await me(knowing: tag).status
          }
        }
        while come.withLock({ $0 }) < count { await Task.yield() }
        while try await world.count(sessionsWaitingForLocks) == 0 {}
        let before = world.pool.roundTrips
        release.signal()
        let statuses = try await group.reduce(into: []) { $0.append($1) }
        return (statuses, world.pool.roundTrips - before)
      }
    }
  }

  fileprivate func report(_ authorization: String, app: String) async throws {
    _ = try await post(
      "/v1/permission-reports", #"{"authorization":"\#(authorization)","app":"\#(app)"}"#)
  }
}

import DeviceAPI
import GuardRules
import InsightOperations
import InstallationOperations
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

private let employee = EmployeeID(7)
private let shift = ShiftID(employee: employee, number: 1)
private let mira = Principal(actor: AuditActor(name: "Mira"), role: .administrator)

/// An app whose messages an earlier version could not read.
private struct Upgrade {
  let app: AppPhone
  let page: Phone
  let begin: Instant

  var world: DeviceWorld { app.world }

  /// The app tracks the shift for half an hour from `begin` on, in which it is not heard.
  init(_ app: PhoneApp, in world: DeviceWorld) async throws {
    page = try await world.phone(platform: "web")
    _ = try await page.report("always")
    try #require(try await page.clockIn().status == 201)
    self.app = try await world.app(app)
    world.wait(.seconds(30))
    try #require(try await self.app.post(world.position(for: app)).status == 200)
    begin = world.now
    world.wait(.minutes(30))
  }

  func end() async throws {
    try #require(try await page.clockOut().status == 200)
    world.wait(.hours(24))
  }

  /// Quarantines bodies as of `begin` and `span`; `nil`: the contents were not kept.
  func plant(_ bodies: String?..., after span: TimeSpan = .minutes(20)) async throws {
    for body in bodies {
      let number = UInt8(
        try await world.count(
          "SELECT coalesce(max(get_byte(body_hash, 0)), 0)::bigint FROM quarantined_message"))
      try await world.write(
        """
        INSERT INTO quarantined_message (
          employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count, body)
        VALUES (7, 2, \(begin + span), \(Int16(app.app.rawValue)),
          \([UInt8](repeating: number + 1, count: 32)), 'unknown_kind', 1, \(body))
        """)
    }
  }

  func replay() async throws -> [Int] {
    let replay = try await world.operations.installation.replayQuarantine(of: nil, by: mira)
    return [
      replay.read, replay.unreadable, replay.waiting, replay.withoutContents, replay.stored,
    ]
  }

  func pings() async throws -> Int64 {
    try await world.count("SELECT count(latitude_e7) FROM ping WHERE device_no = 2")
  }

  func kept() async throws -> Int64 {
    try await world.count("SELECT count(*) FROM quarantined_message")
  }

  /// A digest of the present and of what people are told.
  func present() async throws -> String {
    var rows: [String] = []
    for table in [
      "notification", "notification_history", "device_contact", "clock_action",
      "shift", "detection", "restoration", "take_over", "device",
    ] {
      rows.append(
        try await world.pool.value(
          SQL(
            unescaped:
              "SELECT coalesce(md5(string_agg(t::text, ' ' ORDER BY t::text)), '') FROM \(table) t")
        ))
    }
    rows.append(
      try await world.pool.value(
        """
        SELECT md5(string_agg((to_jsonb(t) - 'version' - 'last_incident')::text, ' '))
        FROM guard_state t
        """))
    return rows.joined(separator: " ")
  }
}

/// Two messages with a position each that every version since can read: a whole body, and a piece
/// of one where an app sends lists.
private func readable(_ app: PhoneApp, at first: Instant, _ second: Instant) -> [String] {
  let (seconds, others) = (first.milliseconds / 1_000, second.milliseconds / 1_000)
  let place = #""lat":52.5201,"lon":13.4049"#
  switch app {
  case .ownTracks:
    return [seconds, others].map { #"{"_type":"location",\#(place),"tst":\#($0)}"# }
  case .overland:
    let features = [first, second].map {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"#
        + #""properties":{"timestamp":"\#($0.rfc3339)"}}"#
    }
    return [#"{"locations":[\#(features[0])]}"#, features[1]]
  case .traccar:
    return [
      "id=***&timestamp=\(seconds)&lat=52.5201&lon=13.4049",
      #"{"device_id":"***","timestamp":\#(others),\#(place)}"#,
    ]
  case .transistorsoft:
    let records = [first, second].map {
      #"{"timestamp":"\#($0.rfc3339)","coords":{"latitude":52.52,"longitude":13.4}}"#
    }
    return [#"{"location":[\#(records[0])],"device_id":"a"}"#, records[1]]
  }
}

private let denied =
  #"{"_type":"status","iOS":{"locationManagerAuthorizationStatus":"kCLAuthorizationStatusDenied"}}"#

@Suite("Quarantined messages, read again after an upgrade") struct QuarantineReplayTests {
  // R: M1, W11
  @Test(
    "become positions of their shift, once, and nothing of the present",
    arguments: PhoneApp.allCases)
  func positions(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(app, in: world)
      let (first, second) = (upgrade.begin + .minutes(10), upgrade.begin + .minutes(15))
      let bodies = readable(app, at: first, second)
      try await upgrade.plant(bodies[0], bodies[1], nil)
      try await upgrade.end()
      _ = try await world.operations.background.rollUpPings()
      let before = try await upgrade.present()
      let tracked = try await world.operations.insight.coverage(of: shift).trackedTime
      #expect(try await upgrade.replay() == [2, 0, 0, 1, 2])
      #expect(try await upgrade.pings() == 3)
      #expect(try await upgrade.kept() == 1)
      #expect(try await upgrade.present() == before)
      // As they would have counted at their receipt, also in the totals.
      _ = try await world.operations.background.rollUpPings()
      #expect(
        try await world.operations.insight.coverage(of: shift).trackedTime
          == tracked + .minutes(6))
      let receipts: [Int32] = try await world.pool.read { (session) throws(PostgresError) in
        try session.run(
          "SELECT arrived_ms FROM ping WHERE device_no = 2 ORDER BY recorded_at OFFSET 1"
        ).values()
      }
      #expect(receipts == [600_000, 300_000])

      #expect(try await upgrade.replay() == [0, 0, 0, 1, 0])
      let log = try await world.operations.installation.auditEntries(about: employee, limit: 9)
        .filter { $0.action == .quarantineReplayed }
      #expect(log.map(\.reason) == ["messages read: 2, records stored: 2"])
      #expect(log.map(\.target) == [2])
      // What is already stored leaves the quarantine too.
      try await upgrade.plant(bodies[1], bodies[0])
      #expect(try await upgrade.replay() == [2, 0, 0, 1, 0])
      #expect(try await upgrade.pings() == 3)
    }
  }

  // R: M1
  @Test("stay, with today's reason, as long as a part of them cannot be read")
  func mixed() async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(.overland, in: world)
      let at = upgrade.begin + .minutes(10)
      let good = readable(.overland, at: at, at)[1]
      let bad = #"{"type":"Feature","properties":{"timestamp":"yesterday"}}"#
      try await upgrade.plant(#"{"locations":[\#(good),\#(bad)]}"#, bad, "{")
      try await upgrade.end()
      for stored in [1, 0] {
        #expect(try await upgrade.replay() == [0, 3, 0, 0, stored])
        #expect(try await upgrade.pings() == 2)
        #expect(try await upgrade.kept() == 3)
      }
      #expect(
        try await world.count(
          "SELECT count(*) FROM quarantined_message WHERE reason = 'unreadable timestamp'") == 2)
      #expect(
        try await world.count(
          "SELECT count(*) FROM quarantined_message WHERE reason = 'syntax' AND body = '{'") == 1)
      let log = try await world.operations.installation.auditEntries(about: employee, limit: 9)
      #expect(log.count { $0.action == .quarantineReplayed } == 1)
    }
  }

  // R: M1, W8
  @Test("wait while they report about an open shift, and then are history: nobody is notified")
  func reports() async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(.ownTracks, in: world)
      try await upgrade.plant(denied)
      let open = try await upgrade.present()
      #expect(try await upgrade.replay() == [0, 0, 1, 0, 0])
      #expect(try await upgrade.present() == open)
      try await upgrade.end()
      let before = try await upgrade.present()
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 1])
      #expect(try await upgrade.present() == before)
      let segments = try await world.operations.insight.coverage(of: shift).segments
      let lost = try #require(segments.last)
      #expect(lost.reason == .denied, "\(segments)")
      #expect(lost.interval.start == upgrade.begin + .minutes(20))
      // The record of the shift says the same.
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: false, limit: 9)
      #expect(incidents.map(\.openedAt) == [lost.interval.start])
      #expect(incidents.map(\.closedAt) == [lost.interval.end])
      // Sent again, it is the same report.
      try await upgrade.plant(denied, denied)
      #expect(try await upgrade.replay() == [2, 0, 0, 0, 0])
    }
  }

  // R: M1, W2
  @Test("clock nobody in or out by the crossing of a region, and store nothing off shift")
  func crossings() async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(.ownTracks, in: world)
      func crossing(_ event: String, _ span: TimeSpan) -> String {
        #"{"_type":"transition","lat":52.5,"lon":13.4,"event":"\#(event)","desc":"Shift: A","#
          + #""tst":\#((upgrade.begin + span).milliseconds / 1_000)}"#
      }
      try await upgrade.plant(crossing("leave", .minutes(10)))
      let open = try await upgrade.present()
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 1])
      #expect(try await upgrade.present() == open)
      try await upgrade.end()
      try await upgrade.plant(crossing("enter", .hours(2)), after: .hours(3))
      let before = try await upgrade.present()
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 0])
      #expect(try await upgrade.present() == before)
    }
  }

  // R: M1, W11
  @Test("of a revoked phone count as well; those of an erased employee are gone")
  func former() async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(.traccar, in: world)
      let bodies = readable(.traccar, at: upgrade.begin + .minutes(1), upgrade.begin + .minutes(2))
      try await upgrade.plant(bodies[0])
      try await upgrade.end()
      let manager = world.operations.manager
      try await manager.people.revoke(device: upgrade.app.device)
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 1])
      try await upgrade.plant(bodies[1])
      _ = try await manager.people.deactivate(employee, by: mira).get()
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 1])
      #expect(try await upgrade.pings() == 3)
      try await upgrade.plant(bodies[1])
      _ = try await manager.people.erase(employee, endsShift: false, by: mira).get()
      #expect(try await upgrade.kept() == 0)
      #expect(try await upgrade.replay() == [0, 0, 0, 0, 0])
      await #expect(throws: OperationError.self) {
        try await manager.installation.replayQuarantine(of: employee, by: mira)
      }
    }
  }

  // R: M1, W1
  @Test("are judged as at their receipt, but never stored where positions may be deleted already")
  func old() async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(.ownTracks, in: world)
      try await upgrade.end()
      let at = upgrade.begin + .minutes(1)
      let bodies = readable(.ownTracks, at: at, at + .minutes(1))
      // Over seven days on the way.
      try await upgrade.plant(bodies[0], after: .hours(7 * 24 + 1))
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 0])
      world.wait(.hours(24 * 50))
      try await upgrade.plant(bodies[0])
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 1])
      world.wait(.hours(24 * 9))
      try await upgrade.plant(bodies[1])
      #expect(try await upgrade.replay() == [1, 0, 0, 0, 0])
      #expect(try await upgrade.pings() == 2)
    }
  }

  // R: M1
  @Test("are stored once by two replays at the same time")
  func twice() async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(.ownTracks, in: world)
      for minute in 1...20 {
        let at = upgrade.begin + .minutes(Int64(minute))
        try await upgrade.plant(readable(.ownTracks, at: at, at)[0])
      }
      try await upgrade.end()
      let manager = world.operations.manager
      let replays = try await withThrowingTaskGroup(of: QuarantineReplay.self) { group in
        for _ in 1...4 {
          group.addTask { try await manager.installation.replayQuarantine(of: employee, by: mira) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(replays.map(\.read).reduce(0, +) == 20)
      #expect(replays.map(\.stored).reduce(0, +) == 20)
      #expect(try await upgrade.pings() == 21)
      let log = try await manager.installation.auditEntries(about: employee, limit: 20)
      #expect(log.count { $0.action == .quarantineReplayed } == 1)
    }
  }

  // R: M1
  @Test("stay if they are junk", arguments: PhoneApp.allCases)
  func junk(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let upgrade = try await Upgrade(app, in: world)
      let (objects, lists) = (#"{"a":"#, "[{,")
      let many = (0..<1_300).map { #"{"x":\#($0)}"# }.joined(separator: ",")
      for body in [
        String(repeating: "[", count: 16_384), String(repeating: objects, count: 3_200),
        String(repeating: lists, count: 5_400), #"{"locations":[\#(many)]}"#, "[\(many)",
        String(repeating: "\u{FFFD}", count: 16_384), #"{"_type":"\#(many.prefix(60))"#,
      ] { try await upgrade.plant(body) }
      try await upgrade.end()
      #expect(try await upgrade.replay() == [0, 7, 0, 0, 0])
      #expect(try await upgrade.kept() == 7)
    }
  }

  // R: M1
  @Test("are read phone by phone, as far as the time allows")
  func slices() async throws {
    try await DeviceWorld.run(employees: [7, 8]) { world in
      let upgrade = try await Upgrade(.ownTracks, in: world)
      let at = upgrade.begin + .minutes(1)
      try await upgrade.plant(readable(.ownTracks, at: at, at)[0])
      _ = try await world.phone(of: 8)
      try await world.write(
        """
        INSERT INTO quarantined_message (
          employee_id, device_no, received_at, phone_app, body_hash, reason, byte_count)
        VALUES (8, 1, \(at), 0, \([UInt8](repeating: 9, count: 32)), 'syntax', 1)
        """)
      let manager = world.operations.manager
      let first = try await manager.installation.replayQuarantine(of: nil, within: .zero, by: mira)
      #expect(first.read == 1 && first.next == upgrade.app.device)
      let second = try await manager.installation.replayQuarantine(
        of: nil, after: first.next, within: .zero, by: mira)
      #expect(second.withoutContents == 1 && second.next == nil)
    }
  }
}

extension ShiftCoverage {
  fileprivate var trackedTime: TimeSpan {
    segments.filter { $0.reason == .tracked }
      .reduce(.zero) { $0 + ($1.interval.end - $1.interval.start) }
  }
}

import BackgroundOperations
import DeviceAPI
import GuardRules
import InsightOperations
import ReadModels
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("What apps from a store say about themselves") struct AppEvidenceTests {
  private static let shift = ShiftID(employee: EmployeeID(7), number: 1)

  // R: M1, W8
  @Test(
    "the end of Overland explains the silence after it, in incident and coverage",
    arguments: [false, true])
  func termination(isNoticed: Bool) async throws {
    try await DeviceWorld.run(decidesDue: true) { world in
      let app = try await world.appOnShift(.overland)
      let begin = DeviceWorld.start
      let heard = world.now
      let closed = heard + .seconds(30)
      try await world.live(to: begin + .minutes(5))
      if isNoticed { try await world.watchSilence() }
      try await world.live(to: begin + .minutes(10))
      let again = world.now
      let batch = Overland.batch(
        Overland.feature(at: closed, #","action":"will_terminate""#), Overland.fix(at: again))
      for _ in 1...2 {
        #expect(try await app.post(batch).text == #"{"result":"ok"}"#)
        world.wait(.milliseconds(500))
      }
      try await world.live(to: world.now + .seconds(2))
      try await world.watchSilence()

      let incidents = try await world.incidents()
      #expect(incidents.map(\.kind) == [.noContact])
      #expect(incidents.first?.explainedBy == .appTerminated)
      #expect(incidents.first?.openedAt == heard + .minutes(3))
      let segments = try await world.operations.insight.coverage(of: Self.shift).segments
      #expect(
        segments.map(\.reason) == [.waitingFirstFix, .tracked, .appTerminated, .tracked],
        "\(segments)")
      #expect(segments[2].isInferred)
      #expect(
        segments[2].interval == Interval(from: heard + .minutes(3), to: again), "\(segments[2])")
      #expect(try await world.reports(of: app) == 1)
    }
  }

  // R: M1, W8
  @Test("a heartbeat of Traccar Client is a sign of life, and no position")
  func heartbeat() async throws {
    try await DeviceWorld.run(decidesDue: true) { world in
      let app = try await world.appOnShift(.traccar)
      for _ in 1...6 {
        try await world.live(to: world.now + .minutes(1))
        let answer = try await app.post(
          "id=\(app.token)&timestamp=\(world.now.milliseconds / 1_000)&batt=64")
        #expect(answer.status == 200 && answer.text.isEmpty)
      }
      try await world.live(to: world.now + .seconds(2))
      try await world.watchSilence()
      #expect(try await world.incidents().map(\.kind) == [.noFix])
      #expect(try await world.count("SELECT count(*) FROM ping WHERE device_no = 2") == 7)
      #expect(
        try await world.count("SELECT count(latitude_e7) FROM ping WHERE device_no = 2") == 1)
    }
  }

  // R: M1
  @Test("Transistorsoft gets stop off shift, and start when a shift begins")
  func startsAndStops() async throws {
    try await DeviceWorld.run { world in
      let stop = #"{"background_geolocation":[["stop"]]}"#
      let start = #"{"background_geolocation":[["start"]]}"#
      func send(_ app: AppPhone) async throws -> String {
        world.wait(.seconds(30))
        return try await app.post(world.position(for: .transistorsoft)).text
      }
      let app = try await world.app(.transistorsoft)
      #expect(try await send(app) == stop)
      #expect(try await send(app) == stop)
      let page = try await world.phone(platform: "web")
      _ = try await page.report("always")
      try #require(try await page.clockIn().status == 201)
      #expect(try await send(app) == start)
      #expect(try await send(app) == "{}")
      // If it stopped for a break, it would not hear of the end.
      _ = try await page.post("/v1/break-start", #"{"actionId":"lunch"}"#)
      #expect(try await send(app) == "{}")
      // Nor may a message without a position stop it.
      #expect(try await app.post(#"{"provider":{"status":3,"enabled":true}}"#).text == "{}")
      _ = try await page.post("/v1/break-end", #"{"actionId":"work"}"#)
      #expect(try await send(app) == start)
      try #require(try await page.clockOut().status == 200)
      #expect(try await send(app) == stop)
    }
  }

  static let denials: [(provider: String, kind: IncidentKind)] = [
    (#"{"status":2,"enabled":true,"gps":true,"network":true,"accuracyAuthorization":0}"#, .denied),
    (#"{"status":"2","enabled":true,"accuracyAuthorization":0}"#, .denied),
    (#"{"status":3,"enabled":false,"accuracyAuthorization":0}"#, .servicesOff),
    (#"{"status":4,"enabled":true,"accuracyAuthorization":0}"#, .whenInUse),
    (#"{"status":3,"enabled":true,"accuracyAuthorization":1}"#, .accuracyReduced),
  ]

  // R: M3, A11
  @Test("a provider of Transistorsoft's that is worse opens an incident", arguments: denials)
  func provider(_ provider: String, _ kind: IncidentKind) async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.transistorsoft)
      world.wait(.seconds(30))
      #expect(try await app.post(world.providerChange(provider)).status == 200)
      let incidents = try await world.incidents()
      #expect(incidents.map(\.kind) == [kind] && incidents.allSatisfy { $0.closedAt == nil })
      let alarms = try await world.count(
        """
        SELECT count(*) FROM notification WHERE topic = \(NotificationTopic.incident.column)
        """)
      #expect(alarms == 1)
    }
  }

  // R: M1
  @Test(
    "a report that is sent again, later or at the same moment, is stored once",
    arguments: [PhoneApp.ownTracks, .overland, .transistorsoft])
  func resent(_ app: PhoneApp) async throws {
    try await DeviceWorld.run { world in
      let phone = try await world.appOnShift(app)
      world.wait(.seconds(30))
      let message =
        switch app {
        case .ownTracks: #"{"_type":"status","android":{"loc":-4,"wifi":1}}"#
        case .overland:
          Overland.batch(Overland.feature(at: world.now, #","action":"will_terminate""#))
        default: world.providerChange(Self.denials[0].provider)
        }
      try await withThrowingTaskGroup { group in
        for _ in 1...4 { group.addTask { try await phone.post(message).status } }
        for try await status in group { #expect(status == 200) }
      }
      #expect(try await world.reports(of: phone) == 1)
      world.wait(.seconds(30))
      #expect(try await phone.post(message).status == 200)
      #expect(try await world.reports(of: phone) == 1)
    }
  }

  // R: M1, W1
  @Test("a report of a phone whose clock is ahead is stored once, too")
  func resentFromTheFuture() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.transistorsoft)
      world.wait(.minutes(5))
      let message = world.providerChange(Self.denials[0].provider)
      world.wait(.zero - .minutes(4))
      for _ in 1...2 {
        #expect(try await app.post(message).status == 200)
        #expect(try await world.reports(of: app) == 1)
        world.wait(.seconds(30))
      }
    }
  }

  // R: M3
  @Test("a permission that is switched off, on and off again within a minute ends as off")
  func toggled() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.ownTracks)
      for loc in [-4, 0, -4] {
        world.wait(.seconds(10))
        _ = try await app.post(#"{"_type":"status","android":{"loc":\#(loc),"wifi":1}}"#)
      }
      #expect(try await world.reports(of: app) == 3)
      #expect(try await world.incidents().count { $0.closedAt == nil } == 1)
    }
  }

  // R: M1
  @Test("a body with thousands of reports is taken, the last deciding what holds")
  func manyReports() async throws {
    try await DeviceWorld.run { world in
      let app = try await world.appOnShift(.transistorsoft)
      world.wait(.hours(1))
      let begin = world.now - .minutes(30)
      let records = (0..<1_001).map { index in
        #"{"timestamp":"\#((begin + .seconds(Int64(index))).rfc3339)","#
          + #""provider":{"status":\#(index.isMultiple(of: 2) ? 2 : 3),"enabled":true}}"#
      }
      for _ in 1...2 {
        let body = #"{"location":[\#(records.joined(separator: ","))]}"#
        #expect(try await app.post(body).status == 200)
        #expect(try await world.reports(of: app) == 1_001)
      }
      #expect(try await world.incidents().filter { $0.closedAt == nil }.map(\.kind) == [.denied])
    }
  }
}

/// Texts of Overland.
private enum Overland {
  static func feature(at time: Instant, _ more: String = "", geometry: String = "") -> String {
    #"{"type":"Feature",\#(geometry)"properties":{"timestamp":"\#(time.rfc3339)"\#(more)}}"#
  }

  static func fix(at time: Instant) -> String {
    feature(at: time, geometry: #""geometry":{"type":"Point","coordinates":[13.4,52.5]},"#)
  }

  static func batch(_ features: String...) -> String {
    #"{"locations":[\#(features.joined(separator: ","))]}"#
  }
}

extension DeviceWorld {
  /// A record of Transistorsoft's with this provider, without a position.
  fileprivate func providerChange(_ provider: String) -> String {
    #"{"location":{"uuid":"5a0f3c1e-7d2b","timestamp":"\#(now.rfc3339)","#
      + #""event":"providerchange","provider":\#(provider)}}"#
  }

  /// Moves the clock to `end`, with the heartbeats of a service that runs.
  fileprivate func live(to end: Instant) async throws {
    while now < end {
      clock.now = min(end, now + .seconds(5))
      try await operations.background.beat(as: 1)
    }
  }

  /// Opens and closes incidents of silence.
  fileprivate func watchSilence() async throws {
    try await operations.background.processSilence(of: [EmployeeID(7)])
  }

  fileprivate func incidents() async throws -> [IncidentRow] {
    try await operations.insight.incidents(of: nil, openOnly: false, limit: 100).reversed()
  }

  /// How many reports of this phone are stored.
  fileprivate func reports(of app: AppPhone) async throws -> Int64 {
    try await count(
      "SELECT count(*) FROM permission_report WHERE device_no = \(app.device.number)")
  }
}

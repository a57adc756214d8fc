import JSONText
import ShiftDomain
import Testing

@testable import GuardClient

// R: A20
@Suite("What the app notes about itself", .timeLimit(.minutes(5))) struct AppEventTests {
  private let folder: TestFolder
  private let server = FakeServer()
  private let clock = TestClock()
  private let log = EventLog()

  init() throws { folder = try TestFolder() }

  private func session(
    _ location: FakeLocation, _ preset: Preset = .standard
  ) throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: folder.path, phone: PhoneDescription(platform: .ios, systemVersion: "18.1"),
        policy: .policy(of: preset)),
      location: location, tokens: FakeTokens(), transport: server, clock: clock.client)
  }

  private func sender(bytesMax: Int = 1_000_000) throws -> Sender {
    Sender(
      try DiskQueue(folder.file("queue"), bytesMax: bytesMax), installation: "i-1", language: "de",
      tokens: FakeTokens(), transport: server, clock: clock.client,
      tell: { [log] in log.add($0) })
  }

  /// Each event that was sent: its kind, the milliseconds since `start` and what else it has.
  private func sent(since start: Instant, in session: GuardSession) async throws -> [String] {
    var events: [String] = []
    for request in await server.requests where request.path == "/v1/me/app-events" {
      let body = try JSONFields(JSONValue(parsing: try #require(request.body)))
      #expect(try body.instant("sentAt") != nil && body["installation"] == nil)
      for event in try body.objects("events") {
        #expect(try event.text("appSession", max: 64) == session.appSession)
        let time = try #require(try event.instant("recordedAt"))
        let kind = try #require(try event.text("kind", max: 40))
        var words = [kind, "\((time - start).milliseconds)"]
        if let after = try event.integer("after", in: 0...86_400_000) { words.append("\(after)") }
        if let left = try event.text("authorization", max: 40) { words.append(left) }
        if let id = try event.text("actionId", max: 64) { words.append(id) }
        events.append(words.joined(separator: " "))
      }
    }
    return events
  }

  @Test func `is noted by the flow itself: explanation and the dialogs' answers`() async throws {
    let location = FakeLocation(0)
    let session = try session(location, .strict)
    let start = clock.now
    _ = try await session.beginClockIn()
    clock.move(.seconds(1))
    _ = try await session.answerClockIn(.proceed)
    await location.become(4)
    // The system says so before the dialog has closed.
    try await session.report(.change)
    clock.move(.seconds(1))
    _ = try await session.dialogClosed()
    await location.become(3)
    clock.move(.seconds(1))
    _ = try await session.dialogClosed()
    #expect(await session.send() == nil)
    #expect(
      try await sent(since: start, in: session) == [
        "explanation_shown 0", "dialog_answered 2000 when_in_use", "dialog_answered 3000 always",
        "restored 3000 always",
      ])
    let paths = await server.paths
    #expect(
      paths == ["/v1/permission-reports", "/v1/clock-in", "/v1/me/app-events"],
      "after everything else, in one request")
  }

  @Test func `is noted with the time from the opening to the banner, and from settings to grant`()
    async throws
  {
    let location = FakeLocation(2)
    let session = try session(location)
    let start = clock.now
    try await session.report(.launch)
    clock.move(.milliseconds(410))
    await session.note(.indicatorShown)
    clock.move(.seconds(1))
    await session.note(.indicatorShown)
    _ = try await session.beginClockIn()
    _ = try await session.answerClockIn(.proceed)
    clock.move(.seconds(20))
    await location.become(3)
    _ = try await session.answerClockIn(.returned)
    for _ in 1...2 { await session.note(.answerShown(clockAction: "in-1")) }
    await session.note(.answerShown(clockAction: ""))
    // Nothing is insufficient now.
    await session.note(.indicatorShown)
    clock.move(.seconds(1))
    await location.become(4)
    try await session.report(.change)
    clock.move(.milliseconds(50))
    await session.note(.indicatorShown)
    clock.move(.seconds(1))
    try await session.report(.foreground)
    clock.move(.hours(25))
    await session.note(.indicatorShown)
    #expect(await session.send() == nil)
    #expect(
      try await sent(since: start, in: session) == [
        "permission_insufficient 0", "indicator_shown 410 410", "settings_opened 1410",
        "restored 21410 always", "answer_shown 21410 in-1", "indicator_shown 22460 50",
        "permission_insufficient 23460",
      ])
  }

  @Test func `a grant in the settings is noted although the system has ended the app`()
    async throws
  {
    let start = clock.now
    do {
      let session = try session(FakeLocation(2))
      try await session.report(.launch)
      _ = await session.send()
    }
    let before = await server.requests.count
    let session = try session(FakeLocation(4))
    clock.move(.seconds(5))
    try await session.report(.launch)
    _ = await session.send()
    let request = try #require(await server.requests.last)
    #expect(await server.requests.count == before + 2)
    let body = try JSONFields(JSONValue(parsing: try #require(request.body)))
    let events = try body.objects("events").map { try $0.text("kind", max: 40) }
    #expect(events == ["permission_insufficient", "restored"], "it still warns")
    #expect(clock.now - start == .seconds(5))
  }

  private func event(_ number: Int) -> QueuedItem {
    .appEvent(
      JSONValue.object(["kind": "settings_opened", "number": .integer(Int64(number))]).bytes)
  }

  private func numbers() async throws -> [Int64?] {
    var numbers: [Int64?] = []
    for request in await server.requests where request.path == "/v1/me/app-events" {
      let body = try JSONFields(JSONValue(parsing: try #require(request.body)))
      numbers += try body.objects("events").map { try $0.integer("number", in: 0...9_999) }
    }
    return numbers
  }

  @Test func `waits in a bounded number, the newest, also after a restart`() async throws {
    do {
      let sender = try sender()
      for number in 1...(OptionalRecords.countMax + 100) {
        await sender.add(optional: event(number))
      }
      #expect(await sender.count == 0, "nothing that has to be sent")
    }
    let sender = try sender()
    await sender.add(optional: event(601))
    #expect(await sender.drain() == .idle)
    #expect(try await numbers() == (102...601).map { $0 })
    #expect(await server.requests.count == 5)
    #expect(try await sender.removeAll() == 0)
  }

  @Test func `gives its room to a report`() async throws {
    let sender = try sender(bytesMax: 8_192)
    for number in 1...200 { await sender.add(optional: event(number)) }
    let report = QueuedItem.report(Array(#"{"sequence":1}"#.utf8))
    var reports = 0
    await #expect(throws: DiskQueueError.full) {
      while true {
        try await sender.append(report, .essential)
        reports += 1
      }
    }
    // All of the file but its signature.
    #expect(reports == (8_192 - 8) / (report.bytes.count + 16))
    #expect(await sender.drain() == .idle)
    #expect(try await numbers().isEmpty)
  }

  @Test func `gives its room to a position, which leaves an eighth to reports`() async throws {
    let sender = try sender(bytesMax: 8_192)
    for number in 1...200 { await sender.add(optional: event(number)) }
    let ping = QueuedItem.ping(RecordedPing(recordedAt: clock.now))
    var pings = 0
    await #expect(throws: DiskQueueError.full) {
      while true {
        try await sender.append(ping, .routine)
        pings += 1
      }
    }
    #expect(pings == (8_192 / 8 * 7 - 8) / (ping.bytes.count + 16))
  }

  @Test func `takes at most half of the file`() async throws {
    let sender = try sender(bytesMax: 8_192)
    for number in 1...200 { await sender.add(optional: event(number)) }
    #expect(await sender.drain() == .idle)
    let size = event(100).bytes.count + 16
    #expect((60...4_096 / size + 2).contains(try await numbers().count))
  }

  @Test func `is never in the way of what matters`() async throws {
    let sender = try sender()
    let report = QueuedItem.report(Array(#"{"sequence":1}"#.utf8))
    await sender.add(optional: event(1))
    for answer in [
      GuardResponse.problem(500, "internal_error"), .problem(503, "overloaded", after: 40), nil,
      GuardResponse(status: 200, body: Array("<html>".utf8)), GuardResponse(status: 404),
    ] {
      await server.answerNext(answer)
      #expect(await sender.drain() == .idle)
      let pause = try #require(await sender.optionalPause)
      let before = await server.requests.count
      try await sender.append(report, .essential)
      #expect(await sender.drain() == .idle)
      // Another one makes no difference.
      await sender.add(optional: event(2))
      #expect(await sender.drain() == .idle)
      #expect(await server.requests.count == before + 1, "the report, at once")
      #expect(await server.paths.last == "/v1/permission-reports")
      clock.move(pause)
    }
    #expect(log.events.allSatisfy { if case .status = $0 { true } else { false } }, "\(log.events)")
    // Refused for good.
    await server.answerNext(.problem(404, "not_found"))
    #expect(await sender.drain() == .idle)
    #expect(await sender.optionalPause == nil)
    await sender.add(optional: event(3))
    await server.answerNext(.problem(401, "unauthorized"))
    #expect(await sender.drain() == .unauthorized)
  }
}

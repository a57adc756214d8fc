import GuardClient
import GuardRules
import JSONText
import ShiftDomain
import Testing

@Suite("A session", .timeLimit(.minutes(5))) struct GuardSessionTests {
  private let folder: TestFolder
  private let server = FakeServer()
  private let clock = TestClock()

  init() throws { folder = try TestFolder() }

  private func session(
    _ location: FakeLocation, _ preset: Preset = .standard, tokens: FakeTokens = FakeTokens(),
    queueBytesMax: Int = 1_000_000
  ) throws -> GuardSession {
    try GuardSession(
      GuardSettings(
        folder: folder.path, phone: PhoneDescription(platform: .ios, systemVersion: "18.1"),
        policy: .policy(of: preset), queueBytesMax: queueBytesMax),
      location: location, tokens: tokens, transport: server, clock: clock.client)
  }

  private func body(_ path: String, _ place: Int = 0) async throws -> JSONFields {
    let requests = await server.requests.filter { $0.path == path }
    let request = try #require(requests.count > place ? requests[place] : nil)
    return try JSONFields(JSONValue(parsing: try #require(request.body)))
  }

  @Test func `clocks in with Always at once, with the report that was read`() async throws {
    // R: A9
    let session = try session(FakeLocation(3))
    guard case .clockIn = try await session.beginClockIn() else {
      Issue.record("no clock-in")
      return
    }
    #expect(await session.waiting == 1)
    #expect(await session.send() == nil)
    let fields = try await body("/v1/clock-in")
    #expect(try fields.instant("occurredAt") == clock.now)
    let report = try #require(try fields.object("report"))
    #expect(try report.integer("sequence", in: 0...9) == 0)
    #expect(try report.text("source", max: 24) == "core_location")
    #expect(try fields.text("installation", min: 32, max: 32) != nil)
  }

  @Test func `leads through the dialogs and stores the clock-in at the end`() async throws {
    let location = FakeLocation(0)
    let session = try session(location, .strict)
    #expect(try await session.beginClockIn() == .explanation(before: .foreground))
    #expect(try await session.answerClockIn(.proceed) == .dialog(.foreground))
    await location.become(4)
    #expect(try await session.dialogClosed() == .dialog(.background))
    await location.become(3)
    guard case .clockIn = try await session.dialogClosed() else {
      Issue.record("no clock-in")
      return
    }
    #expect(await session.waiting == 1)
  }

  @Test func `without location goes on under advisory, and without waiting for a fix`() async throws
  {
    // R: B2, B4
    let location = FakeLocation(2)
    let session = try session(location, .advisory)
    #expect(try await session.beginClockIn() == .notice(.denied, .openAppSettings))
    guard case .clockIn(let ready) = try await session.answerClockIn(.cancel) else {
      Issue.record("no clock-in")
      return
    }
    #expect(!ready.canLocate)
    #expect(await location.fixesAsked == 0)
    _ = await session.send()
    #expect(try await body("/v1/clock-in").object("fix") == nil)
  }

  @Test func `a grant in the settings goes on by itself`() async throws {  // R: A12, B5
    let location = FakeLocation(2)
    let session = try session(location)
    #expect(try await session.beginClockIn() == .notice(.denied, .openAppSettings))
    #expect(try await session.answerClockIn(.proceed) == .away(.openAppSettings))
    await location.become(3)
    try await session.report(.change)
    #expect(await session.waiting == 2, "the report and the clock-in")
  }

  @Test func `tracking resumes with a position when the server asks for one`() async throws {
    // R: A12
    let location = FakeLocation(3)
    let session = try session(location)
    let fix = Coordinate(latitude: 1, longitude: 2).map { Fix(coordinate: $0) }
    await location.find(RecordedPing(recordedAt: clock.now, fix: fix))
    try await session.report(.foreground)
    await server.command("send_fix_now", "dance")
    #expect(await session.send() == nil)
    #expect(await server.paths == ["/v1/permission-reports", "/v1/pings"])
    #expect(await server.stored.count == 1)
  }

  @Test func `no position is looked for after the end of the shift`() async throws {
    let location = FakeLocation(3)
    let session = try session(location)
    let fix = Coordinate(latitude: 1, longitude: 2).map { Fix(coordinate: $0) }
    await location.find(RecordedPing(recordedAt: clock.now, fix: fix))
    try await session.report(.foreground)
    _ = try await session.clockOut()
    let asked = await location.fixesAsked
    await server.track(false)
    await server.command("send_fix_now")
    #expect(await session.send() == nil)
    #expect(await location.fixesAsked == asked)
    #expect(await server.paths == ["/v1/permission-reports", "/v1/clock-out"])
  }

  @Test func `quick changes are stored at once and sent together`() async throws {  // R: A17
    let location = FakeLocation(3)
    let session = try session(location)
    try await session.report(.launch)
    _ = await session.send()
    await location.become(2)
    try await session.report(.change)
    try await session.report(.change)
    #expect(await session.waiting == 1, "no change, no report")
    #expect(await session.send() == .seconds(1))
    clock.move(.milliseconds(600))
    await location.become(3)
    try await session.report(.change)
    #expect(await session.send() == .milliseconds(400))
    clock.move(.milliseconds(400))
    #expect(await session.send() == nil)
    #expect(await server.sequences == [0, 1, 2])
    let reports = "/v1/permission-reports"
    #expect(await server.paths == [reports, reports, "/v1/me/app-events"])
  }

  @Test func `a clock action does not wait for further changes`() async throws {
    let session = try session(FakeLocation(3))
    try await session.report(.change)
    #expect(await session.send() == .seconds(1))
    _ = try await session.clockOut()
    #expect(await session.send() == nil)
    #expect(await server.paths == ["/v1/permission-reports", "/v1/clock-out"])
  }

  @Test func `a fix of the last minute goes with a clock-in or clock-out`() async throws {
    let session = try session(FakeLocation(3))
    let fix = Coordinate(latitude: 1, longitude: 2).map { Fix(coordinate: $0) }
    try await session.record(RecordedPing(recordedAt: clock.now, fix: fix))
    clock.move(.seconds(60))
    _ = try await session.clockOut()
    clock.move(.seconds(1))
    _ = try await session.clockOut()
    _ = await session.send()
    #expect(try await body("/v1/clock-out").object("fix")?.number("longitude") == 2)
    #expect(try await body("/v1/clock-out", 1).object("fix") == nil)
  }

  @Test func `a clock-in that the disk refuses is not taken for one`() async throws {
    let session = try session(FakeLocation(3), queueBytesMax: 1_024)
    await #expect(throws: DiskQueueError.full) {
      while true { try await session.report(.launch) }
    }
    await #expect(throws: DiskQueueError.full) { try await session.beginClockIn() }
    await #expect(throws: DiskQueueError.full) { try await session.answerClockIn(.returned) }
    _ = await session.send()
    guard case .clockIn = try await session.answerClockIn(.returned) else {
      Issue.record("no clock-in")
      return
    }
  }

  @Test func `a revocation during a shift is shown at once`() async throws {  // R: A11, A18, C8
    let location = FakeLocation(3)
    let session = try session(location)
    try await session.report(.launch)
    await location.become(4)
    try await session.report(.change)
    var told: [Bool] = []
    for await event in session.events {
      if case .permission(let state, let isDowngrade) = event {
        told.append(isDowngrade)
        if state.authorization == .whenInUse { break }
      }
    }
    #expect(told == [false, true])
  }

  @Test func `the installation and its numbers survive a restart`() async throws {
    var installations: Set<String> = []
    for _ in 0..<3 {
      let session = try session(FakeLocation(3))
      try await session.report(.launch)
      _ = await session.send()
    }
    for place in 0..<3 {
      let fields = try await body("/v1/permission-reports", place)
      installations.insert(try fields.text("installation", max: 64) ?? "")
    }
    #expect(installations.count == 1)
    #expect(await server.sequences == [0, 1, 2])
  }

  @Test func `a damaged memory is a new installation`() async throws {
    for text in ["", "{", "[]", #"{"installation":""}"#] {
      try folder.write(text.utf8, "shiftguard.json")
      let session = try session(FakeLocation(3))
      try await session.report(.launch)
      _ = await session.send()
    }
    #expect(await server.sequences == [0, 0, 0, 0])
  }

  @Test func `the numbers of a new installation follow those of the reports that wait`()
    async throws
  {
    do {
      let session = try session(FakeLocation(3))
      for _ in 0..<5 { try await session.report(.launch) }
    }
    try folder.write("damaged".utf8, "shiftguard.json")
    let session = try session(FakeLocation(2))
    try await session.report(.launch)
    _ = await session.send()
    #expect(await server.sequences == [0, 1, 2, 3, 4, 5])
  }

  @Test func `a damaged record is reported`() async throws {
    do {
      let session = try session(FakeLocation(3))
      for _ in 0..<2 { try await session.signOfLife() }
    }
    var bytes = try folder.bytes("shiftguard.queue")
    bytes[9] ^= 1
    try folder.write(bytes, "shiftguard.queue")
    let session = try session(FakeLocation(3))
    #expect(await session.waiting == 1)
    for await event in session.events {
      #expect(event == .recordUnreadable)
      break
    }
  }

  @Test func `of two readings at once the newer one is reported last`() async throws {
    let location = FakeLocation(3)
    let session = try session(location)
    await location.meanwhile {
      await location.become(2)
      try? await session.report(.change)
    }
    try await session.report(.launch)
    clock.move(.seconds(2))
    _ = await session.send()
    let reports = try #require(try await body("/v1/permission-reports").elements("reports"))
    let statuses = try reports.map {
      try JSONFields($0).object("raw")?.integer("authorizationStatus", in: 0...4)
    }
    #expect(statuses == [2, 2], "never the older one after the newer one")
  }

  @Test func `a fix from before the clock was set back does not count as fresh`() async throws {
    let session = try session(FakeLocation(3))
    let fix = Coordinate(latitude: 1, longitude: 2).map { Fix(coordinate: $0) }
    try await session.record(RecordedPing(recordedAt: clock.now, fix: fix))
    clock.move(.hours(-1))
    _ = try await session.clockOut()
    _ = await session.send()
    #expect(try await body("/v1/clock-out").object("fix") == nil)
  }

  @Test func `a new token sends nothing of the enrolment before it`() async throws {
    let tokens = FakeTokens("sg_7_1_x")
    let session = try session(FakeLocation(4), tokens: tokens)
    await session.acknowledge(FindingSet(.whenInUse))
    _ = try await session.clockOut()
    // The app is killed, or sends, before `enrol` returns.
    await tokens.whenStored { _ = await session.send() }
    _ = try await session.enrol(code: "8-B")
    _ = await session.send()
    #expect(await server.paths == ["/v1/acknowledgements", "/v1/enrolments"])
    guard case .warning = try await session.beginClockIn() else {
      Issue.record("the employee before acknowledged this, not this one")
      return
    }
  }

  @Test(arguments: ["", "sg_7_1_x\r\nX-Other: 1", "sg 7", "é"])
  func `a token that is no header's value is refused`(_ token: String) async throws {
    let tokens = FakeTokens(nil)
    let session = try session(FakeLocation(3), tokens: tokens)
    await server.answerNext(
      .json(201, ["token": .string(token), "employee": 7, "device": 1]))
    await #expect(throws: EnrolmentError.refused(code: nil)) { try await session.enrol(code: "7") }
    #expect(await tokens.token() == nil)
  }

  @Test func `enrolment stores the token and leaves nothing of an earlier one`() async throws {
    let tokens = FakeTokens(nil)
    let session = try session(FakeLocation(3), tokens: tokens)
    try await session.signOfLife()
    #expect(await session.send() == nil)
    await server.answerNext(nil, .problem(404, "enrolment_code_unknown"))
    await #expect(throws: EnrolmentError.noResponse) { try await session.enrol(code: "7-A") }
    await #expect(throws: EnrolmentError.refused(code: "enrolment_code_unknown")) {
      try await session.enrol(code: "7-A")
    }
    let enrolment = try await session.enrol(code: "7-B")
    #expect(enrolment.employee == 7 && enrolment.device == 1 && enrolment.discarded == 1)
    #expect(enrolment.privacyNotice == "We store positions.")
    #expect(await tokens.token() == "sg_7_1_x")
    #expect(await session.waiting == 0)
  }

  @Test func `rest, sign of life and clock actions are queued as the API has them`() async throws {
    let session = try session(FakeLocation(3))
    try await session.rest(until: clock.now + .minutes(20))
    clock.move(.seconds(1))
    try await session.rest()
    clock.move(.seconds(1))
    try await session.signOfLife(isStationary: true)
    let ids = [
      try await session.startBreak(), try await session.endBreak(), try await session.takeOver(),
      try await session.clockOut(),
    ]
    #expect(Set(ids).count == 4)
    #expect(await session.send() == nil)
    let paths = [
      "/v1/pings", "/v1/break-start", "/v1/break-end", "/v1/take-over", "/v1/clock-out",
    ]
    #expect(await server.paths == paths)
    let pings = try #require(try await body("/v1/pings").elements("pings")).map {
      try JSONFields($0)
    }
    let end = clock.now - .seconds(2) + .minutes(20)
    #expect(try pings[0].object("rest")?.instant("until") == end)
    #expect(try pings[1].object("rest")?.names == [])
    #expect(try pings[2].object("rest") == nil)
    #expect(try await body("/v1/take-over").object("report") != nil)
  }

  @Test func `an acknowledgement holds for this run of the app`() async throws {  // R: A16
    let session = try session(FakeLocation(4))
    await session.acknowledge(FindingSet(.whenInUse))
    let fields = try await body("/v1/acknowledgements")
    #expect(try fields.text("appSession", max: 64) == session.appSession)
    #expect(try fields.elements("findings") == ["when_in_use"])
    guard case .clockIn = try await session.beginClockIn() else {
      Issue.record("warned again")
      return
    }
  }

  @Test func `an acknowledgement that was not received is sent later`() async throws {
    let session = try session(FakeLocation(4))
    await server.answerNext(nil)
    await session.acknowledge(FindingSet(.whenInUse))
    _ = await session.send()
    _ = await session.send()
    #expect(await server.paths == ["/v1/acknowledgements", "/v1/acknowledgements"])
  }

  @Test func `runs until it is cancelled, and sends what arrives meanwhile`() async throws {
    let session = try session(FakeLocation(3))
    await withTaskGroup { tasks in
      tasks.addTask { await session.run() }
      try? await session.signOfLife()
      for await event in session.events {
        if case .tracking = event { break }
      }
      tasks.cancelAll()
    }
    #expect(await server.stored.count == 1)
  }

  @Test func `a second session in the same folder is refused`() throws {
    let first = try session(FakeLocation(3))
    #expect(throws: DiskQueueError.inUse) { _ = try session(FakeLocation(3)) }
    _ = first
  }
}

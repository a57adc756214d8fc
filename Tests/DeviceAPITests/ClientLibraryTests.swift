import Foundation
import GuardClient
import GuardRules
import HTTPAPI
import HTTPServing
import Lifecycle
import Postgres
import ShiftDomain
import Testing

/// The client library's requests, answered by the real routes.
@Suite("The client library") struct ClientLibraryTests {
  @Test("works through a shift, although every other answer is lost")  // R: A9, A12, M1
  func shift() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 3, losesAnswers: true)
      let enrolment = try await app.enrol()
      #expect(enrolment.employee == 7 && enrolment.device == 1)
      try await app.session.report(.launch)
      guard case .clockIn = try await app.session.beginClockIn() else {
        Issue.record("no clock-in")
        return
      }
      try await app.drain()
      for _ in 1...250 {
        world.clock.move(by: .seconds(10))
        try await app.session.record(app.fix)
      }
      try await app.session.rest(until: world.clock.now + .minutes(10))
      _ = try await app.session.startBreak()
      try await app.drain()
      world.clock.move(by: .minutes(10))
      _ = try await app.session.endBreak()
      try await app.drain()
      try await app.session.report(.foreground)
      try await app.drain()
      let status = try #require(await app.session.refresh())
      #expect(status.openShift == 1 && status.tracking.track)
      #expect(status.trackingState == "tracked")
      #expect(status.decision?.verdict == .allow)
      #expect(status.guidance?.isAcknowledged != nil)
      _ = try await app.session.clockOut()
      try await app.drain()
      let events = await app.events()
      #expect(events.clockActions == ["recorded", "recorded", "recorded", "recorded"])
      #expect(events.refusals.isEmpty)
      #expect(await app.session.waiting == 0)
      let after = try #require(await app.session.refresh())
      #expect(after.openShift == nil && after.trackingState == "off_shift")
    }
  }

  @Test("shows why it is blocked, and what helps")  // R: A8
  func blocked() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 2)
      _ = try await app.enrol()
      #expect(try await app.session.beginClockIn() == .notice(.denied, .openAppSettings))
      _ = try await app.session.clockIn(inSpiteOfBlock: "The site has no signal")
      try await app.drain()
      let events = await app.events()
      #expect(events.clockActions == ["clock_in_blocked open_app_settings block 1"])
      #expect(await app.session.waiting == 0)
    }
  }

  @Test("shows the way through the settings by the app's own name and the system's version")
  func steps() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 2)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      let remedy = try #require(await app.session.refresh()?.guidance?.remedies.first)
      #expect(remedy.steps.contains { $0.contains("Field Work") }, "\(remedy.steps)")
    }
  }

  @Test("asks for the state again without getting what it knows")
  func unchanged() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 3)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      try await app.drain()
      _ = app.answers.take()
      let first = try #require(await app.session.refresh())
      world.clock.move(by: .minutes(1))
      #expect(await app.session.refresh() == first)
      #expect(app.answers.take() == ["/v1/me 200", "/v1/me 304"])
      await app.location.become(2)
      try await app.session.report(.foreground)
      try await app.drain()
      _ = app.answers.take()
      #expect(await app.session.refresh()?.decision?.blocking == FindingSet(.denied))
      #expect(app.answers.take() == ["/v1/me 200"])
    }
  }

  // R: M5
  @Test(
    "decides as the server does, and the server keeps the decision",
    arguments: [2, 3, 4] as [Int64])
  func sameDecision(_ status: Int64) async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: status)
      _ = try await app.enrol()
      #expect(await app.session.refresh()?.rules?.policyVersion == 1)
      _ = try await app.session.clockIn(inSpiteOfBlock: "The site has no signal")
      try await app.drain()
      #expect(await app.events().clockActions.count == 1)
      #expect(world.differences.all.isEmpty)
      let kept = try await world.count(
        """
        SELECT count(*) FROM clock_action WHERE local_policy_version = 1
          AND local_blocking = blocking AND local_warning = warning
        """)
      #expect(kept == 1)
    }
  }

  @Test("tells the server that it has decided otherwise, with the numbers of the decision")
  func difference() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 3, warnsWrongly: true)
      _ = try await app.enrol()
      _ = await app.session.refresh()
      guard case .warning = try await app.session.beginClockIn(),
        case .clockIn = try await app.session.answerClockIn(.proceed)
      else {
        Issue.record("no clock-in")
        return
      }
      try await app.drain()
      try await app.drain()
      let difference = try #require(world.differences.all.first)
      #expect(world.differences.all.count == 1)
      #expect(difference.local.warning == FindingSet(.alwaysUnproven))
      #expect(difference.server.informing == FindingSet(.alwaysUnproven))
      #expect(difference.policyVersion == 1 && difference.rulesVersion == "A 1")
      #expect(difference.arguments.count == 7)
      #expect(difference.arguments.dropFirst().first == world.clock.now.milliseconds)
    }
  }

  // R: A20
  @Test("notes what it shows and how it helps, once, although every other answer is lost")
  func appEvents() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 2, losesAnswers: true)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      world.clock.move(by: .milliseconds(410))
      await app.session.note(.indicatorShown)
      _ = try await app.session.beginClockIn()
      #expect(try await app.session.answerClockIn(.proceed) == .away(.openAppSettings))
      try await app.drain()
      world.clock.move(by: .seconds(20))
      await app.location.become(3)
      guard case .clockIn = try await app.session.answerClockIn(.returned) else {
        Issue.record("no clock-in")
        return
      }
      await app.session.note(.explanationShown)
      await app.session.note(.dialogAnswered(.always))
      await app.session.note(.answerShown(clockAction: "in-1"))
      try await app.drain()
      let kinds = try await world.count("SELECT count(DISTINCT kind) FROM app_event")
      let events = try await world.count("SELECT count(*) FROM app_event")
      #expect(kinds == 7 && events == 7)
      let delays = try await world.count("SELECT sum(after_ms) FROM app_event")
      #expect(delays == 410)
    }
  }

  @Test("keeps an offline clock-in and its positions until the review is known")
  func kept() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 2)
      _ = try await app.enrol()
      _ = try await app.session.clockIn(inSpiteOfBlock: "The site has no signal")
      world.clock.move(by: .minutes(5))
      try await app.session.record(app.fix)
      world.clock.move(by: .minutes(5))
      let pause = await app.session.send()
      #expect(pause == .minutes(15))
      #expect(await app.events().clockActions == ["kept blocked pending"])
      #expect(await app.session.waiting == 2)
    }
  }

  @Test("sends the downgrade and the grant of one second as a list, and stops without a token")
  func reports() async throws {
    try await DeviceWorld.run { world in
      let app = try App(world, status: 3)
      _ = try await app.enrol()
      try await app.session.report(.launch)
      for status in [2, 3] as [Int64] {
        await app.location.become(status)
        try await app.session.report(.change)
      }
      world.clock.move(by: .seconds(1))
      try await app.drain()
      #expect(await app.session.waiting == 0)
      await app.session.acknowledge(FindingSet(.alwaysUnproven))
      #expect(await app.session.refresh()?.guidance?.isAcknowledged == true)
      await app.tokens.store("sg_7_1_wrong")
      try await app.session.signOfLife()
      #expect(await app.session.send() == nil)
      let events = await app.events()
      #expect(events.isUnauthorized && events.refusals.isEmpty)
      #expect(await app.session.waiting == 1)
    }
  }
}

/// A phone with an app that uses the library.
private final class App: Sendable {
  let world: DeviceWorld
  let session: GuardSession
  let location: AppLocation
  let tokens = AppTokens()
  private let folder: String
  /// Paths and statuses.
  let answers = Answers()

  /// - Parameter warnsWrongly: Whether it reads a team's rules wrongly: `always_unproven` warns.
  init(
    _ world: DeviceWorld, status: Int64, losesAnswers: Bool = false, warnsWrongly: Bool = false
  ) throws {
    self.world = world
    folder = NSTemporaryDirectory() + "client-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    location = AppLocation(world.clock.reading, status)
    session = try GuardSession(
      GuardSettings(
        folder: folder,
        phone: PhoneDescription(
          platform: .ios, systemVersion: "18.1", model: "iPhone", app: "A 1",
          appName: "Field Work"),
        policy: .policy(of: .standard), language: "de"),
      location: location, tokens: tokens,
      transport: AppTransport(
        world, losesAnswers: losesAnswers, warnsWrongly: warnsWrongly, answers),
      clock: ClientClock(now: world.clock.reading, chance: { 0.5 }))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var fix: RecordedPing {
    RecordedPing(
      recordedAt: world.clock.now,
      fix: Coordinate(latitude: 45.8, longitude: 15.97).map { Fix(coordinate: $0) })
  }

  func enrol() async throws -> (employee: Int64, device: Int64) {
    let enrolment = try await session.enrol(code: try await world.code())
    return (enrolment.employee, enrolment.device)
  }

  /// Sends everything, and waits whenever the library wants to wait.
  func drain() async throws {
    for _ in 0..<200 {
      guard let pause = await session.send() else { return }
      world.clock.move(by: pause)
    }
    Issue.record("it never ends")
  }

  struct Told {
    var clockActions: [String] = []
    var refusals: [String] = []
    var isUnauthorized = false
  }

  /// What was told so far. Ends the events.
  func events() async -> Told {
    var told = Told()
    await session.close()
    for await event in session.events {
      switch event {
      case .clockAction(_, _, .recorded): told.clockActions.append("recorded")
      case .clockAction(_, _, .kept(let reason, let review)):
        told.clockActions.append("kept \(reason) \(review)")
      case .clockAction(_, _, .refused(let problem)):
        let verdict = problem.decision?.verdict.code ?? "?"
        let count = problem.guidance?.remedies.count ?? 0
        told.clockActions.append(
          "\(problem.code) \(problem.action ?? "") \(verdict) \(count)")
      case .pingRefused(_, let reason): told.refusals.append(reason)
      case .reportRefused(let detail): told.refusals.append(detail ?? "")
      case .unauthorized: told.isUnauthorized = true
      default: break
      }
    }
    return told
  }
}

private actor AppLocation: LocationAdapter {
  private let now: @Sendable () -> Instant
  /// `CLAuthorizationStatus`.
  private var status: Int64

  init(_ now: @escaping @Sendable () -> Instant, _ status: Int64) {
    self.now = now
    self.status = status
  }

  func become(_ status: Int64) { self.status = status }

  func permission() -> PlatformPermission {
    PlatformPermission(
      raw: .coreLocation(
        CoreLocationValues(
          authorizationStatus: .given(status), accuracyAuthorization: .given(0),
          locationServicesEnabled: .given(true))),
      conditions: DeviceConditions(notifications: .on, backgroundRefresh: .on))
  }

  func currentFix() -> RecordedPing? {
    let coordinate = Coordinate(latitude: 45.8, longitude: 15.97)
    return coordinate.map { RecordedPing(recordedAt: now(), fix: Fix(coordinate: $0)) }
  }
}

private actor AppTokens: TokenStore {
  private var stored: String?

  func token() -> String? { stored }
  func store(_ token: String) { stored = token }
}

/// Passes requests to the routes. On request, every other answer is lost on its way back.
private struct AppTransport: GuardTransport {
  private let world: DeviceWorld
  private let losesAnswers: Bool
  private let warnsWrongly: Bool
  private let answers: Answers
  private let count = RequestCount()

  init(_ world: DeviceWorld, losesAnswers: Bool, warnsWrongly: Bool, _ answers: Answers) {
    self.warnsWrongly = warnsWrongly
    self.world = world
    self.losesAnswers = losesAnswers
    self.answers = answers
  }

  func send(_ request: GuardRequest) async throws(NoResponse) -> GuardResponse {
    var headers = HTTPHeaders(request.language.map { [("Accept-Language", $0)] } ?? [])
    headers["If-None-Match"] = request.knownTag
    do {
      let answer = try await world.send(
        request.method == "GET" ? .get : .post, request.path, request.body ?? [],
        token: request.token, headers: headers)
      let path = request.path.prefix { $0 != "?" }
      answers.add("\(path) \(answer.status)")
      // Only of uploads: other requests are not repeated by themselves.
      let mayBeLost = request.body != nil && request.path != "/v1/enrolments"
      if losesAnswers, mayBeLost, count.next() % 2 == 1 { throw NoResponse("lost") }
      let seconds = answer.headers["Retry-After"].flatMap { Int64($0) }
      return GuardResponse(
        status: answer.status, retryAfter: seconds.map { .seconds($0) },
        tag: answer.headers["ETag"], body: Array(text(of: answer).utf8))
    } catch { throw NoResponse("\(error)") }
  }

  private func text(of answer: Answer) -> String {
    guard warnsWrongly else { return answer.text }
    return answer.text.replacingOccurrences(
      of: #""warning":["#, with: #""warning":["always_unproven","#)
  }
}

private final class Answers: Sendable {
  private let answers = Lock<[String]>([])

  func add(_ answer: String) { answers.withLock { $0.append(answer) } }

  /// Those since the last call.
  func take() -> [String] {
    answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }
}

private final class RequestCount: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

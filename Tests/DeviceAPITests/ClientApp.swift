import Foundation
import GuardClient
import GuardRules
import HTTPAPI
import HTTPServing
import Lifecycle
import ShiftDomain
import Testing

/// A phone with an app that uses the library.
final class ClientApp: Sendable {
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

actor AppLocation: LocationAdapter {
  private let now: @Sendable () -> Instant
  /// `CLAuthorizationStatus`.
  private var status: Int64
  private var latitude = 45.8

  init(_ now: @escaping @Sendable () -> Instant, _ status: Int64) {
    self.now = now
    self.status = status
  }

  func become(_ status: Int64) { self.status = status }
  func move(to latitude: Double) { self.latitude = latitude }

  func permission() -> PlatformPermission {
    PlatformPermission(
      raw: .coreLocation(
        CoreLocationValues(
          authorizationStatus: .given(status), accuracyAuthorization: .given(0),
          locationServicesEnabled: .given(true))),
      conditions: DeviceConditions(notifications: .on, backgroundRefresh: .on))
  }

  func currentFix() -> RecordedPing? {
    let coordinate = Coordinate(latitude: latitude, longitude: 15.97)
    return coordinate.map { RecordedPing(recordedAt: now(), fix: Fix(coordinate: $0)) }
  }
}

actor AppTokens: TokenStore {
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
    if answers.isOffline.withLock({ $0 }) { throw NoResponse("no network") }
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

final class Answers: Sendable {
  private let answers = Lock<[String]>([])
  /// Whether there is no network, and so no answer.
  let isOffline = Lock(false)

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

import GuardClient
import GuardRules
import JSONText
import ShiftDomain
import Synchronization

/// A server in memory, which answers as `openapi.yaml` says.
actor FakeServer: GuardTransport {
  /// What the next requests get instead of their usual answers; `nil`: no response at all.
  private var script: [GuardResponse?] = []
  private(set) var requests: [GuardRequest] = []
  private(set) var stored: [String] = []
  private var known: Set<String> = []
  private(set) var sequences: [Int64] = []
  /// Why pings of these times are refused.
  private var refusals: [String: String] = [:]
  /// A ping of this time makes the server refuse the whole upload.
  private var poison: String?
  private var reviews: [String: String] = [:]
  private var commands: [String] = []
  private var tracks = true
  private var pingInterval: Int64 = 60
  /// What the next streams consist of.
  private var streams: [String] = []
  /// What goes wrong at random; `nil`: nothing.
  private var mishaps: SeededNumbers?
  private var interruption: (@Sendable () async -> Void)?

  func answerNext(_ responses: GuardResponse?...) { script += responses }
  func refuse(_ recordedAt: Instant, _ reason: String?) { refusals[recordedAt.rfc3339] = reason }
  func spoil(_ recordedAt: Instant) { poison = recordedAt.rfc3339 }
  /// Keeps clock actions of this kind: `pending`, `accepted`, `dismissed`; `nil`: no longer.
  func review(_ path: String, _ review: String?) { reviews[path] = review }
  /// Runs this while the next request is under way.
  func meanwhile(_ interruption: @escaping @Sendable () async -> Void) {
    self.interruption = interruption
  }
  func mishap(_ seed: Int?) { mishaps = seed.map(SeededNumbers.init) }
  /// The commands of the next answer.
  func command(_ commands: String...) { self.commands = commands }

  func track(_ tracks: Bool = true, every seconds: Int64 = 60) {
    (self.tracks, pingInterval) = (tracks, seconds)
  }
  func streamNext(_ text: String) { streams.append(text) }

  var paths: [String] { requests.map(\.path) }

  func send(_ request: GuardRequest) async throws(NoResponse) -> GuardResponse {
    requests.append(request)
    if let interruption {
      self.interruption = nil
      await interruption()
    }
    if !script.isEmpty {
      guard let response = script.removeFirst() else { throw NoResponse("unreachable") }
      return response
    }
    switch mishaps?.below(8) {
    case 0: throw NoResponse("lost on the way there")
    case 1:
      _ = handle(request)
      throw NoResponse("lost on the way back")
    case 2: return .problem(503, "overloaded", after: 3)
    case 3: return GuardResponse(status: 200, body: Array("<html>".utf8))
    default: return handle(request)
    }
  }

  func stream(
    _ request: GuardRequest, _ part: @escaping @Sendable ([UInt8]) -> Void
  ) async throws(NoResponse) -> GuardResponse {
    requests.append(request)
    guard request.token == "sg_7_1_x" else { return .problem(401, "unauthorized") }
    guard !streams.isEmpty else { throw NoResponse("unreachable") }
    for byte in streams.removeFirst().utf8 { part([byte]) }
    return GuardResponse(status: 200)
  }

  private func handle(_ request: GuardRequest) -> GuardResponse {
    guard request.path == "/v1/enrolments" || request.token == "sg_7_1_x" else {
      return .problem(401, "unauthorized")
    }
    let value = request.body.flatMap { try? JSONValue(parsing: $0) }
    guard let fields = try? JSONFields(value ?? .object(JSONObject())) else {
      return .problem(400, "malformed_json")
    }
    return answer(request.path, fields)
  }

  private func answer(_ path: String, _ fields: JSONFields) -> GuardResponse {
    switch path {
    case "/v1/enrolments":
      let notice: JSONValue = ["version": .integer(1), "text": "We store positions."]
      return .json(
        201, ["token": "sg_7_1_x", "employee": 7, "device": 1, "privacyNotice": notice])
    case "/v1/pings": return pings(fields)
    case "/v1/permission-reports": return reports(fields)
    case "/v1/me/app-events":
      let events = (try? fields.elements("events")) ?? []
      return .json(200, ["results": .array(events.map { _ in ["status": "stored"] })])
    case "/v1/me/rule-differences": return GuardResponse(status: 204)
    case "/v1/clock-in", "/v1/clock-out", "/v1/break-start", "/v1/break-end", "/v1/take-over":
      if reviews[path] == "too_many_waiting" { return .problem(429, "too_many_waiting") }
      guard let review = reviews[path] else {
        let shift: JSONValue = [
          "employee": .integer(7), "number": .integer(3), "startedAt": "2026-11-20T09:30:00.000Z",
        ]
        return .json(path == "/v1/clock-in" ? 201 : 200, status().adding(["shift": shift]))
      }
      return .json(
        202,
        status().adding(["clockAction": 1, "reason": "too_old", "review": .string(review)]))
    default: return .json(200, status())
    }
  }

  private func pings(_ fields: JSONFields) -> GuardResponse {
    let items = (try? fields.elements("pings")) ?? []
    var results: [JSONValue] = []
    for item in items {
      guard let ping = try? JSONFields(item), let time = try? ping.text("recordedAt", max: 40)
      else { return .problem(422, "invalid_body") }
      if time == poison { return .problem(422, "invalid_body") }
      if let reason = refusals[time] {
        results.append(["status": "refused", "reason": .string(reason)])
      } else if !known.insert(time).inserted {
        results.append(["status": "duplicate"])
      } else {
        stored.append(time)
        results.append(["status": "stored"])
      }
    }
    return .json(200, tracking().adding(["results": .array(results)]))
  }

  private func reports(_ fields: JSONFields) -> GuardResponse {
    let items = (try? fields.elements("reports")) ?? []
    let results = items.map { item -> JSONValue in
      guard let sequence = try? JSONFields(item).integer("sequence", in: 0...Int64.max) else {
        return ["disposition": "refused", "detail": "`sequence` is missing"]
      }
      sequences.append(sequence)
      return ["disposition": "in_force", "id": "1"]
    }
    return .json(201, status().adding(["results": .array(results)]))
  }

  private func status() -> JSONObject {
    let object: JSONObject = [
      "decision": ["verdict": "allow", "findings": []], "guidance": ["remedies": []],
      "incidents": [], "trackingState": ["state": "tracked", "asOf": "2026-11-20T09:30:00.000Z"],
    ]
    return object.adding(tracking())
  }

  var trackingOrder: JSONObject {
    [
      "track": .bool(tracks), "pingInterval": .integer(pingInterval), "maxFixAge": 180,
      "heartbeat": 60,
      "policyVersion": 1,
    ]
  }

  private func tracking() -> JSONObject {
    defer { commands = [] }
    return [
      "tracking": .object(trackingOrder),
      "commands": .array(commands.map { .string($0) }),
    ]
  }
}

extension GuardResponse {
  static func json(_ status: Int, _ object: JSONObject) -> GuardResponse {
    GuardResponse(status: status, body: JSONValue.object(object).bytes)
  }

  static func problem(_ status: Int, _ code: String, after seconds: Int64? = nil) -> GuardResponse {
    GuardResponse(
      status: status, retryAfter: seconds.map { .seconds($0) },
      body: JSONValue.object(["code": .string(code), "detail": "in words"]).bytes)
  }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let time = Mutex(Instant(milliseconds: 1_780_000_000_000))

  var now: Instant { time.withLock { $0 } }
  var client: ClientClock { ClientClock(now: { self.now }, chance: { 1 }) }

  func move(_ span: TimeSpan) { time.withLock { $0 = $0 + span } }
}

/// What was told, in order.
final class EventLog: Sendable {
  private let log = Mutex<[ClientEvent]>([])

  var events: [ClientEvent] { log.withLock { $0 } }

  func add(_ event: ClientEvent) { log.withLock { $0.append(event) } }
}

actor FakeTokens: TokenStore {
  private var stored: String?
  private var interruption: (@Sendable () async -> Void)?
  private var storing: (@Sendable () async -> Void)?

  init(_ token: String? = "sg_7_1_x") { stored = token }

  /// Replaces the token while the next one to ask for it waits.
  func meanwhile(_ interruption: @escaping @Sendable () async -> Void) {
    self.interruption = interruption
  }

  /// Runs this after a token was stored, before the one who stores it goes on.
  func whenStored(_ storing: @escaping @Sendable () async -> Void) { self.storing = storing }

  func token() async -> String? {
    let token = stored
    if let interruption {
      self.interruption = nil
      stored = "sg_7_1_x"
      await interruption()
    }
    return token
  }

  func store(_ token: String) async {
    stored = token
    await storing?()
  }
}

actor FakeLocation: LocationAdapter {
  private var current: PlatformPermission
  private var fix: RecordedPing?
  private(set) var fixesAsked = 0
  private var finding: (@Sendable () async -> Void)?
  private var interruption: (@Sendable () async -> Void)?

  /// - Parameter status: `CLAuthorizationStatus`.
  init(_ status: Int64) { current = Self.permission(status) }

  func become(_ status: Int64) { current = Self.permission(status) }
  func find(_ fix: RecordedPing?) { self.fix = fix }

  /// Runs this while the next reading is under way, whose value is older.
  func meanwhile(_ interruption: @escaping @Sendable () async -> Void) {
    self.interruption = interruption
  }

  func permission() async -> PlatformPermission {
    let permission = current
    if let interruption {
      self.interruption = nil
      await interruption()
    }
    return permission
  }

  /// Runs this while the next position is looked for.
  func meanwhileFinding(_ finding: @escaping @Sendable () async -> Void) { self.finding = finding }

  func currentFix() async -> RecordedPing? {
    fixesAsked += 1
    await finding?()
    return fix
  }

  private static func permission(_ status: Int64) -> PlatformPermission {
    PlatformPermission(
      raw: .coreLocation(
        CoreLocationValues(
          authorizationStatus: .given(status), accuracyAuthorization: .given(0),
          locationServicesEnabled: .given(true))))
  }
}

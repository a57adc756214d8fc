import HTTPServing
import JSONText
import ShiftDomain

/// An employee with their phones, as far as the phones know.
struct DayEmployee: Sendable {
  let number: Int32
  let language: String
  /// The phones' tokens.
  let tokens: [String]
  /// The index of the phone that sends.
  private(set) var tracker = 0
  private(set) var isOnShift = false
  private(set) var isOnBreak = false
  /// When they last clocked in or out, began or ended a break, or changed phones. Nobody is
  /// notified of incidents that such an action ends.
  private(set) var actedAt: Instant?
  private var authorization = "always"
  private var services = "on"
  private var accuracy = "full"
  private var isOff = false
  private var isOffline = false
  private var sequence = 0
  private var actions = 0
  private var queuedPings: [JSONValue] = []
  private var queuedReports: [JSONValue] = []
  /// The requests whose answer the rules do not have.
  private(set) var complaints: [String] = []

  init(_ number: Int32, language: String, tokens: [String]) {
    (self.number, self.language, self.tokens) = (number, language, tokens)
  }

  private var canLocate: Bool {
    services == "on" && ["always", "when_in_use"].contains(authorization)
  }

  /// Performs an event on the phone, which keeps what it cannot send.
  mutating func perform(_ event: DayEvent, with works: Clockwork) async throws {
    switch event {
    case .clockIn: try await clockIn(works)
    case .clockOut:
      guard isOnShift, reaches else { return }
      (isOnShift, isOnBreak) = (false, false)
      try await act("clock-out", works)
    case .breakStart:
      guard isOnShift, !isOnBreak, reaches else { return }
      isOnBreak = true
      try await act("break-start", works)
    case .breakEnd:
      guard isOnBreak, reaches else { return }
      isOnBreak = false
      try await act("break-end", works)
    case .takeOver:
      guard isOnShift, reaches, tokens.count > 1 else { return }
      tracker = 1 - tracker
      try await act("take-over", works, ["report": report(works)])
    case .authorization(let word):
      authorization = word
      try await sendReport(works)
    case .services(let word):
      services = word
      try await sendReport(works)
    case .accuracy(let word):
      accuracy = word
      try await sendReport(works)
    case .flicker: try await flicker(works)
    case .isOff(let isOff):
      self.isOff = isOff
      if !isOff { try await comeBack(works) }
    case .isOffline(let isOffline):
      self.isOffline = isOffline
      if !isOffline { try await comeBack(works) }
    case .fix: try await fix(works)
    case .open, .close: break
    }
  }

  private var reaches: Bool { !isOff && !isOffline }

  // MARK: Requests

  private mutating func clockIn(_ works: Clockwork) async throws {
    guard reaches else { return }
    isOnShift = true
    try await act("clock-in", works, ["report": report(works)])
  }

  private mutating func act(_ action: String, _ works: Clockwork, _ more: JSONObject = [:])
    async throws
  {
    actions += 1
    actedAt = works.clock.now
    let body: JSONObject = [
      "actionId": .string("\(action)-\(actions)"), "sentAt": JSONValue(works.clock.now),
    ]
    let answer = try await send("/v1/\(action)", .object(body.adding(more)), works)
    if action == "clock-in", answer.status == 409 { isOnShift = false }
  }

  private mutating func report(_ works: Clockwork) -> JSONValue {
    sequence += 1
    return [
      "recordedAt": JSONValue(works.clock.now), "sequence": JSONValue(sequence),
      "authorization": .string(authorization), "accuracy": .string(accuracy),
      "services": .string(services),
    ]
  }

  /// Reports what holds now, or queues the report while offline.
  private mutating func sendReport(_ works: Clockwork) async throws {
    guard !isOff else { return }
    let report = report(works)
    guard !isOffline else { return queuedReports.append(report) }
    try await send(
      "/v1/permission-reports", report.adding("sentAt", JSONValue(works.clock.now)), works)
  }

  private mutating func flicker(_ works: Clockwork) async throws {
    guard reaches, authorization == "always" else { return }
    authorization = "denied"
    try await sendReport(works)
    authorization = "always"
    try await sendReport(works)
  }

  private mutating func fix(_ works: Clockwork) async throws {
    guard isOnShift, !isOnBreak, !isOff else { return }
    var ping: JSONObject = ["recordedAt": JSONValue(works.clock.now)]
    if canLocate {
      ping = ping.adding(["latitude": .number(52.5), "longitude": .number(13.4)])
    } else if number % 3 == 0 {
      // This app is silent when it cannot locate.
      return
    }
    guard !isOffline else { return queuedPings.append(.object(ping)) }
    try await send(
      "/v1/pings", .object(ping.adding(["sentAt": JSONValue(works.clock.now)])), works)
  }

  private mutating func comeBack(_ works: Clockwork) async throws {
    guard reaches else { return }
    let now = JSONValue(works.clock.now)
    let (reports, pings) = (queuedReports, queuedPings)
    (queuedReports, queuedPings) = ([], [])
    if !reports.isEmpty {
      try await send(
        "/v1/permission-reports", ["sentAt": now, "reports": .array(reports)], works)
    }
    if !pings.isEmpty {
      try await send("/v1/pings", ["sentAt": now, "pings": .array(pings)], works)
    }
    try await sendReport(works)
    try await fix(works)
  }

  @discardableResult
  private mutating func send(_ path: String, _ body: JSONValue, _ works: Clockwork)
    async throws -> Answer
  {
    var headers = HTTPHeaders()
    headers["Authorization"] = "Bearer \(tokens[tracker])"
    headers["Accept-Language"] = language
    let answer = Answer(
      await works.take(
        try HTTPRequest(.post, path, headers: headers, body: body.bytes)))
    if answer.status >= 300, answer.status != 409 {
      complaints.append("\(path) \(body.shortened): \(answer.status) \(answer.json.shortened)")
    }
    return answer
  }
}

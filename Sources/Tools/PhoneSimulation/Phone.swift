import Foundation
import GuardClient
import JSONText
import ShiftDomain

/// One phone: performs steps, keeps its state and returns the outcomes.
struct Phone {
  let name: String
  let client: PhoneClient
  let recordings: [String: Recording]
  let onActivity: @Sendable (Activity) -> Void
  /// `nil` until the phone is enrolled.
  var memory: PhoneMemory?
  private let builder = ReportBuilder()

  /// Performs one step. Never throws: failures are part of the outcome.
  mutating func perform(_ step: Step) async -> Outcome {
    var outcome = Outcome(step, of: name)
    onActivity(Activity(phone: name, text: step.text))
    do {
      try await act(step.act, &outcome)
    } catch let error as PhoneClient.NoReply {
      outcome.requests += error.requests
      outcome.failure = "no answer: \(error.reason)"
    } catch let error as CannotAct {
      outcome.failure = error.reason
    } catch {
      outcome.failure = "\(error)"
    }
    outcome.judge(by: step.expectations)
    return outcome
  }

  /// The phone cannot perform the step.
  struct CannotAct: Error {
    var reason: String
  }

  private mutating func act(_ act: Act, _ outcome: inout Outcome) async throws {
    switch act {
    case .enrol(let code, let phone, let canReport):
      try await enrol(.enrolment(code: code, phone: phone, canReport: canReport), &outcome)
    case .become(let change):
      try update { $0.permission = change.applied(to: $0.permission) }
    case .report(let change, let trigger):
      if let change { try update { $0.permission = change.applied(to: $0.permission) } }
      try await send(.report(try newReport(trigger, at: client.timing.now())), &outcome)
    case .check: try await ask("POST", "/v1/guard/check", body: [], &outcome)
    case .look: try await ask("GET", "/v1/me", &outcome)
    case .clockAction(let kind, let withReport):
      let report = withReport ? try newReport(at: client.timing.now()) : nil
      try await clockAction(kind, report: report, &outcome)
    case .ping(let position, let accuracy, let stationary):
      if let position { try update { $0.position = position } }
      let ping = RecordedPing(
        recordedAt: client.timing.now(), fix: position?.fix(accuracy: accuracy),
        isStationary: stationary)
      try await send(.pings([ping]), &outcome)
    case .play(let play):
      try await self.play(play, &outcome)
    case .stayQuiet(let span):
      await client.timing.wait(span)
    }
  }

  private mutating func enrol(_ request: GuardRequest, _ outcome: inout Outcome) async throws {
    let reply = try await client.send { _ in request }
    outcome.add(reply)
    guard reply.status == 201 else { return }
    guard let token = try? reply.answer?.shown("token") else {
      throw CannotAct(reason: "the response to the enrolment has no token")
    }
    memory = PhoneMemory(token: token)
  }

  private mutating func ask(
    _ method: String, _ path: String, body: [UInt8]? = nil, _ outcome: inout Outcome
  ) async throws {
    let request = GuardRequest(method, path, token: try token(), body: body)
    try await apply(try await client.send { _ in request }, &outcome)
  }

  /// - Parameter at: `nil`: now.
  mutating func clockAction(
    _ kind: ClockActionKind, at: Instant? = nil, report: JSONObject? = nil,
    _ outcome: inout Outcome
  ) async throws {
    let action = builder.clockAction(id: UUID().uuidString, at: at, report: report)
    try await send(.clockAction(kind, JSONValue.object(action).bytes), &outcome)
  }

  /// Sends a request with the phone's token and records the response.
  mutating func send(_ request: StampedRequest, _ outcome: inout Outcome) async throws {
    let token = try token()
    try await apply(try await client.send { request.attempt(at: $0, token: token) }, &outcome)
  }

  /// Records a response. If it asks for a fix, sends one at once, like an app that has just got its
  /// permission back.
  private mutating func apply(_ reply: PhoneClient.Reply, _ outcome: inout Outcome) async throws {
    let answered = ContinuousClock.now
    outcome.add(reply)
    guard reply.answer?.wantsFixNow == true, let memory, let position = memory.position
    else { return }
    let ping = RecordedPing(recordedAt: client.timing.now(), fix: position.fix())
    let pings = StampedRequest.pings([ping])
    outcome.add(try await client.send { pings.attempt(at: $0, token: memory.token) })
    outcome.fix = ContinuousClock.now - answered
  }

  /// A report of the current permission with the next sequence number.
  mutating func newReport(
    _ trigger: String? = ReportTrigger.clockIn.rawValue, at: Instant
  ) throws -> JSONObject {
    guard let permission = memory?.permission else {
      throw CannotAct(reason: "no permission to report: use `\(name) is …` or `\(name) report …`")
    }
    let sequence = memory?.sequence ?? 0
    try update { $0.sequence += 1 }
    return builder.report(permission.state, sequence: Int64(sequence), trigger: trigger, at: at)
  }

  private func token() throws -> String {
    guard let memory else { throw notEnrolled }
    return memory.token
  }

  mutating func update(_ change: (inout PhoneMemory) -> Void) throws {
    guard var memory else { throw notEnrolled }
    change(&memory)
    self.memory = memory
  }

  private var notEnrolled: CannotAct {
    CannotAct(reason: "not enrolled: use `phone \(name) code …`, or --state with an earlier file")
  }
}

extension Position {
  /// A fix here.
  func fix(accuracy: Double? = nil, altitude: Double? = nil) -> Fix? {
    coordinate.map { Fix(coordinate: $0, accuracyMeters: accuracy, altitudeMeters: altitude) }
  }
}

import Foundation
import ShiftDomain

/// One phone: performs steps, keeps its state and returns the outcomes.
struct Phone {
  let name: String
  let client: PhoneClient
  let recordings: [String: Recording]
  let onActivity: @Sendable (Activity) -> Void
  /// `nil` until the phone is enrolled.
  var memory: PhoneMemory?

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
    case .enrol(let code, let phone):
      try await enrol(code, phone, &outcome)
    case .become(let change):
      try update { $0.permission = change.applied(to: $0.permission) }
    case .report(let change, let trigger):
      if let change { try update { $0.permission = change.applied(to: $0.permission) } }
      try await send("/v1/permission-reports", try newReport(trigger: trigger), &outcome)
    case .check:
      try await apply(try await client.ask("POST", "/v1/guard/check", token: token()), &outcome)
    case .look:
      try await apply(try await client.ask("GET", "/v1/me", token: token()), &outcome)
    case .clockIn(let withReport):
      var clockAction = ClockActionBody(actionId: UUID().uuidString)
      if withReport { clockAction.report = try newReport(trigger: "clock_in") }
      try await send("/v1/clock-in", clockAction, &outcome)
    case .clockOut: try await clockAction("/v1/clock-out", &outcome)
    case .startBreak: try await clockAction("/v1/break-start", &outcome)
    case .endBreak: try await clockAction("/v1/break-end", &outcome)
    case .takeOver: try await clockAction("/v1/take-over", &outcome)
    case .ping(let position, let accuracy, let stationary):
      if let position { try update { $0.position = position } }
      var ping = PingBody(now: client.timing.now(), position: position, accuracy: accuracy)
      ping.stationary = stationary ? true : nil
      try await send("/v1/pings", PingsBody(pings: [ping]), &outcome)
    case .play(let play):
      try await self.play(play, &outcome)
    case .stayQuiet(let span):
      await client.timing.wait(span)
    }
  }

  private mutating func enrol(
    _ code: String, _ phone: NewPhone, _ outcome: inout Outcome
  ) async throws {
    let reply = try await client.enrol(EnrolmentBody(code: code, phone: phone))
    outcome.requests += reply.requests
    outcome.add(status: reply.status, answer: reply.answer, roundTrip: reply.roundTrip)
    guard reply.status == 201 else { return }
    guard let token = reply.answer?.token, let employee = reply.answer?.employee?.value,
      let device = reply.answer?.device?.value
    else { throw CannotAct(reason: "the response to the enrolment has no token") }
    memory = PhoneMemory(token: token, employee: employee, device: device)
  }

  private mutating func clockAction(_ path: String, _ outcome: inout Outcome) async throws {
    try await send(path, ClockActionBody(actionId: UUID().uuidString), &outcome)
  }

  /// Sends a body with the phone's token and records the response.
  mutating func send(
    _ path: String, _ body: some Stamped, _ outcome: inout Outcome
  ) async throws {
    try await apply(try await client.post(path, body, token: token()), &outcome)
  }

  /// Records a response. If it asks for a fix, sends one at once, like an app that has just got its
  /// permission back.
  private mutating func apply(_ reply: PhoneClient.Reply, _ outcome: inout Outcome) async throws {
    let answered = ContinuousClock.now
    outcome.requests += reply.requests
    outcome.add(status: reply.status, answer: reply.answer, roundTrip: reply.roundTrip)
    if let server = reply.detection {
      outcome.detections.append(.init(server: server, roundTrip: reply.roundTrip))
    }
    guard reply.answer?.commands?.contains("send_fix_now") == true,
      let position = memory?.position
    else { return }
    let ping = PingBody(now: client.timing.now(), position: position)
    let fix = try await client.post("/v1/pings", PingsBody(pings: [ping]), token: token())
    outcome.requests += fix.requests
    outcome.add(status: fix.status, answer: fix.answer, roundTrip: fix.roundTrip)
    outcome.fix = ContinuousClock.now - answered
  }

  /// A report of the current permission with the next sequence number.
  mutating func newReport(trigger: String?) throws -> ReportBody {
    guard let permission = memory?.permission else {
      throw CannotAct(reason: "no permission to report: use `\(name) is …` or `\(name) report …`")
    }
    let sequence = memory?.sequence ?? 0
    try update { $0.sequence += 1 }
    return ReportBody(
      recordedAt: client.timing.now().rfc3339, sequence: sequence, trigger: trigger,
      permission: permission)
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

extension PingBody {
  /// A ping recorded now.
  init(now: Instant, position: Position?, accuracy: Double? = nil, altitude: Double? = nil) {
    recordedAt = now.rfc3339
    latitude = position?.latitude
    longitude = position?.longitude
    self.accuracy = accuracy
    self.altitude = altitude
  }
}

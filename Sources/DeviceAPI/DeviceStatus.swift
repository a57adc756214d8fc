import APIMessages
import GuardRules
import Guidance
import HTTPServing
import JSONText
import ShiftDomain
import ShiftOperations

/// Every status that a phone can be answered, in one place. It tells the truth to a client that
/// reads nothing else.
enum DeviceStatus {
  static func enrolled(_ enrolment: Enrolment) -> HTTPResponse {
    .object(enrolment.message, status: 201)
  }

  /// There is no such code, or it was used or has expired.
  static let noSuchCode =
    Problem.notFound(code: "enrolment_code_unknown", "there is no such code to be used")
    .response()

  /// 201 when something new was stored, whatever became of other items of a list.
  static func reported(
    _ outcome: ReportUploadOutcome, of upload: ReportUpload, in language: Language
  ) -> HTTPResponse {
    var headers = HTTPHeaders()
    headers["Server-Timing"] = outcome.detection.map { "detection;dur=\($0.millisecondsText)" }
    let results = upload.results(outcome.items)
    let head = upload.isList ? ["results": JSONValue(results) { $0 }] : results.first ?? [:]
    let isNew = outcome.items.contains { $0.disposition != .duplicate }
    return .object(
      head.adding(
        outcome.snapshot.message(
          in: language, commands: outcome.wantsFixNow ? [.sendFixNow] : [])),
      status: isNew ? 201 : 200, headers: headers
    ).guiding(in: language)
  }

  /// 200 whatever became of the items: each has its own answer.
  static func pinged(_ results: [PingAnswer], _ advice: [UInt8]) -> HTTPResponse {
    .json(PingAnswerText(results, advice).bytes)
  }

  static func present(_ present: Snapshot, in language: Language) -> HTTPResponse {
    .object(present.message(in: language)).guiding(in: language)
  }

  static func me(_ present: Snapshot, in language: Language) -> HTTPResponse {
    .object(present.whoAmI.adding(present.message(in: language))).guiding(in: language)
  }

  static func answer(
    to outcome: ClockInOutcome, _ present: Snapshot, leavingOut fixFault: BodyFault? = nil,
    in language: Language
  ) -> HTTPResponse {
    switch outcome {
    case .clockedIn(let shift, let decision):
      return .object(
        // The repeat of an old one finds the shift ended, perhaps.
        present.message(
          of: shift, decision, in: language, commands: present.isTracking ? [.sendFixNow] : []
        ).naming(fixFault),
        status: 201, headers: ["Location": shift.coveragePath]
      ).guiding(in: language)
    case .alreadyOpen(let shift):
      return .object(
        present.message(of: shift, present.decision, in: language).naming(fixFault)
      ).guiding(in: language)
    case .kept(let action): return kept(action, present, fixFault, in: language)
    case .openElsewhere(let shift):
      return Problem.conflict("open_elsewhere", "a shift is open on another phone")
        .adding([
          "action": JSONValue(word: ActionCode.takeOver), "shift": .object(JSONObject(shift)),
        ])
        .adding(present.settings()).response()
    case .blocked(let decision):
      let guidance = present.texts(for: decision, in: language)
      return Problem.conflict("clock_in_blocked", "the permissions do not allow to clock in")
        .adding([
          "action": guidance.remedies.first.map { JSONValue(word: $0.action) },
          "decision": .object(JSONObject(decision)), "guidance": .object(JSONObject(guidance)),
        ])
        .adding(present.settings()).response().guiding(in: language)
    case .overlaps:
      return Problem.conflict("overlaps_shift", "the tap overlaps a shift that has ended")
        .adding(present.settings()).response()
    }
  }

  /// Whoever tracks from now on, or again, is asked for a position at once.
  static func answer(
    to outcome: WorkOutcome, _ present: Snapshot, leavingOut fixFault: BodyFault? = nil,
    in language: Language
  ) -> HTTPResponse {
    switch outcome {
    case .done(let shift):
      return .object(
        present.message(
          of: shift, present.decision, in: language,
          commands: present.isTracking ? [.sendFixNow] : []
        ).naming(fixFault)
      ).guiding(in: language)
    case .kept(let action): return kept(action, present, fixFault, in: language)
    case .noOpenShift:
      return Problem.conflict("no_open_shift", "no shift is open")
        .adding(present.settings()).response()
    case .endsBeforeStart(let shift): return endsBeforeStart(shift, present)
    case .notOnBreak(let shift):
      return conflict("not_on_break", "there is no break to end", shift, present)
    case .outOfOrder(let shift):
      return conflict("out_of_order", "it lies before what happened already", shift, present)
    }
  }

  static func answer(
    to outcome: EndConfirmation, _ present: Snapshot, in language: Language
  ) -> HTTPResponse {
    switch outcome {
    case .confirmed(let shift):
      return .object(present.message(of: shift, present.decision, in: language))
        .guiding(in: language)
    case .unknownShift:
      return Problem.notFound("you have no such shift").adding(present.settings()).response()
    case .notAsked(let shift):
      return conflict("end_not_asked", "the shift's end is not in question", shift, present)
    case .endsBeforeStart(let shift): return endsBeforeStart(shift, present)
    case .endsAfterLimit(let shift):
      return conflict(
        "ends_after_limit", "the end lies behind the one at the limit", shift, present)
    }
  }

  /// `KeptClockAction`: 202, for a manager has to look at it.
  private static func kept(
    _ action: KeptAction, _ present: Snapshot, _ fixFault: BodyFault?, in language: Language
  ) -> HTTPResponse {
    let isOpen = action.shift?.number == present.shift?.number
    let shift = isOpen ? nil : action.shift
    return .object(
      present.message(in: language).without(shift == nil ? nil : "shift")
        .adding([
          "attempt": JSONValue(action.attempt), "reason": JSONValue(word: action.reason),
          "review": .string(action.review?.code ?? "pending"),
          "shift": shift.map { .object(JSONObject($0)) },
        ]).naming(fixFault),
      status: 202
    ).guiding(in: language)
  }

  private static func endsBeforeStart(_ shift: ShiftID, _ present: Snapshot) -> HTTPResponse {
    conflict("ends_before_start", "the end lies before the shift's beginning", shift, present)
  }

  private static func conflict(
    _ code: String, _ detail: String, _ shift: ShiftID, _ present: Snapshot
  ) -> HTTPResponse {
    Problem.conflict(code, detail).adding(["shift": .object(JSONObject(shift))])
      .adding(present.settings()).response()
  }
}

extension JSONObject {
  /// This with why the optional fix of a tap was left out.
  fileprivate func naming(_ fixFault: BodyFault?) -> JSONObject {
    guard let fixFault else { return self }
    return adding([
      "fix": .object(["status": "invalid", "pointer": .string(fixFault.pointer)])
    ])
  }

  /// This without the member of that name.
  fileprivate func without(_ name: String?) -> JSONObject {
    name.map { name in JSONObject(members.filter { $0.name != name }) } ?? self
  }
}

extension HTTPResponse {
  /// The same answer, saying that its guidance is in `language` and that the request chose that.
  fileprivate func guiding(in language: Language) -> HTTPResponse {
    var answer = self
    answer.headers["Content-Language"] = language.code
    answer.headers["Vary"] = "Accept-Language"
    return answer
  }
}

/// The problem that `error` is to the phone.
func problem(for error: any Error) -> Problem {
  switch error {
  case let error as JSONSyntaxError: .malformed(error)
  case let fault as BodyFault: .invalidBody(fault)
  case let error as TooManyItems:
    Problem(
      status: 413, code: "too_many_items",
      detail: "an upload may have at most \(error.max) items")
  case let fault as QueryFault: .invalidQuery(fault)
  case let error as OperationError: problem(for: error)
  default: .internalError
  }
}

private func problem(for error: OperationError) -> Problem {
  switch error {
  case .unauthorized: .unauthorized
  case .unavailable: .unavailable
  case .outcomeUnknown: .outcomeUnknown
  case .attemptReused:
    .conflict("attempt_reused", "this `attemptId` was used for another tap")
  case .notFound(let what): .notFound("\(what) does not exist")
  case .invalid(let what, at: ""): Problem(status: 422, code: "invalid_request", detail: what)
  case .invalid(let what, let pointer): .invalidBody(BodyFault(at: pointer, what))
  case .conflict, .broken: .internalError
  }
}

/// What the log should know of `error`; `nil` where only the phone is at fault.
func failure(behind error: any Error) -> String? {
  switch error {
  case is JSONSyntaxError, is BodyFault, is QueryFault, is TooManyItems: return nil
  case let error as OperationError:
    switch error {
    case .unavailable(let detail): return "unavailable: \(detail)"
    case .outcomeUnknown: return "outcome unknown"
    case .broken(let detail): return "broken: \(detail)"
    case .conflict(let constraint): return "broken: \(constraint) refuses every try"
    case .unauthorized, .notFound, .invalid, .attemptReused: return nil
    }
  // Its text might hold anything.
  default: return "unexpected \(type(of: error))"
  }
}

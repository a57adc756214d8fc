import APIJSON
import DeviceOperations
import GuardRules
import Guidance
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

/// Every response to a phone, in one place. The status alone is enough for a client that reads
/// nothing else.
enum DeviceStatus {
  static func enrolled(_ enrolment: Enrolment) -> HTTPResponse {
    .object(enrolment.json, status: 201)
  }

  /// The code is unknown, used or expired.
  static let noSuchCode =
    Problem.notFound(
      code: "enrolment_code_unknown", "the enrolment code is unknown, expired or already used"
    ).response()

  /// The token of an app from a store, which is in addresses that proxies log.
  static let storeAppToken =
    Problem(
      status: 403, code: "store_app_token",
      detail: "this is the token of an app from a store; it is valid only at that app's address"
    ).response()

  /// 201 when something new was stored, whatever the results of the other items of a list.
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
        outcome.snapshot.json(
          in: language, commands: outcome.wantsFixNow ? [.sendFixNow] : [])),
      status: isNew ? 201 : 200, headers: headers
    ).guiding(in: language)
  }

  /// 200 whatever the results of the items: each has its own.
  static func pinged(_ text: [UInt8]) -> HTTPResponse { pinged.carrying(text) }

  private static let pinged = HTTPResponse.json([]).hidden.prepared

  static func present(_ present: Snapshot, in language: Language) -> HTTPResponse {
    .object(present.json(in: language)).guiding(in: language)
  }

  static func me(_ body: JSONObject, _ tag: StatusTag, in language: Language) -> HTTPResponse {
    HTTPResponse.object(body, headers: ["ETag": tag.text]).guiding(in: language)
  }

  /// The status is what the device knows, although its `asOf` is later.
  static func unchanged(_ tag: StatusTag) -> HTTPResponse {
    HTTPResponse(status: 304, headers: ["ETag": tag.text, "Vary": "Accept-Language"])
  }

  static func answer(
    to outcome: ClockInOutcome, _ present: Snapshot, leavingOut fixFault: BodyFault? = nil,
    in language: Language
  ) -> HTTPResponse {
    switch outcome {
    case .clockedIn(let shift, let decision):
      return .object(
        // When an old clock-in is repeated, the shift may have ended.
        present.json(
          of: shift, decision, in: language, commands: present.isTracking ? [.sendFixNow] : []
        ).naming(fixFault),
        status: 201, headers: ["Location": shift.coveragePath]
      ).guiding(in: language)
    case .alreadyOpen(let shift):
      return .object(
        present.json(of: shift, present.decision, in: language).naming(fixFault)
      ).guiding(in: language)
    case .kept(let action): return kept(action, present, fixFault, in: language)
    case .openElsewhere(let shift):
      return refused(
        "open_elsewhere", "a shift is open on another phone",
        ["action": JSONValue(word: ActionCode.takeOver), "shift": .object(JSONObject(shift))],
        present, fixFault)
    case .blocked(let decision):
      let guidance = present.texts(for: decision, in: language)
      return refused(
        "clock_in_blocked", "the rules of the team do not allow clock-in",
        [
          "action": guidance.remedies.leading.map { JSONValue(word: $0.action) },
          "decision": .object(JSONObject(decision)), "guidance": .object(JSONObject(guidance)),
        ], present, fixFault
      ).guiding(in: language)
    case .overlaps:
      return refused(
        "overlaps_shift", "the clock-in overlaps a shift that has ended", [:], present, fixFault)
    }
  }

  /// A device that starts or resumes tracking is asked for a position at once.
  static func answer(
    to outcome: ClockActionOutcome, _ present: Snapshot, leavingOut fixFault: BodyFault? = nil,
    in language: Language
  ) -> HTTPResponse {
    switch outcome {
    case .done(let shift):
      return .object(
        present.json(
          of: shift, present.decision, in: language,
          commands: present.isTracking ? [.sendFixNow] : []
        ).naming(fixFault)
      ).guiding(in: language)
    case .kept(let action): return kept(action, present, fixFault, in: language)
    case .noOpenShift:
      let isWaiting = present.shift?.waitsForConfirmation ?? false
      return refused(
        "no_open_shift",
        isWaiting ? "the open shift waits for your confirmation" : "no shift is open", [:], present,
        fixFault)
    case .noWaitingShift:
      return refused(
        "no_waiting_shift", "no shift waits for your confirmation", [:], present, fixFault)
    case .endsBeforeStart(let shift): return endsBeforeStart(shift, present, fixFault)
    case .notOnBreak(let shift):
      return conflict("not_on_break", "there is no break to end", shift, present, fixFault)
    case .outOfOrder(let shift):
      return conflict(
        "out_of_order", "a later clock action is already recorded", shift, present, fixFault)
    }
  }

  static func answer(
    to outcome: EndConfirmation, _ present: Snapshot, in language: Language
  ) -> HTTPResponse {
    switch outcome {
    case .confirmed(let shift):
      return .object(present.json(of: shift, present.decision, in: language))
        .guiding(in: language)
    case .unknownShift:
      return Problem.notFound("you have no such shift").adding(present.settings()).response()
    case .notAsked(let shift):
      return conflict(
        "end_not_asked", "the end of this shift needs no confirmation", shift, present)
    case .endsBeforeStart(let shift): return endsBeforeStart(shift, present)
    case .endsAfterLimit(let shift):
      return conflict(
        "ends_after_limit", "the end is later than the automatic end of the shift", shift, present)
    }
  }

  /// `KeptClockAction`: 202, because a manager has to review it.
  private static func kept(
    _ action: KeptAction, _ present: Snapshot, _ fixFault: BodyFault?, in language: Language
  ) -> HTTPResponse {
    let isOpen = action.shift?.number == present.shift?.number
    let shift = isOpen ? nil : action.shift
    return .object(
      present.json(in: language).without(shift == nil ? nil : "shift")
        .adding([
          "clockAction": JSONValue(action.clockAction), "reason": JSONValue(word: action.reason),
          "review": .string(action.review?.code ?? "pending"),
          "shift": shift.map { .object(JSONObject($0)) },
        ]).naming(fixFault),
      status: 202
    ).guiding(in: language)
  }

  private static func endsBeforeStart(
    _ shift: ShiftID, _ present: Snapshot, _ fixFault: BodyFault? = nil
  ) -> HTTPResponse {
    conflict(
      "ends_before_start", "the end is before the start of the shift", shift, present, fixFault)
  }

  private static func conflict(
    _ code: String, _ detail: String, _ shift: ShiftID, _ present: Snapshot,
    _ fixFault: BodyFault? = nil
  ) -> HTTPResponse {
    refused(code, detail, ["shift": .object(JSONObject(shift))], present, fixFault)
  }

  /// `ClockActionProblem`: 409, with `members` and with what every answer to a clock action has.
  private static func refused(
    _ code: String, _ detail: String, _ members: JSONObject, _ present: Snapshot,
    _ fixFault: BodyFault?
  ) -> HTTPResponse {
    Problem.conflict(code, detail)
      .adding(members.adding(present.settings()).naming(fixFault)).response()
  }
}

extension JSONObject {
  /// This object with the reason why the optional fix of a clock action was left out.
  fileprivate func naming(_ fixFault: BodyFault?) -> JSONObject {
    guard let fixFault else { return self }
    return adding([
      "fix": .object(["status": "invalid", "pointer": .string(fixFault.pointer)])
    ])
  }

  fileprivate func without(_ name: String?) -> JSONObject {
    name.map { name in JSONObject(members.filter { $0.name != name }) } ?? self
  }
}

extension HTTPResponse {
  /// The same response with headers saying that its guidance is in `language`, as negotiated.
  fileprivate func guiding(in language: Language) -> HTTPResponse {
    var answer = self
    answer.headers["Content-Language"] = language.code
    answer.headers["Vary"] = "Accept-Language"
    return answer
  }
}

import APIJSON
import DeviceOperations
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels
import ShiftDomain

extension DeviceController {
  /// Employees' own data, and what they say about it.
  var ownViewRoutes: [AccessRoute] {
    [
      route(.post, "/v1/acknowledgements", .device, acknowledge),
      route(.put, "/v1/me/push-target", .device, setPushTarget),
      route(.delete, "/v1/me/push-target", .device, removePushTarget),
      route(.get, "/v1/me/sites", .device, heldSites),
      route(.get, "/v1/me/shifts", .device, ownShifts),
      route(.get, "/v1/me/shifts/{shift}", .device, ownShift),
      route(.post, "/v1/me/shifts/{shift}/notes", .device, addNote),
      route(.post, "/v1/me/shifts/{shift}/confirm-times", .device, confirmTimes),
      route(.post, "/v1/me/shifts/{shift}/object-to-times", .device, objectToTimes),
      route(.get, "/v1/me/audit", .device, ownAudit),
    ]
  }

  private func acknowledge(_ request: DeviceRequest) async throws -> HTTPResponse {
    let body = try AcknowledgementBody(JSONFields(request.body()))
    let present = try await operations.acknowledge(
      body.findings, in: body.appSession, from: request.credential, receipt: request.receipt)
    return DeviceStatus.present(present, in: request.language(of: present))
  }

  private func setPushTarget(_ request: DeviceRequest) async throws -> HTTPResponse {
    let target = try PushTargetBody(JSONFields(request.body())).target(at: request.receipt.at)
    try await operations.setPushTarget(target, from: request.credential, receipt: request.receipt)
    return DeviceStatus.pushTargetSet
  }

  private func removePushTarget(_ request: DeviceRequest) async throws -> HTTPResponse {
    try await operations.setPushTarget(nil, from: request.credential, receipt: request.receipt)
    return DeviceStatus.pushTargetSet
  }

  private func heldSites(_ request: DeviceRequest) async throws -> HTTPResponse {
    let held = try await operations.heldSites(for: request.credential)
    let tag = "\"\(held.version)\""
    // A proxy that compresses an answer makes its tag a weak one.
    let isKnown = request.http.headers.values(of: "If-None-Match").contains { $0.contains(tag) }
    return isKnown
      ? HTTPResponse(status: 304, headers: ["ETag": tag])
      : .object(held.json, headers: ["ETag": tag])
  }

  private func ownShifts(_ request: DeviceRequest) async throws -> HTTPResponse {
    let limit = try request.http.number("limit", in: 1...100) ?? 20
    let shifts = try await operations.ownShifts(limit: Int(limit), for: request.credential)
    return DeviceStatus.ownShifts(
      shifts,
      try await operations.ownTimes(of: shifts.map(\.shift.number), for: request.credential))
  }

  private func ownShift(_ request: DeviceRequest) async throws -> HTTPResponse {
    do {
      let shift: Int32 = try request.http.pathNumber("shift")
      let details = try await operations.ownShift(shift, for: request.credential)
      return DeviceStatus.ownShift(
        details, try await operations.ownTimes(of: [shift], for: request.credential),
        try await operations.ownVisits(in: details.row, for: request.credential))
    } catch OperationError.notFound {
      return DeviceStatus.noSuchShift
    }
  }

  private func ownAudit(_ request: DeviceRequest) async throws -> HTTPResponse {
    let limit = try request.http.number("limit", in: 1...100) ?? 20
    let entries = try await operations.ownAudit(
      of: request.http.auditActions(), before: request.http.auditEntry(), limit: Int(limit),
      for: request.credential)
    return .object(JSONObject(auditOf: entries))
  }

  private func addNote(_ request: DeviceRequest) async throws -> HTTPResponse {
    let shift: Int32 = try request.http.pathNumber("shift")
    let body = try NoteBody(JSONFields(request.body()))
    let outcome = try await operations.note(
      body.text, from: body.from, to: body.to, on: shift, from: request.credential,
      receipt: request.receipt)
    return DeviceStatus.answer(to: outcome)
  }

  private func confirmTimes(_ request: DeviceRequest) async throws -> HTTPResponse {
    let shift: Int32 = try request.http.pathNumber("shift")
    let fields = try JSONFields(request.body())
    let revision = try fields.required("revision", fields.text("revision", min: 1, max: 64))
    let outcome = try await operations.confirmTimes(
      ofShift: shift, seen: revision, from: request.credential, receipt: request.receipt)
    return DeviceStatus.answer(to: outcome)
  }

  private func objectToTimes(_ request: DeviceRequest) async throws -> HTTPResponse {
    let shift: Int32 = try request.http.pathNumber("shift")
    let body = try ObjectionBody(JSONFields(request.body()))
    let outcome = try await operations.objectToTimes(
      ofShift: shift, seen: body.revision, because: body.reason, from: request.credential,
      receipt: request.receipt)
    return DeviceStatus.answer(to: outcome)
  }
}

extension DeviceStatus {
  static let pushTargetSet = HTTPResponse(status: 204)

  static func ownShifts(_ shifts: [ShiftRow], _ times: [RecordedTimes]) -> HTTPResponse {
    let times = Dictionary(times.map { ($0.shift, $0) }, uniquingKeysWith: { $1 })
    return .object([
      "shifts": JSONValue(shifts) { shift in
        JSONObject(shift.shift).adding([
          "startedAt": JSONValue(shift.startedAt),
          "endedAt": shift.endedAt.map { JSONValue($0) },
          "endedBy": shift.ending.map { JSONValue(word: $0) },
          "review": .bool(shift.needsReview),
          "openedBy": JSONValue(word: shift.openedBy),
          "opening": shift.openedBecause.map { .object(JSONObject($0)) },
          "waitsForConfirmation": .bool(shift.waitsForConfirmation),
          "added": .bool(shift.isAdded),
          "objection": shift.objection.map { .object(JSONObject($0)) },
          "device": shift.device.map { JSONValue($0) },
          "verdict": JSONValue(word: shift.verdict),
          "times": times[shift.shift].map { .object(JSONObject($0)) },
        ])
      }
    ])
  }

  static func ownShift(
    _ details: ShiftDetails, _ times: [RecordedTimes], _ visits: [SiteVisit]
  ) -> HTTPResponse {
    .object(
      JSONObject(details, visits: visits).adding([
        "times": times.first.map { .object(JSONObject($0)) },
        "visits": JSONValue(visits) { JSONObject($0) },
      ]))
  }

  static func answer(to outcome: NoteOutcome) -> HTTPResponse {
    switch outcome {
    case .added(let note): .object(JSONObject(note), status: 201)
    case .known(let note): .object(JSONObject(note))
    case .noShift: noSuchShift
    case .outside:
      BodyFault(at: "/from", "and `to` must be within the shift").problem.response()
    case .tooMany:
      BodyFault(at: "", "adds a note too many: a shift has at most 100 notes").problem.response()
    }
  }

  static func answer(to outcome: TimesConfirmation) -> HTTPResponse {
    switch outcome {
    case .confirmed(let times): .object(JSONObject(times))
    case .unknownShift: noSuchShift
    case .notFinal(let times):
      conflict("times_not_final", "the shift is open or needs review", times)
    case .changed(let times):
      conflict(
        "changed_meanwhile", "the times have changed since you read them; check them again", times)
    }
  }

  static func answer(to outcome: TimesObjection) -> HTTPResponse {
    switch outcome {
    case .objected(let times): .object(JSONObject(times))
    case .unknownShift: noSuchShift
    case .notFinal(let times): answer(to: TimesConfirmation.notFinal(times))
    case .changed(let times): answer(to: TimesConfirmation.changed(times))
    case .approved(let times):
      conflict(
        "shift_approved", "the times are approved for payroll; ask your manager to reopen them",
        times)
    }
  }

  private static func conflict(_ code: String, _ detail: String, _ times: RecordedTimes)
    -> HTTPResponse
  {
    Problem.conflict(code, detail).adding(["times": .object(JSONObject(times))]).response()
  }

  static var noSuchShift: HTTPResponse { Problem.notFound("you have no such shift").response() }
}

import APIJSON
import DeviceOperations
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels

extension DeviceController {
  func enrol(_ http: HTTPRequest) async throws -> HTTPResponse {
    var input = try EnrolmentRequest(JSONFields(JSONValue(parsing: http.body)))
    input.device.language = http.language
    do {
      return DeviceStatus.enrolled(
        try await operations.enrol(
          code: input.code, input.device, receipt: receipt(of: http)))
    } catch OperationError.notFound {
      return DeviceStatus.noSuchCode
    }
  }

  func report(_ request: DeviceRequest) async throws -> HTTPResponse {
    let upload = try ReportUpload(request.body())
    let outcome = try await operations.report(
      upload.reports, sentAt: upload.sentAt, installation: upload.installation,
      language: request.language, from: request.credential, receipt: request.receipt)
    for (item, report) in zip(outcome.items, upload.reports)
    where item.disposition != .duplicate {
      meter.note(report, on: outcome.snapshot.platform)
    }
    if upload.refusedCount > 0 {
      remember(refused: ["invalid_body": upload.refusedCount], of: request)
    }
    return DeviceStatus.reported(
      outcome, of: upload, in: request.language(of: outcome.snapshot))
  }

  var pingRoute: AccessRoute {
    // A thousand pings have about 200 kB.
    let route = route(.post, "/v1/pings", .device, bodyMax: 1 << 20, ping)
    return route.directly(DirectPings(self, at: route.route.name).take)
  }

  private func ping(_ request: DeviceRequest) async throws -> HTTPResponse {
    // Before any work is spent on it.
    try operations.rejectIfOverloaded(for: request.credential, receipt: request.receipt)
    let upload = try PingUpload(request.body())
    // An upload without a readable ping is still a sign of life, and its token must be checked.
    let outcome = try await operations.ping(
      upload.pings, sentAt: upload.sentAt, installation: upload.installation,
      from: request.credential, receipt: request.receipt)
    let results = upload.results(stored: outcome.results)
    return pinged(
      results, faults: upload.faults, outcome.advice, from: request.credential,
      receipt: request.receipt, at: request.route)
  }

  /// The response once an upload was stored; counts its results.
  func pinged(
    _ results: [PingResult], faults: [Int: BodyFault] = [:], _ advice: TrackingAdvice,
    from credential: DeviceCredential, receipt: Receipt, at route: String
  ) -> HTTPResponse {
    remember(refused: meter.note(results), from: credential, receipt: receipt, at: route)
    return DeviceStatus.pinged(pingAnswers.text(of: results, faults: faults, advice))
  }

  func check(_ request: DeviceRequest) async throws -> HTTPResponse {
    let body = try CheckBody(request.http.body)
    let present = try await operations.snapshot(
      for: request.credential, in: body.appSession, at: body.fix)
    return DeviceStatus.present(present, in: request.language(of: present))
  }

  func me(_ request: DeviceRequest) async throws -> HTTPResponse {
    let session = request.http.queryValue("appSession")
    if let session, !(1...64).contains(session.unicodeScalars.count) {
      throw QueryFault("appSession", "must have 1 to 64 characters")
    }
    let known = StatusTag.all(in: request.http)
    if let last = known.first(where: { $0.lastsUntil > request.receipt.at }),
      last.key
        == StatusTag.key(
          try await operations.statusKey(for: request.credential, receipt: request.receipt),
          of: request, in: session)
    {
      return DeviceStatus.unchanged(last)
    }
    let keyed = try await operations.keyedSnapshot(for: request.credential, in: session)
    let present = keyed.snapshot
    let language = request.language(of: present)
    let body = present.whoAmI.adding(present.json(in: language))
    let tag = StatusTag(
      key: StatusTag.key(keyed.key, of: request, in: session), lastsUntil: keyed.lastsUntil,
      content: StatusTag.content(of: body, present.trackingState, in: language))
    if known.contains(where: { $0.content == tag.content }) { return DeviceStatus.unchanged(tag) }
    return DeviceStatus.me(body, tag, in: language)
  }

  func clockIn(_ request: DeviceRequest) async throws -> HTTPResponse {
    let body = try ClockActionBody(request.body(), in: request.language)
    let (outcome, present) = try await operations.clockIn(
      body.action, from: request.credential, receipt: request.receipt)
    meter.note(body.action.report, on: present.platform)
    return DeviceStatus.answer(
      to: outcome, present, leavingOut: body.fixFault, in: request.language(of: present))
  }

  func clockOut(_ request: DeviceRequest) async throws -> HTTPResponse {
    try await clockAction(request) { (action) throws(OperationError) in
      try await operations.clockOut(action, from: request.credential, receipt: request.receipt)
    }
  }

  func decline(_ request: DeviceRequest) async throws -> HTTPResponse {
    try await clockAction(request) { (action) throws(OperationError) in
      try await operations.decline(action, from: request.credential, receipt: request.receipt)
    }
  }

  func breakStart(_ request: DeviceRequest) async throws -> HTTPResponse {
    try await clockAction(request) { (action) throws(OperationError) in
      try await operations.startBreak(action, from: request.credential, receipt: request.receipt)
    }
  }

  func breakEnd(_ request: DeviceRequest) async throws -> HTTPResponse {
    try await clockAction(request) { (action) throws(OperationError) in
      try await operations.endBreak(action, from: request.credential, receipt: request.receipt)
    }
  }

  func takeOver(_ request: DeviceRequest) async throws -> HTTPResponse {
    try await clockAction(request) { (action) throws(OperationError) in
      try await operations.takeOver(action, from: request.credential, receipt: request.receipt)
    }
  }

  /// A clock action that the guard never blocks.
  private func clockAction(
    _ request: DeviceRequest,
    _ perform: (ClockAction) async throws(OperationError) -> (ClockActionOutcome, Snapshot)
  ) async throws -> HTTPResponse {
    let body = try ClockActionBody(request.body(), in: request.language)
    let (outcome, present) = try await perform(body.action)
    meter.note(body.action.report, on: present.platform)
    return DeviceStatus.answer(
      to: outcome, present, leavingOut: body.fixFault, in: request.language(of: present))
  }

  func confirmEnd(_ request: DeviceRequest) async throws -> HTTPResponse {
    let body = try EndConfirmationBody(JSONFields(request.body()))
    let (outcome, present) = try await operations.confirmEnd(
      ofShift: body.shift, at: body.endedAt, from: request.credential, receipt: request.receipt)
    return DeviceStatus.answer(to: outcome, present, in: request.language(of: present))
  }
}

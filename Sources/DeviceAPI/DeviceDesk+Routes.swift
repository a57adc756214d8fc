import APIMessages
import HTTPServing
import JSONText
import ShiftOperations

extension DeviceDesk {
  /// `POST /v1/enrolments`
  func enrol(_ request: HTTPRequest) async throws -> HTTPResponse {
    var wish = try EnrolmentRequest(JSONFields(JSONValue(parsing: request.body)))
    wish.device.language = request.language
    do {
      return DeviceStatus.enrolled(
        try await operations.enrol(
          code: wish.code, wish.device, receipt: receipt(of: request)))
    } catch OperationError.notFound {
      return DeviceStatus.noSuchCode
    }
  }

  /// `POST /v1/permission-reports`
  func report(_ call: DeviceCall) async throws -> HTTPResponse {
    let upload = try ReportUpload(call.body())
    let read = try await read(upload.reports, of: call)
    let outcome = try await operations.report(
      read.map(\.report), sentAt: upload.sentAt, installation: upload.installation,
      language: call.language, from: call.credential, receipt: call.receipt)
    for (item, report) in zip(outcome.items, read) where item.disposition != .duplicate {
      note(report.raw)
    }
    if let detection = outcome.detection { observer.detected(detection) }
    return DeviceStatus.reported(
      outcome, of: upload, in: call.language(of: outcome.snapshot))
  }

  /// `POST /v1/pings`
  func ping(_ call: DeviceCall) async throws -> HTTPResponse {
    // Before any work is spent on it.
    try operations.makeWay(for: call.credential, receipt: call.receipt)
    let upload = try PingUpload(call.body())
    // An upload without a readable ping is still a sign of life, and its token must be checked.
    let outcome = try await operations.ping(
      upload.pings, sentAt: upload.sentAt, installation: upload.installation,
      from: call.credential, receipt: call.receipt)
    return DeviceStatus.pinged(
      upload.results(stored: outcome.results), adviceTexts.text(of: outcome.advice))
  }

  /// `POST /v1/guard/check`
  func check(_ call: DeviceCall) async throws -> HTTPResponse {
    let body = try CheckBody(call.request.body)
    let present = try await operations.snapshot(for: call.credential, in: body.appSession)
    return DeviceStatus.present(present, in: call.language(of: present))
  }

  /// `GET /v1/me`
  func me(_ call: DeviceCall) async throws -> HTTPResponse {
    let session = call.request.queryValue("appSession")
    if let session, !(1...64).contains(session.unicodeScalars.count) {
      throw QueryFault("appSession", "must have 1 to 64 characters")
    }
    let present = try await operations.snapshot(for: call.credential, in: session)
    return DeviceStatus.me(present, in: call.language(of: present))
  }

  /// `POST /v1/clock-in`
  func clockIn(_ call: DeviceCall) async throws -> HTTPResponse {
    let (tap, reading, fixFault) = try await read(TapBody(call.body()), of: call)
    let (outcome, present) = try await operations.clockIn(
      tap, from: call.credential, receipt: call.receipt)
    note(reading)
    return DeviceStatus.answer(
      to: outcome, present, leavingOut: fixFault, in: call.language(of: present))
  }

  /// `POST /v1/clock-out`
  func clockOut(_ call: DeviceCall) async throws -> HTTPResponse {
    try await work(call) { (tap) throws(OperationError) in
      try await operations.clockOut(tap, from: call.credential, receipt: call.receipt)
    }
  }

  /// `POST /v1/break-start`
  func breakStart(_ call: DeviceCall) async throws -> HTTPResponse {
    try await work(call) { (tap) throws(OperationError) in
      try await operations.startBreak(tap, from: call.credential, receipt: call.receipt)
    }
  }

  /// `POST /v1/break-end`
  func breakEnd(_ call: DeviceCall) async throws -> HTTPResponse {
    try await work(call) { (tap) throws(OperationError) in
      try await operations.endBreak(tap, from: call.credential, receipt: call.receipt)
    }
  }

  /// `POST /v1/take-over`
  func takeOver(_ call: DeviceCall) async throws -> HTTPResponse {
    try await work(call) { (tap) throws(OperationError) in
      try await operations.takeOver(tap, from: call.credential, receipt: call.receipt)
    }
  }

  /// A clock action that the guard never blocks.
  private func work(
    _ call: DeviceCall, _ perform: (Tap) async throws(OperationError) -> (WorkOutcome, Snapshot)
  ) async throws -> HTTPResponse {
    let (tap, reading, fixFault) = try await read(TapBody(call.body()), of: call)
    let (outcome, present) = try await perform(tap)
    note(reading)
    return DeviceStatus.answer(
      to: outcome, present, leavingOut: fixFault, in: call.language(of: present))
  }

  /// `POST /v1/confirm-end`
  func confirmEnd(_ call: DeviceCall) async throws -> HTTPResponse {
    let body = try EndConfirmationBody(JSONFields(call.body()))
    let (outcome, present) = try await operations.confirmEnd(
      ofShift: body.shift, at: body.endedAt, from: call.credential, receipt: call.receipt)
    return DeviceStatus.answer(to: outcome, present, in: call.language(of: present))
  }
}

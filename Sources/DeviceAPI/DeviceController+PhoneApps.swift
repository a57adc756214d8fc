import DeviceOperations
import GuardRules
import Guidance
import HTTPAPI
import HTTPServing
import OperationCore
import PhoneProtocols
import ReadModels
import ShiftDomain

// Apps from a store send in their own protocols, and understand only success or failure. Some drop
// what is refused, others resend it for ever. So after its token was accepted, a message is always
// answered with success, or with 503 while we cannot store it.

extension DeviceController {
  /// One path for each protocol, also with the slash that employees type at its end.
  var phoneAppRoutes: [AccessRoute] {
    PhoneApp.allCases.flatMap { app in
      app.methods.flatMap { method in
        [app.path, app.path + "/"].map { path in
          route(method, path, .device, bodyMax: app.bodyMax, token: app.token, for: app) {
            try await receive(app, $0)
          }
        }
      }
    }
  }

  private func receive(_ app: PhoneApp, _ request: DeviceRequest) async throws -> HTTPResponse {
    let reading = app.language.readWithoutToken(
      PhoneRequest(request.http, at: request.receipt.at))
    let message = message(reading, of: app, request)
    let outcome = try await operations.receive(
      message, from: request.credential, receipt: request.receipt)
    note(outcome, of: request)
    let news = appContacts.note(
      request.credential, isTracking: outcome.advice.isTracking, outcome.arrival,
      hasLooked: message.mayFollowArrival, mayAsk: reading.mayCommand, at: request.receipt.at)
    let commands = news.commands(outcome.advice.settings, mayStop: !outcome.isOnBreak)
    return HTTPResponse(app.language.answer(to: reading, commands))
  }

  private func message(
    _ reading: PhoneReading, of app: PhoneApp, _ request: DeviceRequest
  ) -> AppMessage {
    AppMessage(
      from: app, reports: reading.incomingReports(from: app),
      pings: reading.incomingPings,
      sightings: reading.sightings,
      // Only an app that reports when it is asked makes an arrival wait.
      mayFollowArrival: app.language.permissionReports == .onRequest
        && appContacts.mayHaveWaitingArrival(
          of: request.credential, at: request.receipt.at),
      quarantined: reading.quarantined)
  }

  /// Positions outside a shift are expected: most apps send them all day.
  private func note(_ outcome: AppMessageOutcome, of request: DeviceRequest) {
    var refused = meter.note(outcome.results)
    refused[PingRefusal.noShift.code] = nil
    remember(refused: refused, of: request)
  }
}

extension PhoneApp {
  /// The old Traccar Client may send all in the query.
  fileprivate var methods: [HTTPMethod] { self == .traccar ? [.post, .get] : [.post] }

  /// A refusal loses the message or stops the app, so this is more than they send: Transistorsoft's
  /// SDK, by default, all records of a day offline at once, and OwnTracks a picture. Traccar Client
  /// may have its token in the body, which is then not long.
  fileprivate var bodyMax: Int { self == .traccar ? 65_536 : 8 << 20 }

  fileprivate var token: TokenReader {
    let language = language
    return { request in
      language.token(in: PhoneRequest(request, at: Instant(milliseconds: 0)))
    }
  }
}

extension PhoneRequest {
  fileprivate init(_ request: HTTPRequest, at receivedAt: Instant) {
    self.init(
      query: request.query.map { NamedValue($0.name, $0.value) },
      headers: request.headers.fields.map { NamedValue($0.name, $0.value) }, body: request.body,
      receivedAt: receivedAt)
  }
}

extension AppNews {
  /// - Parameter mayStop: Not on a break: an app that has stopped would not hear of its end.
  fileprivate func commands(_ settings: TrackingSettings, mayStop: Bool) -> [PhoneCommand] {
    var commands: [PhoneCommand] = asksForPermissions ? [.reportPermission] : []
    if asksForFix { commands.append(.sendFix) }
    if isTracking, hasChanged { commands += [.startTracking, .sendEvery(settings.pingInterval)] }
    // Told again as long as it does not stop.
    if !isTracking, mayStop { commands.append(.stopTracking) }
    return commands
  }
}

extension PhoneReading {
  /// With the position that came along.
  fileprivate var sightings: [TimedSighting] {
    events.compactMap { event in
      let sighting: RegionSighting? =
        switch event.kind {
        case .regionEntered: event.shiftRegions.first.map { .entered($0) }
        case .regionLeft: event.shiftRegions.first.map { .left($0) }
        case .inRegions: .inside(event.shiftRegions)
        default: nil
        }
      let fix = event.fix.map { IncomingPing(recordedAt: event.recordedAt, fix: $0) }
      return sighting.map { TimedSighting($0, recordedAt: event.recordedAt, fix: fix) }
    }
  }
}

extension HTTPResponse {
  fileprivate init(_ answer: PhoneAnswer) {
    self.init(
      status: 200, headers: answer.contentType.map { ["Content-Type": $0] } ?? [:],
      body: .bytes(answer.body))
  }
}

import Guidance
public import HTTPAPI
import HTTPServing
import JSONText
public import ShiftDomain
public import ShiftOperations

/// The routes for phones.
/// - Parameters:
///   - operations: The use cases behind them.
///   - now: The server's clock.
///   - observer: Receives detections and failures.
///   - streams: Serves the streams of events while it runs; `nil`: streams open and stay silent.
public func deviceRoutes(
  _ operations: Operations, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver = RouteObserver(), streams: NotificationStreams? = nil
) -> [Route] {
  let controller = DeviceController(
    operations: operations, now: now, observer: observer,
    streams: streams ?? NotificationStreams(operations: operations))
  return [
    Route(.post, "/v1/enrolments") { request in
      await controller.answer { try await controller.enrol(request) }
    },
    controller.route(.post, "/v1/permission-reports", controller.report),
    // A thousand pings have about 200 kB.
    controller.route(.post, "/v1/pings", bodyMax: 1 << 20, controller.ping),
    controller.route(.post, "/v1/guard/check", controller.check),
    controller.route(.post, "/v1/clock-in", controller.clockIn),
    controller.route(.post, "/v1/clock-out", controller.clockOut),
    controller.route(.post, "/v1/break-start", controller.breakStart),
    controller.route(.post, "/v1/break-end", controller.breakEnd),
    controller.route(.post, "/v1/take-over", controller.takeOver),
    controller.route(.post, "/v1/confirm-end", controller.confirmEnd),
    controller.route(.get, "/v1/me", controller.me),
    controller.route(.get, "/v1/me/events", controller.events),
    controller.route(.get, "/v1/me/privacy-notice", controller.privacyNotice),
    controller.route(.post, "/v1/me/privacy-notice", controller.acknowledgePrivacyNotice),
  ] + controller.ownViewRoutes
}

/// A request with its credential, which the use case checks.
struct DeviceRequest: Sendable {
  let http: HTTPRequest
  let credential: DeviceCredential
  let receipt: Receipt

  /// The requested language; `nil` when none of those requested is supported.
  var language: Language? { http.language }

  /// The language of the guidance: that of this request, or else of an earlier one.
  func language(of present: Snapshot) -> Language { language ?? present.language ?? .english }

  /// The body as JSON.
  func body() throws(JSONSyntaxError) -> JSONValue { try JSONValue(parsing: http.body) }
}

extension HTTPRequest {
  /// The requested language; `nil` when none of those requested is supported.
  var language: Language? { Language(preferredOf: headers.values(of: "Accept-Language")) }
}

/// Reads the requests of phones, passes them to the use cases, and answers them.
struct DeviceController: Sendable {
  let operations: Operations
  let now: @Sendable () -> Instant
  let observer: RouteObserver
  let streams: NotificationStreams
  let adviceTexts = AdviceTexts()

  /// A route that needs a device token.
  func route(
    _ method: HTTPMethod, _ pattern: String, bodyMax: Int = 65_536,
    _ handle: @escaping @Sendable (DeviceRequest) async throws -> HTTPResponse
  ) -> Route {
    Route(
      method, pattern, bodyMax: bodyMax, isBrief: true, admission: { await refusal(of: $0) }
    ) { request in
      await answer {
        let credential = try credential(of: request)
        return try await handle(
          DeviceRequest(http: request, credential: credential, receipt: receipt(of: request)))
      }
    }
  }

  private func credential(of request: HTTPRequest) throws(OperationError) -> DeviceCredential {
    guard let token = request.bearerToken, let credential = DeviceCredential(token: token) else {
      throw .unauthorized
    }
    return credential
  }

  /// The response to a sender that may not send a long body; `nil` for an enrolled device.
  private func refusal(of request: HTTPRequest) async -> HTTPResponse? {
    await answer(unless: { try await operations.authorize(credential(of: request)) })
  }

  func receipt(of request: HTTPRequest) -> Receipt {
    Receipt(at: now(), monotonic: request.receivedAt)
  }

  /// The problem for the error that `check` throws; `nil` when it passes.
  private func answer(unless check: () async throws -> Void) async -> HTTPResponse? {
    var isPassed = false
    let problem = await answer {
      try await check()
      isPassed = true
      return HTTPResponse()
    }
    return isPassed ? nil : problem
  }

  /// The response of `respond`, or the problem for its error. It concerns one employee: no cache
  /// may store it, and no browser may show it as a page.
  func answer(_ respond: () async throws -> HTTPResponse) async -> HTTPResponse {
    var response: HTTPResponse
    do { response = try await respond() } catch {
      if let failure = failure(behind: error) { observer.failed(failure) }
      response = problem(for: error).response()
    }
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
  }
}

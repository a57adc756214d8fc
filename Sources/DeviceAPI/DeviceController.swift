import DeviceOperations
import Guidance
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels
import ShiftDomain
import Telemetry

/// - Parameter streams: Serves the streams of events while it runs; `nil`: streams open and stay
///   silent.
package func deviceRoutes(
  _ operations: DeviceOperations, now: @escaping @Sendable () -> Instant,
  observer: RouteObserver = RouteObserver(), metrics: Metrics = Metrics(),
  streams: NotificationStreams? = nil
) -> [AccessRoute] {
  let meter = DeviceMeter(metrics)
  meter.measureDetections(of: operations)
  let controller = DeviceController(
    operations: operations, now: now, observer: observer, meter: meter,
    streams: streams ?? NotificationStreams(operations: operations, monitor: .unread))
  return [
    AccessRoute(.post, "/v1/enrolments", .anybody) { request in
      await controller.answer { try await controller.enrol(request) }
    },
    controller.route(.post, "/v1/permission-reports", .device, controller.report),
    controller.pingRoute,
    controller.route(.post, "/v1/guard/check", .device, controller.check),
    controller.route(.post, "/v1/clock-in", .device, controller.clockIn),
    controller.route(.post, "/v1/clock-out", .device, controller.clockOut),
    controller.route(.post, "/v1/decline", .device, controller.decline),
    controller.route(.post, "/v1/break-start", .device, controller.breakStart),
    controller.route(.post, "/v1/break-end", .device, controller.breakEnd),
    controller.route(.post, "/v1/take-over", .device, controller.takeOver),
    controller.route(.post, "/v1/confirm-end", .device, controller.confirmEnd),
    controller.route(.get, "/v1/me", .device, controller.me),
    controller.route(.get, "/v1/me/events", .device, controller.events),
    controller.route(.get, "/v1/me/privacy-notice", .device, controller.privacyNotice),
    controller.route(.post, "/v1/me/privacy-notice", .device, controller.acknowledgePrivacyNotice),
  ] + controller.ownViewRoutes + controller.selfReportRoutes + controller.phoneAppRoutes
}

/// A request with its credential, which the use case checks.
struct DeviceRequest: Sendable {
  let http: HTTPRequest
  /// Method and pattern of its route.
  let route: String
  let credential: DeviceCredential
  let receipt: Receipt

  var language: Language? { http.language }

  /// The language of the guidance: that of this request, or else of an earlier one.
  func language(of present: Snapshot) -> Language { language ?? present.language ?? .english }

  func body() throws(JSONSyntaxError) -> JSONValue { try JSONValue(parsing: http.body) }
}

extension HTTPRequest {
  /// The requested language; `nil` when none of those requested is supported.
  var language: Language? { Language(preferredOf: headers.values(of: "Accept-Language")) }
}

/// The token in a request; `nil`: there is none.
typealias TokenReader = @Sendable (HTTPRequest) -> String?

struct DeviceController: Sendable {
  let operations: DeviceOperations
  let now: @Sendable () -> Instant
  let observer: RouteObserver
  let meter: DeviceMeter
  let streams: NotificationStreams
  let pingAnswers = PingAnswerTexts()
  let appContacts = AppContacts()

  /// - Parameters:
  ///   - token: Where the request has its token.
  ///   - storeApp: The app from a store whose tokens are valid here; `nil`: those of none.
  func route(
    _ method: HTTPMethod, _ pattern: String, _ access: Access, bodyMax: Int = 65_536,
    token: @escaping TokenReader = \.bearerToken, for storeApp: PhoneApp? = nil,
    _ handle: @escaping @Sendable (DeviceRequest) async throws -> HTTPResponse
  ) -> AccessRoute {
    precondition(access == .device, "\(pattern) is not for phones")
    let name = Route.name(method, pattern)
    return AccessRoute(
      method, pattern, access, bodyMax: bodyMax, isBrief: true,
      admission: { request in
        let credential = credential(of: token(request), storeApp)
        let refused = await refusal(of: credential)
        if let refused { remember(refused, to: credential, at: name) }
        return refused
      }
    ) { request in
      await respond(to: credential(of: token(request), storeApp), at: name) { credential in
        try await handle(
          DeviceRequest(
            http: request, route: name, credential: credential, receipt: receipt(of: request)))
      }
    }
  }

  /// The response of `handle` to a device's request, remembered if it is a refusal.
  func respond(
    to credential: DeviceCredential?, at route: String,
    _ handle: (DeviceCredential) async throws -> HTTPResponse
  ) async -> HTTPResponse {
    let response = await answer(to: credential, handle)
    remember(response, to: credential, at: route)
    return response
  }

  /// Remembers the refusal of a request whose token names a device.
  private func remember(
    _ response: HTTPResponse, to credential: DeviceCredential?, at route: String
  ) {
    // An overload must not cost more, and says nothing of the device.
    guard response.status >= 400, response.status != 503, let credential else { return }
    operations.note(
      RefusedRequest(
        at: now(), route: route, status: response.status,
        code: response.problemCode ?? "error"),
      of: credential)
  }

  /// Remembers items that were refused within a request that was answered with 200.
  func remember(refused items: [String: Int], of request: DeviceRequest) {
    remember(
      refused: items, from: request.credential, receipt: request.receipt, at: request.route)
  }

  func remember(
    refused items: [String: Int], from credential: DeviceCredential, receipt: Receipt,
    at route: String
  ) {
    for (code, count) in items {
      operations.note(
        RefusedRequest(at: receipt.at, route: route, status: 200, code: code, items: count),
        of: credential)
    }
  }

  private func credential(of token: String?, _ storeApp: PhoneApp?) -> DeviceCredential? {
    token.flatMap { DeviceCredential(token: $0, to: storeApp) }
  }

  /// The response to a sender that may not send a long body; `nil` for an enrolled device.
  private func refusal(of credential: DeviceCredential?) async -> HTTPResponse? {
    let response = await answer(to: credential) { credential in
      try await operations.authorizeLongBody(of: credential)
      return HTTPResponse(status: 204)
    }
    return response.status == 204 ? nil : response
  }

  /// The response of `respond` to a device's request; 401 without a credential.
  private func answer(
    to credential: DeviceCredential?,
    _ respond: (DeviceCredential) async throws -> HTTPResponse
  ) async -> HTTPResponse {
    await answer {
      guard let credential else { throw OperationError.unauthorized }
      do { return try await respond(credential) } catch OperationError.unauthorized {
        guard try await operations.isMisplaced(credential) else {
          throw OperationError.unauthorized
        }
        return DeviceStatus.storeAppToken
      }
    }
  }

  func receipt(of request: HTTPRequest) -> Receipt {
    Receipt(at: now(), monotonic: request.receivedAt)
  }

  /// The response of `respond`, or the problem for its error. It concerns one employee, so it is
  /// hidden.
  func answer(_ respond: () async throws -> HTTPResponse) async -> HTTPResponse {
    do { return try await respond().hidden } catch { return answer(to: error) }
  }

  private func answer(to error: any Error) -> HTTPResponse {
    observer.problem(for: error).response().hidden
  }
}

extension HTTPResponse {
  /// The same response, which no cache may store, and no browser may show as a page.
  var hidden: HTTPResponse {
    var response = self
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
  }
}

import HTTPAPI
import HTTPServing
import InstallationOperations
import Lifecycle
import ManagerCore
import ManagerOperations
import OperationCore
import ShiftDomain

package enum AccessFault: Error, Hashable, Sendable {
  /// A write with a session cookie that another site may have caused.
  case crossSiteRequest
  /// The route needs an administrator.
  case administratorRequired
  /// The route needs a login session; a token is not enough.
  case sessionRequired
}

extension AccessFault: RequestFault {
  package var problem: Problem {
    switch self {
    case .crossSiteRequest:
      Problem(status: 403, code: "cross_site_request", detail: "cross-site request refused")
    case .administratorRequired:
      Problem(status: 403, code: "administrator_required", detail: "an administrator is required")
    case .sessionRequired:
      Problem(
        status: 403, code: "session_required",
        detail: "log in: a token is not enough for this request")
    }
  }
}

/// Authenticates managers, administrators and their programs: by API token or by the cookie of a
/// session.
package struct Authenticator: Sendable {
  private let operations: ManagerOperations

  package init(_ operations: ManagerOperations) { self.operations = operations }

  /// Authenticates `request`. A token takes precedence over a cookie: our own pages send no token.
  /// - Throws: `OperationError`, `.unauthorized` without valid credentials;
  ///   `AccessFault.crossSiteRequest`.
  package func admit(_ request: HTTPRequest) async throws -> Principal {
    if let token = request.bearerToken {
      return try await operations.installation.authenticate(apiToken: token)
    }
    guard let secret = SessionCookie.secret(in: request) else { throw OperationError.unauthorized }
    if request.isWrite, !request.isFromOwnPage { throw AccessFault.crossSiteRequest }
    let renewal = Renewal.current
    let admission = try await operations.installation.authenticate(
      session: secret, renewing: renewal != nil)
    if let renewed = admission.renewed { renewal?.secret.withLock { $0 = renewed } }
    return admission.principal
  }

  /// Logs the sender of `request` in, and ends their previous session. The caller sets the cookie:
  /// `SessionCookie.setting(_:)` with the new session's secret.
  /// - Throws: `AccessFault.crossSiteRequest`, because another site could log a user in to an
  ///   account of its own and read what they enter there; `OperationError`.
  package func logIn(email: String, password: Password, as request: HTTPRequest)
    async throws -> LoginOutcome
  {
    if request.isFromElsewhere { throw AccessFault.crossSiteRequest }
    return try await operations.installation.logIn(
      email: email, password: password, from: Self.origin(of: request),
      replacing: SessionCookie.secret(in: request))
  }

  /// Ends the session of `request`. The caller clears the cookie: `SessionCookie.clearing`.
  package func logOut(_ request: HTTPRequest) async throws {
    let principal = try await admit(request)
    guard let session = principal.session else { throw AccessFault.sessionRequired }
    try await operations.installation.endSession(
      session, of: principal.account, isLogOut: true, by: principal)
  }

  /// The same handler, whose responses carry renewed session secrets. Without it secrets are not
  /// renewed.
  package static func renewing(_ handler: @escaping Route.Handler) -> Route.Handler {
    { request in
      let renewal = Renewal()
      var response = await Renewal.$current.withValue(renewal) { await handler(request) }
      // A cookie set by the handler itself takes precedence.
      if let secret = renewal.secret.withLock({ $0 }), response.headers["Set-Cookie"] == nil {
        response.headers.add("Set-Cookie", SessionCookie.setting(secret))
      }
      return response
    }
  }

  /// Where `request` comes from. Behind a proxy on this machine, that is the last address of
  /// `X-Forwarded-For`, which the proxy wrote; from any other sender the field is ignored.
  package static func origin(of request: HTTPRequest) -> LoginOrigin {
    let peer = request.remoteAddress
    let isNear = peer.map { $0 == "::1" || $0.hasPrefix("127.") } ?? true
    let forwarded = request.headers.values(of: "X-Forwarded-For").last?.split(separator: ",").last?
      .drop { $0 == " " }
    return LoginOrigin(
      address: isNear ? forwarded.map { String($0) } ?? peer : peer,
      userAgent: request.headers["User-Agent"] ?? "")
  }
}

/// Holds a session's new secret until the response that carries it is sent.
private final class Renewal: Sendable {
  @TaskLocal static var current: Renewal?
  let secret = Lock<String?>(nil)
}

public import HTTPServing
import Lifecycle
public import ShiftDomain
public import ShiftOperations

/// Why somebody who may be known is not let in here.
public enum AccessFault: Error, Hashable, Sendable {
  /// A write by cookie that another site may have had sent.
  case fromElsewhere
  /// Only administrators may.
  case administratorNeeded
  /// Only somebody who logged in may, no token.
  case sessionNeeded
}

/// Where people and programs of the office are let in: by access token, or by the cookie of a
/// session.
public struct OfficeDoor: Sendable {
  private let operations: Operations

  /// The door to these use cases.
  public init(_ operations: Operations) { self.operations = operations }

  /// Somebody who was let in.
  public struct Caller: Hashable, Sendable {
    /// Who, and what they may see.
    public var viewer: Viewer
    /// Their session; `nil` for a token.
    public var session: SessionID?

    /// Somebody who was let in.
    public init(viewer: Viewer, session: SessionID? = nil) {
      self.viewer = viewer
      self.session = session
    }

    /// What let them in.
    public var pass: OfficePass? {
      session.map { .session($0) } ?? viewer.token.map { .token($0) }
    }
  }

  /// Who sends `request`. A token is looked at before a cookie: a page of ours sends none.
  /// - Throws: `OperationError`, `.unauthorized` for nobody; `AccessFault.fromElsewhere`.
  public func admit(_ request: HTTPRequest) async throws -> Caller {
    if let token = request.bearerToken {
      return Caller(viewer: try await operations.authenticate(accessToken: token))
    }
    guard let secret = SessionCookie.secret(in: request) else { throw OperationError.unauthorized }
    if request.isWrite, !request.isFromOwnPage { throw AccessFault.fromElsewhere }
    let renewal = Renewal.current
    let admission = try await operations.authenticate(session: secret, renewing: renewal != nil)
    if let renewed = admission.renewed { renewal?.secret.withLock { $0 = renewed } }
    return Caller(viewer: admission.viewer, session: admission.session)
  }

  /// Logs in whoever sends `request`, and ends the session that they had. The cookie is the
  /// caller's to set: `SessionCookie.setting(_:)` of the new session's secret.
  /// - Throws: `AccessFault.fromElsewhere`, for another site could log somebody in as somebody
  ///   else, and read on in their account; `OperationError`.
  public func logIn(email: String, password: Password, as request: HTTPRequest)
    async throws -> LoginOutcome
  {
    if request.isFromElsewhere { throw AccessFault.fromElsewhere }
    return try await operations.logIn(
      email: email, password: password, from: Self.origin(of: request),
      replacing: SessionCookie.secret(in: request))
  }

  /// Ends the session of whoever sends `request`. The cookie is the caller's to take away:
  /// `SessionCookie.clearing`.
  /// - Throws: `OperationError`, `AccessFault`.
  public func logOut(_ request: HTTPRequest) async throws {
    let caller = try await admit(request)
    guard let session = caller.session else { throw AccessFault.sessionNeeded }
    try await operations.endSession(
      session, of: caller.viewer.account, isLogOut: true, by: caller.viewer)
  }

  /// The same handler, whose answers hand new secrets of sessions on: without it they stay as they
  /// are.
  public static func renewing(_ handler: @escaping Router.Handler) -> Router.Handler {
    { request in
      let renewal = Renewal()
      var response = await Renewal.$current.withValue(renewal) { await handler(request) }
      // A handler that sets the cookie itself knows better.
      if let secret = renewal.secret.withLock({ $0 }), response.headers["Set-Cookie"] == nil {
        response.headers.add("Set-Cookie", SessionCookie.setting(secret))
      }
      return response
    }
  }

  /// Where `request` comes from. Behind a proxy on this machine, that is the last address of
  /// `X-Forwarded-For`, which the proxy wrote; from elsewhere the field says nothing.
  public static func origin(of request: HTTPRequest) -> LoginOrigin {
    let peer = request.remoteAddress
    let isNear = peer.map { $0 == "::1" || $0.hasPrefix("127.") } ?? true
    let told = request.headers.values(of: "X-Forwarded-For").last?.split(separator: ",").last?
      .drop { $0 == " " }
    return LoginOrigin(
      address: isNear ? told.map { String($0) } ?? peer : peer,
      userAgent: request.headers["User-Agent"] ?? "")
  }
}

/// Where a session's new secret waits for the answer that carries it.
private final class Renewal: Sendable {
  @TaskLocal static var current: Renewal?
  let secret = Lock<String?>(nil)
}

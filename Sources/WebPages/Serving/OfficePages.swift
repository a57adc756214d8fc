import APIMessages
import HTTPServing
public import ShiftDomain
public import ShiftOperations

extension PageSettings {
  /// Pages for those who have an account, let in by the session that the API knows too.
  /// - Parameters:
  ///   - operations: Where accounts and sessions are.
  ///   - now: The server's clock.
  public init(lettingInBy operations: Operations, now: @escaping @Sendable () -> Instant) {
    let door = OfficeDoor(operations)
    self.init(
      now: now, authenticate: { try await door.admit($0).viewer },
      logIn: { email, password, request in
        let outcome = try await operations.logIn(
          email: email, password: Password(password), from: OfficeDoor.origin(of: request),
          replacing: SessionCookie.secret(in: request))
        return switch outcome {
        case .loggedIn(let session): .letIn(cookie: SessionCookie.setting(session.secret))
        case .refused: .wrong
        case .throttled(let wait): .later(seconds: Int(wait.seconds) + 1)
        }
      },
      logOut: { request in
        let caller = try await door.admit(request)
        if let session = caller.session {
          try await operations.endSession(
            session, of: caller.viewer.account, isLogOut: true, by: caller.viewer)
        }
        return SessionCookie.clearing
      })
  }
}

import APIMessages
import ShiftDomain
import ShiftOperations
import WebPages

/// The pages, which let people in by the door of the API.
/// - Parameters:
///   - now: The server's clock.
///   - observer: Told of failures.
func pages(
  _ operations: Operations, now: @escaping @Sendable () -> Instant, observer: RouteObserver
) -> [Route] {
  let door = OfficeDoor(operations)
  let settings = PageSettings(
    now: now,
    authenticate: { try await door.admit($0).viewer },
    logIn: { email, password, request in
      let outcome = try await operations.logIn(
        email: email, password: Password(password), from: OfficeDoor.origin(of: request),
        replacing: SessionCookie.secret(in: request))
      return switch outcome {
      case .loggedIn(let new): .letIn(cookie: SessionCookie.setting(new.secret))
      case .refused: .wrong
      case .throttled(let wait): .later(seconds: Int((wait.milliseconds + 999) / 1_000))
      }
    },
    logOut: { request in
      let caller = try await door.admit(request)
      if let session = caller.session {
        try await operations.endSession(
          session, of: caller.viewer.account, isLogOut: true, by: caller.viewer)
      }
      return SessionCookie.clearing
    },
    boardEvents: "/v1/board/events", observer: observer)
  return pageRoutes(operations, settings).map { route in
    var route = route
    route.handler = OfficeDoor.renewing(route.handler)
    return route
  }
}

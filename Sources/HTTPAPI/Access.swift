import HTTPServing
import ReadModels

/// Who may use a route of the API or of the pages.
package enum Access: Hashable, Sendable {
  /// Anybody, without credentials: supervisors, enrolment and login.
  case anybody
  /// A device token; the route shows only the device's own employee.
  case device
  /// Any manager or administrator; the route shows only their own data.
  case anyManager
  /// A logged-in account, not a token; the route shows only its own data.
  case account
  /// Rights for the team of the path's `{employee}`; everyone else gets 404.
  case employee(TeamRights)
  /// Rights for the team of the path's `{team}`; everyone else gets 404.
  case team(TeamRights)
  /// Any manager or administrator: the list shows what these rights allow. An employee or a team
  /// named in the query must be covered by them.
  case listing(TeamRights)
  /// An administrator; everyone else gets 404 for the page.
  case administrator

  /// Whether `Principal.check` can check it.
  package var isForManagers: Bool { self != .anybody && self != .device }
}

/// What a request costs.
package enum Cost: Hashable, Sendable {
  /// Bounded by what one employee, one shift or one page of a list has.
  case light
  /// Computes over many shifts, or sends much: such requests pass the gate of heavy reads, one of
  /// an account at a time, and run on their thread.
  case heavy

  /// How long such a request may take; a heavy one waits and computes at a low share.
  package func deadline(_ usual: Duration?) -> Duration? {
    self == .heavy ? max(usual ?? .zero, .seconds(90)) : usual
  }
}

/// A route, who may use it and what it costs. Its handler and its admission check that.
package struct AccessRoute: Sendable {
  package let access: Access
  package let cost: Cost
  package private(set) var route: Route

  /// A route, described as for `Route`. Traps when it accepts long bodies from unauthenticated
  /// senders.
  package init(
    _ method: HTTPMethod, _ pattern: String, _ access: Access, cost: Cost = .light,
    bodyMax: Int = Route.unaskedBodyMax, deadline: Duration? = nil, isBrief: Bool = false,
    isRaw: Bool = false, admission: Route.Admission? = nil, _ handler: @escaping Route.Handler
  ) {
    precondition(
      bodyMax <= Route.unaskedBodyMax || admission != nil,
      "\(pattern) accepts long bodies from anybody")
    self.access = access
    self.cost = cost
    route = Route(
      method, pattern, bodyMax: bodyMax, deadline: cost.deadline(deadline), isBrief: isBrief,
      endsWithClient: cost == .heavy, isRaw: isRaw, admission: admission,
      cost == .heavy ? Self.countingLeft(handler) : handler)
  }
}

extension AccessRoute {
  /// The same with this direct way to the usual answers of its handler.
  package func directly(_ take: @escaping DirectWay.Take) -> AccessRoute {
    var direct = self
    direct.route = route.directly(take)
    return direct
  }

  /// A request whose client did not wait for the answer is counted as such, not as our failure.
  private static func countingLeft(_ handler: @escaping Route.Handler) -> Route.Handler {
    { request in
      let response = await handler(request)
      return Task.isCancelled ? HTTPResponse(status: 499) : response
    }
  }
}

import APIMessages
import HTTPServing
import ShiftOperations

/// Keeps an instance from answering whose clock is wrong: what it would write has a wrong time, and
/// so has what it would say of the present.
enum ClockGate {
  /// The same routes, for as long as the clock is right.
  static func guarding(_ routes: [Route], _ clock: ClockWatch) -> [Route] {
    routes.map { route in
      var guarded = route
      guarded.handler = { request in
        clock.isWrong ? Problem.clockWrong.response() : await route.handler(request)
      }
      if let admission = route.admission {
        guarded.admission = { request in
          clock.isWrong ? Problem.clockWrong.response() : await admission(request)
        }
      }
      return guarded
    }
  }
}

extension Problem {
  /// Nothing was done; another instance may have a better clock.
  fileprivate static let clockWrong = Problem(
    status: 503, code: "clock_wrong",
    detail: "this server's clock differs from its database's; nothing was done, so try again",
    headers: ["Retry-After": "5"])
}

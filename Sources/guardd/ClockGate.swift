import HTTPServing
import OperationCore

/// Keeps an instance with a wrong clock from answering: the times that it writes or returns would
/// be wrong.
enum ClockGate {
  /// The same routes, which answer only while the clock is right.
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
      // Then the handler answers.
      guard let take = route.take else { return guarded }
      return guarded.directly { authorization, body, ticket in
        clock.isWrong ? .declined : take(authorization, body, ticket)
      }
    }
  }
}

extension Problem {
  /// The request was not handled; another instance may have a better clock.
  fileprivate static let clockWrong = Problem(
    status: 503, code: "clock_wrong",
    detail: "this server's clock differs from the database clock; nothing was done, so try again",
    headers: ["Retry-After": "5"])
}

import HTTPServing
import OperationCore

extension Availability {
  /// The same routes of phones, which also note that they could not store what was sent. That they
  /// could is noted where it is committed: many requests succeed without a write, so they prove
  /// nothing about a database that only reads.
  func noting(_ routes: [Route]) -> [Route] {
    routes.map { route in
      guard route.method != .get else { return route }
      var noting = route.finishing { [self] response, _ in
        note(response.status)
        return response
      }
      if let admission = route.admission {
        noting.admission = { [self] request in
          let refusal = await admission(request)
          if let refusal { note(refusal.status) }
          return refusal
        }
      }
      return noting
    }
  }

  /// Any other status says something about the request.
  func note(_ status: Int) {
    if status == 503 { noteFailure() }
  }
}

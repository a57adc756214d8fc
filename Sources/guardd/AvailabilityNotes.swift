import HTTPServing
import OperationCore

extension Availability {
  /// The same routes of phones, which also note whether they could store what was sent. Reading
  /// proves nothing: a database that only reads is an outage.
  func noting(_ routes: [Route]) -> [Route] {
    routes.map { route in
      guard route.method != .get else { return route }
      var noting = route
      noting.handler = { [self] request in
        let response = await route.handler(request)
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
  private func note(_ status: Int) {
    switch status {
    case 200..<300: noteSuccess()
    case 503: noteFailure()
    default: break
    }
  }
}

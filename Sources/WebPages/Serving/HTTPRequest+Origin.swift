import HTTPServing
import PeopleOperations

extension HTTPRequest {
  /// The origin of this service, as the browser reached it.
  var origin: String {
    let host = headers["Host"] ?? "localhost"
    let isHere = host.hasPrefix("127.0.0.1") || host.hasPrefix("localhost")
    return "\(isHere ? "http" : "https")://\(host)"
  }

  /// The address that a phone opens to enrol.
  func address(of code: NewEnrolmentCode) -> String { origin + code.link }
}

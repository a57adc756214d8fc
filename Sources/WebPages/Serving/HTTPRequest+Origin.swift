import HTTPServing
import PeopleOperations

extension HTTPRequest {
  /// The origin of this service, as the browser reached it.
  var origin: String {
    let host = headers["Host"] ?? "localhost"
    let isHere = host.hasPrefix("127.0.0.1") || host.hasPrefix("localhost")
    return "\(isHere ? "http" : "https")://\(host)"
  }

}

extension PageController {
  /// The address that a phone opens to enrol: a manager may have reached this page by another one.
  func address(of code: NewEnrolmentCode, _ request: HTTPRequest) -> String {
    (settings.publicURL ?? request.origin) + code.link
  }
}

/// Below an address that phones cannot use; `nil`: they can.
func phoneWarning(_ address: String) -> HTML? {
  guard !address.hasPrefix("https://") else { return nil }
  return """
    <p class="fault">No phone can open this address: it leads to this machine. The operator \
    sets the address for phones, which begins with https://, by <code>public-url</code>.</p>
    """
}

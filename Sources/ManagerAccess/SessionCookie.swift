import HTTPServing
import ReadModels

/// The cookie of a browser session. It is sent only to its own host, only over TLS or on the
/// machine itself, and never with requests that another site causes; scripts cannot read it.
package enum SessionCookie {
  private static let name = "__Host-session"
  private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

  /// The value of `Set-Cookie` that sets a session's secret.
  package static func setting(_ secret: String) -> String {
    "\(name)=\(secret); \(attributes); Max-Age=\(SessionLife.max.seconds)"
  }

  package static var clearing: String { "\(name)=; \(attributes); Max-Age=0" }

  /// The session secret in the request's cookie; `nil` without one.
  package static func secret(in request: HTTPRequest) -> String? {
    for field in request.headers.values(of: "Cookie") {
      for pair in field.split(separator: ";") {
        let text = pair.drop { $0 == " " }
        if text.hasPrefix("\(name)=") { return String(text.dropFirst(name.utf8.count + 1)) }
      }
    }
    return nil
  }
}

extension HTTPRequest {
  /// Whether the method may change something.
  package var isWrite: Bool { ![.get, .head, .options].contains(method) }

  /// Whether a browser states that one of our pages caused the request. A browser that sends
  /// neither header is too old to be trusted.
  /// - Source: OWASP CSRF Prevention Cheat Sheet, Fetch Metadata and Origin.
  package var isFromOwnPage: Bool {
    if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
    guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
    return origin == "https://\(host)" || origin == "http://\(host)"
  }

  /// Whether a browser states that another site caused the request. With `none` its user did, for
  /// instance by typing the address; programs state nothing.
  package var isFromElsewhere: Bool {
    switch headers["Sec-Fetch-Site"] {
    case "none": false
    case nil where headers["Origin"] == nil: false
    default: !isFromOwnPage
    }
  }
}

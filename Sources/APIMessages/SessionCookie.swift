public import HTTPServing
import ShiftOperations

/// The cookie that a browser's session is in. Only its own host gets it, only over TLS or on the
/// machine itself, never a script, and never by a link or form of another site.
public enum SessionCookie {
  private static let name = "__Host-session"
  private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

  /// The value of `Set-Cookie` that hands a session's secret to the browser.
  public static func setting(_ secret: String) -> String {
    "\(name)=\(secret); \(attributes); Max-Age=\(SessionLife.max.seconds)"
  }

  /// The value of `Set-Cookie` that takes it away.
  public static var clearing: String { "\(name)=; \(attributes); Max-Age=0" }

  /// What the request's cookie holds; `nil` when it has none.
  public static func secret(in request: HTTPRequest) -> String? {
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
  /// Whether it may change something.
  public var isWrite: Bool { ![.get, .head, .options].contains(method) }

  /// Whether a browser says that it sends this of its own or for one of our pages. What no browser
  /// said anything about is not.
  public var isFromOwnPage: Bool {
    if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
    guard let origin = headers["Origin"], let host = headers["Host"] else { return false }
    return origin == "https://\(host)" || origin == "http://\(host)"
  }

  /// Whether a browser says that another site has it sent.
  public var isFromElsewhere: Bool {
    (headers["Sec-Fetch-Site"] != nil || headers["Origin"] != nil) && !isFromOwnPage
  }
}

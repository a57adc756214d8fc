import HTTPServing

/// What the handler of a page answers.
enum PageAnswer: Sendable {
  /// A page.
  case page(Page, status: Int = 200)
  /// A piece of a page, for the script that puts it in place.
  case fragment(HTML)
  /// Go and look there; after a form was sent. The session's cookie is set where there is one.
  case seeOther(String, cookie: String? = nil)
}

/// The headers that all pages have.
struct PageHeaders: Sendable {
  private let contentPolicy: String

  /// - Parameter tiles: Where maps have their pictures from; `nil`: from nowhere.
  init(tiles: MapTiles?) {
    let images = ["'self'", "data:"] + (tiles.map { [$0.origin] } ?? [])
    contentPolicy = [
      "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'",
      "img-src \(images.joined(separator: " "))", "form-action 'self'", "base-uri 'none'",
      "frame-ancestors 'none'",
    ].joined(separator: "; ")
  }

  /// What a browser is told with every page: nothing but ours runs, nothing is framed, nothing is
  /// kept, and no address leaks to other sites.
  /// - Source: OWASP HTTP Headers Cheat Sheet.
  var fields: HTTPHeaders {
    [
      "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": contentPolicy,
      "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
      "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
      "Cache-Control": "no-store",
    ]
  }
}

/// Where maps have their pictures from.
public struct MapTiles: Hashable, Sendable {
  /// With `{z}`, `{x}` and `{y}` in it.
  public var template: String
  /// Whom to thank, as the provider wants it.
  public var attribution: String
  /// Scheme and host of `template`: all that a browser is allowed to fetch from.
  public let origin: String

  /// Tiles; `nil` for a template that is no `http` or `https` URL with its three places.
  public init?(template: String, attribution: String) {
    let scheme = ["https://", "http://"].first { template.hasPrefix($0) }
    guard let scheme, ["{z}", "{x}", "{y}"].allSatisfy({ template.contains($0) }) else {
      return nil
    }
    let host = template.dropFirst(scheme.count).prefix { $0 != "/" }
    let allowed = { (byte: UInt8) in
      byte < 0x80
        && (Unicode.Scalar(byte).properties.isAlphabetic || ".:-0123456789".utf8.contains(byte))
    }
    guard !host.isEmpty, host.utf8.allSatisfy(allowed) else { return nil }
    self.template = template
    self.attribution = attribution
    origin = scheme + host
  }
}
